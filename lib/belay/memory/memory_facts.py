"""The facts of a memory file: the types of what `document.facts` reads, as JSON holds it.

A start of a session reads them from JSON, so the keys are a file format. Lines are 1-based, 0 for none.
"""

from __future__ import annotations

from typing import TypedDict


class Header(TypedDict, total=False):
    """The line `Last updated: … | Session N | Branch: …` and `Memory health: N/10` (seed 003).

    `reviewed` is the day of the last save by a person where Belay alone has changed the memory since, else "".
    """

    line: int
    updated: str
    session: int
    branch: str
    health: int
    reviewed: str


class SectionRow(TypedDict):
    """A heading: `name` is its canonical name or "", `end` its last line, `filled` whether something is below it."""

    title: str
    name: str
    line: int
    end: int
    level: int
    filled: bool


class LeftOff(TypedDict, total=False):
    """The four fields of "Where We Left Off"; "" for one that is not filled in."""

    task: str
    status: str
    next: str
    question: str


class LeftOffLines(TypedDict, total=False):
    """The lines of the fields that are there."""

    task: int
    status: int
    next: int
    question: int


class TextRow(TypedDict):
    """An entry of Architecture Notes, User Preferences or External Context."""

    line: int
    text: str


class CompletedRow(TypedDict):
    """An item of Completed; `date` is YYYY-MM-DD or ""."""

    line: int
    date: str
    text: str


class TaskRow(TypedDict):
    """An item of Active Work."""

    line: int
    text: str
    done: bool


class ProblemRow(TypedDict):
    """An item of Blockers or Known Issues."""

    line: int
    text: str
    resolved: bool


class DecisionRow(TypedDict):
    """A row or item of Key Decisions."""

    line: int
    date: str
    decision: str
    reason: str
    affects: str


class FileRow(TypedDict):
    """A row or item of Key Files; `session` is the one that last changed the file."""

    line: int
    path: str
    purpose: str
    session: int


class LogRow(TypedDict):
    """A row of the Session Log."""

    line: int
    session: int
    date: str
    summary: str


class WorkstreamRow(TypedDict):
    """A workstream of seed 004's form."""

    line: int
    title: str
    status: str
    reference: str
    metric: str
    next: str
    done: bool
    paused: bool


class ReferenceRow(TypedDict):
    """A row of Quick Reference."""

    line: int
    what: str
    where: str


class PathRow(TypedDict):
    """A path that a line names, and the line number behind it (`src/app.py:12`)."""

    line: int
    path: str
    at: int


class Facts(TypedDict, total=False):
    """Everything that a memory file says; {} where there is no memory that may be read.

    The last three keys exist only in the facts that a start compiles: lines that a text says which the client loads
    anyway, why a layer is never rewritten, and the text of indexed lines.
    """

    form: str
    lines: int
    header: Header
    sections: list[SectionRow]
    unverified: int
    overview: str
    overview_line: int
    left: LeftOff
    left_lines: LeftOffLines
    completed: list[CompletedRow]
    active: list[TaskRow]
    blockers: list[ProblemRow]
    decisions: list[DecisionRow]
    files: list[FileRow]
    architecture: list[TextRow]
    issues: list[ProblemRow]
    log: list[LogRow]
    preferences: list[TextRow]
    external: list[TextRow]
    workstreams: list[WorkstreamRow]
    references: list[ReferenceRow]
    refs: list[PathRow]
    told: list[int]
    unclear: list[str]
    raw: dict[str, str]
