"""Entries of the knowledge base as `belay notes` prints them: whose they are, and whether their files changed since."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.cli.knowledge import base as opening
from belay.cli.setup import waiting_notes
from belay.core.plain_text import count, shown
from belay.knowledge.notes import arrivals, entry_lines, outgoing, validity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.core.paths import Project
    from belay.knowledge.notes.entry_lines import Line, Lines
    from belay.knowledge.notes.validity import Validity

TEXT_CHARS = 300
FOREIGN = "written elsewhere; only the user is shown it: belay notes log in a terminal"
NOTHING = validity.Validity("", [], [])


class EntryLine(TypedDict):
    """An entry as git notes have it; changed and gone: of its files, those that are not as they were at `at`."""

    id: str
    type: str
    status: str
    text: str
    reason: str
    files: list[str]
    who: str
    own: bool
    waiting: bool
    updated: str
    branch: str
    at: str
    commit: str
    changed: list[str]
    gone: list[str]


def read(project: Project) -> Lines:
    """Return all lines of entries."""
    return entry_lines.read_lines(project, os.environ)


def describe(project: Project, lines: Sequence[Line], most: int) -> list[EntryLine]:
    """Return the newest line of each entry, the newest first, at most so many."""
    latest = entry_lines.sort(entry_lines.find_latest(lines).values())[:most]
    checked = validity.check_lines(project, latest)
    waiting = {str(one.row["id"]) for one in waiting_notes.find_entries(project)}
    return [_withhold(_make(line, checked.get(str(line.row["id"]), NOTHING), waiting)) for line in latest]


def _make(line: Line, checked: Validity, waiting: set[str]) -> EntryLine:
    row = line.row
    return {
        "id": str(row["id"]), "type": row.get("type", ""), "status": row.get("status", "active"),
        "text": row.get("content", ""), "reason": row.get("reasoning", ""), "files": row.get("files", []),
        "who": line.who, "own": line.own, "waiting": not line.own and str(row["id"]) in waiting,
        "updated": str(row.get("updated", "")), "branch": row.get("branch", ""), "at": checked.at or line.at,
        "commit": line.commit, "changed": checked.changed, "gone": checked.gone,
    }  # fmt: skip


def _withhold(row: EntryLine) -> EntryLine:
    """Return an entry without its text where Claude would read what nobody accepted (docs/trust.md)."""
    if row["own"] or not os.environ.get("CLAUDECODE"):
        return row
    nothing: EntryLine = {
        **row, "text": FOREIGN, "reason": "", "files": [], "who": "", "branch": "", "changed": [], "gone": [],
    }  # fmt: skip
    return nothing


def format_row(row: EntryLine) -> str:
    """Return an entry in two lines: what it is and whose, then what it says and what changed since."""
    whose = "" if row["own"] else " (written elsewhere)"
    whose += ", waits to be accepted" if row["waiting"] else ""
    by = f" by {shown(row['who'])}" if row["who"] else ""
    state = "" if row["status"] == "active" else f" [{row['status']}]"
    head = f"{row['id']} {row['updated'][:16].replace('T', ' ')} {row['type']}{state} at {row['commit'][:9]}{by}{whose}"
    return "\n".join([head, *(f"  {text}" for text in (shown(row["text"], TEXT_CHARS), since(row)) if text)])


def since(row: EntryLine) -> str:
    """Return which of an entry's files changed since it was written, "" for none."""
    return validity.Validity(row["at"], row["changed"], row["gone"]).line


def format_full(row: EntryLine) -> str:
    """Return all that a line says."""
    rows = {
        "reason": shown(row["reason"], 4000), "files": ", ".join(map(shown, row["files"])),
        "branch": shown(row["branch"]),
    }  # fmt: skip
    return "\n".join([format_row(row), *(f"  {name}: {text}" for name, text in rows.items() if text)])


def take_in(project: Project) -> list[str]:
    """Take in what came of this user's own; return what to tell of it, and of what waits."""
    lines = read(project).found
    told = []
    if any(line.own for line in lines):
        with opening.open_base(create=True) as base:
            taken = arrivals.take_own(base, lines)
        told += [f"Taken into the knowledge base: {count(taken, 'entry', 'entries')} of yours."] if taken else []
    return [*told, *waiting_notes.format_waiting(waiting_notes.list_waiting(project))]


def write_due(project: Project) -> list[str]:
    """Write entries that are new since the last session's end; return what there is to tell."""
    return outgoing.write_due(project, os.environ)
