"""The newest part of a history in memory: commits, who reaches whom, what each changed, its patch id.

A handful of processes for any number of branches. Messages are searched for one fixed sentence and never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from belay.repository.git.process import run, split_fields

COMMITS = 2000
"""Commits that are looked at, the newest of all branches in question."""
_MEMORY = (
    ".memory/",
    ".claude/memory/",
    "memory/20",
    "memory/working-buffer.md",
    "MEMORY",
    "CONTINUATION.md",
)
"""How paths of memory files begin: they are no part of a branch's work, they are folded (seed 003)."""
_REVERTS = re.compile(r"^This reverts commit ([0-9a-f]{40,64})\b", re.M)
_HEADER = re.compile(r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$", re.M)

Changes = dict[str, tuple[str, str]]
"""Path (as git quotes it) → (blob with mode before, after)."""


class Commit(NamedTuple):
    """One commit: id, parents, author's time, first line of the message, ids of the commits it says to revert."""

    sha: str
    parents: tuple[str, ...]
    time: str
    subject: str
    reverts: tuple[str, ...]


class History:
    """The newest commits of some tips, newest first; a tip that git does not have is not among them."""

    def __init__(self, root: str, tips: list[str]) -> None:
        options = ("-z", f"-n{COMMITS}", "--ignore-missing", "--format=%H%x1f%P%x1f%at%x1f%B")
        known = [tip for tip in tips if not tip.startswith("-")]  # a note may hold an option
        rows = split_fields(run(root, "log", *options, *known, "--")) if known else []
        self.root = root
        self.commits = {commit.sha: commit for commit in map(_parse_commit, rows) if commit.sha}
        self.order = {sha: number for number, sha in enumerate(self.commits)}

    def reach(self, tip: str) -> set[str]:
        """Return a commit and everything below it."""
        reached: set[str] = set()
        waiting = [tip]
        while waiting:
            sha = waiting.pop()
            if sha in self.commits and sha not in reached:
                reached.add(sha)
                waiting += self.commits[sha].parents
        return reached

    def chain(self, tip: str) -> list[str]:
        """Return a commit and its first parents, the newest first."""
        line = []
        while tip in self.commits:
            line.append(tip)
            tip = next(iter(self.commits[tip].parents), "")
        return line

    def above(self, below: str) -> set[str]:
        """Return a commit and everything that contains it."""
        children: dict[str, list[str]] = {}
        for sha, commit in self.commits.items():
            for parent in commit.parents:
                children.setdefault(parent, []).append(sha)
        above, waiting = {below}, [below]
        while waiting:
            fresh = [sha for sha in children.get(waiting.pop(), []) if sha not in above]
            above.update(fresh)
            waiting += fresh
        return above

    def newest(self, shas: Iterable[str]) -> str:
        """Return the newest of some commits, "" where none is known."""
        known = [sha for sha in shas if sha in self.order]
        return min(known, key=self.order.__getitem__) if known else ""

    def parent(self, sha: str) -> str:
        """Return the first parent, "" of a first commit."""
        return next(iter(self.commits[sha].parents), "")


def _parse_commit(row: str) -> Commit:
    parts = row.split("\x1f", 3)
    if len(parts) < 4:
        return Commit("", (), "", "", ())
    sha, parents, time, message = parts
    return Commit(sha, tuple(parents.split()), time, message.split("\n", 1)[0], tuple(_REVERTS.findall(message)))


def read_changes(root: str, pairs: list[tuple[str, str]]) -> list[Changes]:
    """Return what each (commit, commit before or "") changed, without memory files; starts one process."""
    return [_parse_entries(text) for text in _read_diffs(root, pairs, "--raw", "--no-abbrev")]


def _parse_entries(text: str) -> Changes:
    changes: Changes = {}
    for line in text.split("\n"):
        about, tab, path = line.partition("\t")
        parts = about.lstrip(":").split(" ")
        if tab and len(parts) == 5 and not path.lstrip('"').startswith(_MEMORY):
            changes[path] = (f"{parts[0]} {parts[2]}", f"{parts[1]} {parts[3]}")
    return changes


def read_patch_ids(root: str, pairs: list[tuple[str, str]], *, back: bool = False) -> list[str]:
    """Return the stable patch id of each (commit, commit before), `back`: of its reverse; "" of no change.

    Without context lines: what else changed around does not matter. Two processes.
    """
    options = ("-p", "-U0", "--full-index", *(("-R",) if back else ()))
    texts = _read_diffs(root, pairs, *options, "--", ".", *(f":(exclude){name}*" for name in _MEMORY))
    width = max((len(sha) for sha, _ in pairs), default=0)
    numbered = "".join(f"{number:0{width}x}\n{text}\n" for number, text in enumerate(texts, 1))
    answer = run(root, "patch-id", "--stable", data=numbered.encode("utf-8", "surrogateescape"))
    ids = {int(row[1], 16): row[0] for line in answer.splitlines() if len(row := line.split()) == 2}
    return [ids.get(number, "") for number in range(1, len(texts) + 1)]


def _read_diffs(root: str, pairs: list[tuple[str, str]], *options: str) -> list[str]:
    """Return what diff-tree prints for each pair; a line of a patch never is a bare commit id."""
    if not pairs:
        return []
    asked = "".join(f"{sha} {before}".strip() + "\n" for sha, before in pairs)
    fixed = ("--stdin", "-r", "--root", "--always", "--no-renames", "--no-ext-diff", "--no-textconv")
    answer = run(root, "diff-tree", *fixed, *options, data=asked.encode("ascii"))
    return _HEADER.split(answer)[1:]
