"""Entries as commands print them: one line each for people, one object each in --json."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.cli import terminal
from belay.core import clock
from belay.core.plain_text import printable, shown
from belay.knowledge.entries import entries, states

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.knowledge.entries.entries import Entry

BRANCH_CHARS = 24
_UNITS = ((365 * clock.DAY, "y"), (30 * clock.DAY, "mo"), (7 * clock.DAY, "w"), (clock.DAY, "d"), (3600.0, "h"),
          (60.0, "m"))  # fmt: skip


def make_row(entry: Entry) -> dict[str, object]:
    """Return an entry for --json: its fields, without its row number."""
    fields = entry._asdict()
    del fields["num"]
    return {**fields, "tags": list(entry.tags), "files": list(entry.files)}


def format_age(stamp: str) -> str:
    """Return how long ago a journal time was, in two or three letters; "" where it is none."""
    then = clock.seconds(stamp)
    passed = max(clock.seconds(clock.now()) - then, 0.0)
    return next((f"{passed // unit:.0f}{name}" for unit, name in _UNITS if passed >= unit), "now") if then else ""


def make_table(
    found: Sequence[Entry], *, typed: bool = True, branch: str | None = None, indent: int = 0
) -> terminal.Table:
    """Return one row an entry: id, type, age, and its words with its branch where that is another."""
    cells = [
        (printable(entry.id), entry.type if typed else "", format_age(entry.updated), _text(entry, branch))
        for entry in found
    ]
    return terminal.Table(cells, indent=indent)


def _text(entry: Entry, branch: str | None) -> str:
    marks = [entry.priority] if entry.priority else []
    if entry.status == entries.SUPERSEDED:
        marks.append(f"replaced by {entry.superseded_by}")
    elif entry.sure or entry.status != entries.ACTIVE:
        marks.append(entry.sure or entry.status)
    if branch and entry.branch and entry.branch != branch:
        marks.append(f"on {shown(entry.branch, BRANCH_CHARS)}")
    told = f"[{', '.join(marks)}] " if marks else ""
    return told + format_words(entry)


def format_words(entry: Entry) -> str:
    """Return what an entry says as one line, its reason set apart behind it."""
    return states.join_reason(printable(entry.content), printable(entry.reasoning))


def current_branch() -> str | None:
    """Return the branch of the current folder's project, None for none."""
    from belay.cli import working_folder
    from belay.repository import projects

    project = projects.find(working_folder.find(os.environ), os.environ)
    return projects.branch_and_commit(project)[0] if project and project.git_dir else None
