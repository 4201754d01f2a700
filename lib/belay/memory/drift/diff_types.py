"""The types of a session diff, as `belay diff --json` prints it. Lines are 1-based."""

from __future__ import annotations

from typing import Literal, TypedDict

# "from" is a keyword, so these two cannot be classes.
_PathKeys = TypedDict("_PathKeys", {"kind": Literal["path"], "lines": list[int], "from": str, "to": str})
_CounterKeys = TypedDict("_CounterKeys", {"kind": Literal["counter"], "lines": list[int], "from": int, "to": int})


class _TickKeys(TypedDict):
    kind: Literal["tick"]
    lines: list[int]


class PathRepair(_PathKeys, total=False):
    """A renamed path to be corrected on some lines; `file` where that is not MEMORY.md."""

    file: str


class CounterRepair(_CounterKeys, total=False):
    """A session number in the header to be brought up to that of the Session Log."""

    file: str


class Tick(_TickKeys, total=False):
    """The box of a finished item to be ticked."""

    file: str


Repair = PathRepair | CounterRepair | Tick
"""A safe correction of a memory file."""


class CommitRow(TypedDict):
    """A commit since the memory was written: "mine" by the user's address, "here" committed on this machine."""

    sha: str
    author: str
    mine: bool
    here: bool
    time: str
    subject: str


class ChangedFile(TypedDict):
    """A file that changed; `status` is A, D, M or R (`old` is then its name before)."""

    path: str
    status: str
    old: str
    commits: int


class DependencyChange(TypedDict):
    """What changed in a manifest: package → version, of `changed` [version before, version now]."""

    manifest: str
    added: dict[str, str]
    removed: dict[str, str]
    changed: dict[str, list[str]]


class _NamedPathKeys(TypedDict):
    line: int
    path: str


class NamedPath(_NamedPathKeys, total=False):
    """A line of the memory that names a changed file; `file` where it is not a line of MEMORY.md."""

    file: str


class _ConflictKeys(TypedDict):
    kind: str
    line: int
    also: list[int]
    claim: str
    path: str
    evidence: str
    repair: Repair | None
    ask: str


class Conflict(_ConflictKeys, total=False):
    """What the memory claims at a line (and `also` at others) and the project contradicts, and what to ask.

    `commit` and `quoted` (its subject) are there for finished work, `file` where the memory has several layers.
    """

    commit: str
    quoted: str
    file: str


class Diff(TypedDict):
    """What happened since a memory was written ("" for no date), and where memory and project disagree."""

    since: str
    base: str
    days: int
    commits: list[CommitRow]
    authors: dict[str, int]
    files: list[ChangedFile]
    dependencies: list[DependencyChange]
    verify: list[NamedPath]
    conflicts: list[Conflict]
    truncated: bool
