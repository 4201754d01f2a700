"""Find active work that was committed since: files or functions and most of the words must agree, or files show it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.drift import carried_out
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from belay.memory.drift.carried_out import Since
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import Conflict
    from belay.memory.memory_facts import Facts, TaskRow
    from belay.repository.git.history import Commit

_CALLED = re.compile(r"([A-Za-z_$][\w$]*)\(\)?")
_CODE = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]+")
_PATH = re.compile(r"\S*[/\\]\S*|`?[\w-]+\.[a-z]{1,5}\b`?")
_WEAK = frozenset(
    "a an and are as at be by for from in into is it its new no not of on or our so still that the their then this to "
    "up via was we when where which with without add adds added adding build built complete completed create created "
    "do done ensure feat feature fix fixed finish finished get handle implement implemented implementation implements "
    "introduce make need needs support task todo use using work working write wrote stub stubbed progress wip next "
    "remaining should must".split()
)
_OTHER = frozenset(
    "test tests spec doc docs document documentation readme refactor rename typo comment comments lint format style "
    "revert remove delete drop stub wip partial partially prepare draft skeleton scaffold start begin plan todo note "
    "investigate attempt try disable skip half first initial".split()
)
"""Words of a commit that did something else about a subject, or not all of it."""
_PART = frozenset("test tests spec doc docs document documentation readme refactor rename lint format".split())
"""Of these, what an item may be about itself: then the commit must be about it too."""
FEW, MOST, NEARLY_ALL = 2, 0.6, 0.8
_UNNAMED = 3
TEXT_CHARS = 500
"""Characters of one text of the memory that are looked at."""
TEXTS = 200
"""Open items that are looked at."""


class OpenItem(NamedTuple):
    """An open item: its line, the files and functions it names, its telling words."""

    line: int
    text: str
    files: frozenset[str]
    calls: frozenset[str]
    words: frozenset[str]


def find_conflicts(look: Comparison, since: Since) -> list[Conflict]:
    """Return a conflict for each open item, and the next step, that was done since: a commit or the files say so."""
    undone = {commit.subject[8:-1] for commit in look.commits if commit.subject.startswith('Revert "')}
    commits = [commit for commit in look.commits if commit.subject not in undone and len(commit.parents) < 2]
    conflicts = []
    for row in _list_open(look.facts)[:TEXTS]:
        cause = carried_out.find_cause(look, row["line"], row["text"][:TEXT_CHARS], since)
        commit = None if cause else _find_commit(read_item(look.facts, row), commits)
        if cause:
            conflicts.append(_build_cause_conflict(row, *cause))
        elif commit:
            conflicts.append(_build_conflict(row, commit, is_item=row in look.facts["active"]))
    return conflicts


def _list_open(facts: Facts) -> list[TaskRow]:
    """Return the open items of the active work, and the next step."""
    step, line = facts.get("left", {}).get("next", ""), facts.get("left_lines", {}).get("next", 0)
    steps: list[TaskRow] = [{"line": line, "text": step, "done": False}] if step and line else []
    return [*steps, *(row for row in facts.get("active") or [] if not row["done"])]


def read_item(facts: Facts, row: TaskRow) -> OpenItem:
    """Return what an open item names."""
    files = frozenset(ref["path"] for ref in facts["refs"] if ref["line"] == row["line"])
    text = row["text"][:TEXT_CHARS]
    calls = frozenset(name.lower() for name in _find_functions(text))
    plain = _PATH.sub(" ", text)
    return OpenItem(row["line"], text, files, calls, frozenset(words(plain)))


def _find_functions(text: str) -> list[str]:
    code = [word for word in _CODE.findall(text) if re.fullmatch(r"[A-Za-z_$][\w$]*(?:\(\))?", word)]
    return [*_CALLED.findall(text), *(word.removesuffix("()") for word in code)]


def words(text: str) -> list[str]:
    """Return the telling words of a text in lower case, without the endings that only grammar needs."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _WEAK]


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word


def _find_commit(item: OpenItem, commits: list[Commit]) -> Commit | None:
    return next((commit for commit in commits if _is_done(item, commit)), None)


def _is_done(item: OpenItem, commit: Commit) -> bool:
    raw = {word.lower() for word in _WORD.findall(commit.subject)}
    subject_words = set(words(commit.subject)) | raw
    if is_other_work(commit.subject, item.text):
        return False
    hits = {word for word in item.words if word in subject_words}
    share = len(hits) / len(item.words) if item.words else 0.0
    touched = any(_is_same(file.path, name) for file in commit.files for name in item.files)
    if item.calls & raw:
        return share >= MOST and (touched or not item.files)
    if item.files:
        return touched and not item.calls and share >= MOST and len(hits) >= FEW
    return not item.calls and share >= NEARLY_ALL and len(hits) >= _UNNAMED


def is_other_work(subject: str, item: str) -> bool:
    """Whether a commit did something else about an item's subject, or not all of it ("test", "revert", "draft")."""
    said, asked = ({word.lower() for word in _WORD.findall(text)} for text in (subject, item))
    return bool((said & _OTHER) - asked) or not {*map(_stem, asked & _PART)} <= {*map(_stem, said)}


def _is_same(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name) or (name.endswith("/") and path.startswith(name))


def _build_conflict(row: TaskRow, commit: Commit, is_item: bool) -> Conflict:
    path = commit.files[0].path if commit.files else ""
    found = _build_cause_conflict(row, path, f"{commit.sha[:9]}: a commit since says so")
    found.update({"commit": commit.sha, "quoted": redact(commit.subject)})
    found["repair"] = {"kind": "tick", "lines": [row["line"]]} if is_item else None
    return found


def _build_cause_conflict(row: TaskRow, path: str, evidence: str) -> Conflict:
    return {
        "kind": "done", "line": row["line"], "also": [], "claim": row["text"][:200], "path": path,
        "evidence": evidence, "repair": None, "ask": f"Is line {row['line']} done?",
    }  # fmt: skip
