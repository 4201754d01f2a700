"""What an overlay's file says of its branch: its name, and its commit when the file was last written.

The branch is named in the header (`Branch: …`, seed 003); a comment notes tip, start and patch id, so that a merge is
known when the branch is gone, or was merged on another machine.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.memory.document.page import split_lines, strip_line_end

_LINES = 12
"""Lines at the top in which header and note are looked for."""
_NOTE = re.compile(
    r"^<!-- belay: overlay tip ([0-9a-f]{40,64}|-) start ([0-9a-f]{40,64}|-) patch ([0-9a-f]{40,64}|-) -->\s*$"
)
_NAMED = re.compile(r"\bbranch(?: memory| overlay)?\s*:[\s*]*`?([^\s`|]+)", re.I)


class OverlayNote(NamedTuple):
    """The branch's tip and start (commit ids) and the patch id of its work, each "" where it is not known."""

    tip: str = ""
    start: str = ""
    patch: str = ""


def read_branch(text: str) -> str:
    """Return the branch that an overlay's header names, "" where it names none."""
    for line in _first_lines(text):
        named = _NAMED.search(line)
        if named:
            return named.group(1).rstrip("*")
    return ""


def read_note(text: str) -> OverlayNote:
    """Return the note of an overlay; an empty one where there is none."""
    note_match = next((match for line in _first_lines(text) if (match := _NOTE.match(line))), None)
    return OverlayNote(*(value.replace("-", "") for value in note_match.groups())) if note_match else OverlayNote()


def put_note(text: str, note: OverlayNote) -> str:
    """Return an overlay with its note on top (below a byte order mark); every other line stays."""
    rows = split_lines(text)
    newline = rows[0][len(rows[0].rstrip("\r\n")) :] if rows else ""
    line = "<!-- belay: overlay tip {} start {} patch {} -->".format(*(value or "-" for value in note))
    rest = [row for number, row in enumerate(rows) if number >= _LINES or not _NOTE.match(strip_line_end(row))]
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + line + (newline or "\n") + "".join(rest).removeprefix("\ufeff")


def _first_lines(text: str) -> list[str]:
    """Return the first lines, up to the first section."""
    rows = [strip_line_end(row) for row in split_lines(text[:8192])[:_LINES]]
    end = next((at for at, row in enumerate(rows) if row.startswith("## ")), len(rows))
    return rows[:end]


def begin_overlay(name: str) -> str:
    """Return the beginning of a new overlay, whose title names the branch."""
    return f"# Branch Memory: `{name}`\n"
