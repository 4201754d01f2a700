"""Entries as commands print them: one line each for people, one object each in --json."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from belay.core import clock
from belay.core.plain_text import printable, shown
from belay.knowledge.entries import entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from belay.knowledge.entries.entries import Entry

PIPED_CHARS = 300
"""Characters of a line that goes into a file or to a program."""
NARROWEST = 60
BRANCH_CHARS = 24
_UNITS = ((365 * clock.DAY, "y"), (30 * clock.DAY, "mo"), (7 * clock.DAY, "w"), (clock.DAY, "d"), (3600.0, "h"),
          (60.0, "m"))  # fmt: skip


def data(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON tells it: its fields, without its row number."""
    fields = entry._asdict()
    del fields["num"]
    return {**fields, "tags": list(entry.tags), "files": list(entry.files)}


def age(stamp: str) -> str:
    """Return how long ago a journal time was, in two or three letters; "" where it is none."""
    then = clock.seconds(stamp)
    passed = max(clock.seconds(clock.now()) - then, 0.0)
    return (
        next((f"{passed // unit:.0f}{name}" for unit, name in _UNITS if passed >= unit), "now")
        if then
        else ""
    )


def width() -> int:
    """Return the characters that a line may have: the terminal's, where the output goes to one."""
    if not sys.stdout.isatty():
        return PIPED_CHARS
    return max(_columns(), NARROWEST)


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    try:
        return int(given) if given.isdecimal() else os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return PIPED_CHARS


def lines(
    found: Sequence[Entry], *, typed: bool = True, branch: str | None = None, indent: int = 0
) -> list[str]:
    """Return one line an entry: id, type, age, its branch where that is another, its words, cut to the width."""
    types = [entry.type if typed else "" for entry in found]
    cells = (
        (printable(entry.id), kind, age(entry.updated), _text(entry, branch))
        for entry, kind in zip(found, types, strict=True)
    )
    return aligned(cells, indent)


def aligned(found: Iterable[tuple[str, ...]], indent: int = 0) -> list[str]:
    """Return rows of cells as lines: columns below each other, cut to the width less an indent, empty ones left out."""
    table = list(found)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)] if table else []
    kept = [at for at, wide in enumerate(widths) if wide]
    most = width() - indent
    return [cut("  ".join(row[at].ljust(widths[at]) for at in kept).rstrip(), most) for row in table]


def cut(line: str, most: int) -> str:
    """Return a line that takes at most so many columns of a terminal; East Asian characters take two (UAX #11)."""
    if len(line) * 2 <= most or (line.isascii() and len(line) <= most):
        return line
    from unicodedata import east_asian_width

    taken = 0
    for at, char in enumerate(line):
        taken += 2 if east_asian_width(char) in "WF" else 1
        if taken > most:
            return line[: max(at - 1, 0)].rstrip() + "…"
    return line


def _text(entry: Entry, branch: str | None) -> str:
    marks = [entry.priority] if entry.priority else []
    if entry.status == entries.SUPERSEDED:
        marks.append(f"replaced by {entry.superseded_by}")
    elif entry.status != entries.ACTIVE:
        marks.append(entry.status)
    if branch and entry.branch and entry.branch != branch:
        marks.append(f"on {shown(entry.branch, BRANCH_CHARS)}")
    told = f"[{', '.join(marks)}] " if marks else ""
    return told + printable(entry.line)


def here() -> str | None:
    """Return the branch of the current folder's project, None for none."""
    from belay.repository import projects

    project = projects.find(os.getcwd(), os.environ)
    return projects.branch_and_commit(project)[0] if project and project.git_dir else None
