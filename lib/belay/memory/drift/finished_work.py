"""Find active work that was committed since: files or functions and most of the words must agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
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


def find_conflicts(look: Comparison) -> list[Conflict]:
    """Return a conflict for each open item of the active work that a commit since speaks of as done."""
    undone = {commit.subject[8:-1] for commit in look.commits if commit.subject.startswith('Revert "')}
    commits = [commit for commit in look.commits if commit.subject not in undone and len(commit.parents) < 2]
    rows = [row for row in look.facts.get("active") or [] if not row["done"]]
    pairs = [(row, _find_commit(read_item(look.facts, row), commits)) for row in rows[:TEXTS]]
    return [_build_conflict(row, commit) for row, commit in pairs if commit]


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
    if (raw & _OTHER) - {word.lower() for word in _WORD.findall(item.text)}:
        return False
    hits = {word for word in item.words if word in subject_words}
    share = len(hits) / len(item.words) if item.words else 0.0
    touched = any(_is_same(file.path, name) for file in commit.files for name in item.files)
    if item.calls & raw:
        return share >= MOST and (touched or not item.files)
    if item.files:
        return touched and not item.calls and share >= MOST and len(hits) >= FEW
    return not item.calls and share >= NEARLY_ALL and len(hits) >= _UNNAMED


def _is_same(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name) or (name.endswith("/") and path.startswith(name))


def _build_conflict(row: TaskRow, commit: Commit) -> Conflict:
    path = commit.files[0].path if commit.files else ""
    return {
        "kind": "done", "line": row["line"], "also": [], "claim": row["text"][:200], "path": path,
        "evidence": f"{commit.sha[:9]}: a commit since says so", "commit": commit.sha, "quoted": commit.subject,
        "repair": {"kind": "tick", "lines": [row["line"]]}, "ask": f"Is line {row['line']} done?",
    }  # fmt: skip
