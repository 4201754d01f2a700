"""What a person, or Claude on their word, wrote into the working buffer outside Belay's own blocks (seed 004).

The seed's buffer says "current task, blockers, decisions" below headings of any wording; a line without one counts too.
"""

from __future__ import annotations

from belay.core import files
from belay.core.constants import FILE_BYTES
from belay.core.plain_text import cut, one_line
from belay.session.working_buffer import BEGIN, END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

LINES = 12
LINE_CHARS = 200
_EMPTY = ("", "none", "n/a", "nothing", "tbd", "todo", "-", "—", "...", "…")
_DONE = ("[x]", "[X]", "~~")
_TITLES = ("working buffer", "working-buffer", "active state", "memory")
"""Headings that only name the file."""


def list_hand_notes(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the notes as lines "Heading: text", in the order of the file; [] where the file is not this user's."""
    text = files.read(project.buffer, FILE_BYTES).decode("utf-8", "replace")
    notes = parse_notes(text)
    if not notes:
        return []
    from belay.repository import vetting

    known, _ = vetting.read_trusted(project, environ, [project.relative(project.buffer)])
    return notes if known else []


def parse_notes(text: str) -> list[str]:
    """Return the notes of a buffer's text."""
    notes: list[str] = []
    heading, inside, fenced = "", "", False
    rows = text.split("\n")
    for row, below in zip(rows, [*rows[1:], ""], strict=True):
        line = row.strip()
        inside = "block" if line.startswith(BEGIN) else "" if inside and line in (END, "-->") else inside
        if inside or line in (END, "-->"):
            continue
        if line.startswith("<!--"):
            inside = "" if line.endswith("-->") else "comment"
        elif line.startswith(("```", "~~~")):
            fenced = not fenced
        elif line.startswith("#") and not fenced:
            heading = _read_heading(line)
        elif not fenced and not _is_hint(line, below) and (note := _read_note(line)):
            notes.append(cut(one_line(f"{heading}: {note}" if heading else note), LINE_CHARS))
    return list(dict.fromkeys(notes))[:LINES]


def _read_heading(line: str) -> str:
    title = line.strip("#* ").rstrip(":")
    return "" if any(title.casefold().startswith(name) for name in _TITLES) else title


def _is_hint(line: str, below: str) -> bool:
    """Whether a line is all in italics, as forms explain themselves, or the head of a table."""
    italic = line[:1] in ("_", "*") and line[:2] not in ("**", "__", "* ") and line[-1:] == line[:1]
    return italic or (line.startswith("|") and below.strip().startswith(("|-", "|:", "| -", "| :")))


def _read_note(line: str) -> str:
    """Return what a line says without its mark, "" for a done item, a placeholder or a table's rule."""
    text = line.lstrip("-*+> ").strip()
    head, dot, rest = text.partition(" ")
    text = rest.strip() if dot and head.rstrip(".)").isdigit() and head[-1] in ".)" else text
    if text.startswith(_DONE) or not any(char.isalnum() for char in text):
        return ""
    text = text.removeprefix("[ ]").replace("**", "").replace("__", "").strip()
    value = text.partition(":")[2] if text.endswith(":") or ": " in text else text
    is_hole = text.startswith("[") and text.endswith("]")
    return "" if is_hole or value.strip(" .*_").casefold() in _EMPTY else text.strip("| ").replace(" | ", "; ")
