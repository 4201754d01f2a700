"""tasks/todo.md: finds open boxes, and ticks the one line that a finished task matches."""

from __future__ import annotations

from belay.core.plain_text import words
from belay.core.text.statements import wording

_OPEN = ("- [ ] ", "* [ ] ", "+ [ ] ")


def find_open_boxes(text: str) -> list[str]:
    """Return the texts of the open boxes."""
    rows = (line.strip() for line in text.splitlines())
    return [row[6:].strip() for row in rows if row.startswith(_OPEN)]


def tick(text: str, done: str) -> str:
    """Return the text with the box of `done` ticked if exactly one open line matches it, else the text as it is."""
    rows = text.split("\n")
    wanted = wording(done) if words(done) else ""
    found = [i for i, row in enumerate(rows) if wanted and _is_open(row) and wording(row.strip()[6:]) == wanted]
    if len(found) != 1:
        return text
    rows[found[0]] = rows[found[0]].replace("[ ]", "[x]", 1)
    return "\n".join(rows)


def _is_open(row: str) -> bool:
    return row.strip().startswith(_OPEN)
