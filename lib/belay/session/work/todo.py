"""The lists of what is to be done: tasks/todo.md, Active Work of MEMORY.md, Claude's own tasks. One rule for all.

An item that is done in one list is done in every list that has exactly one open item of the same wording.
"""

from __future__ import annotations

from belay.core.plain_text import words
from belay.core.text.statements import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from belay.client.tool_results import TodoItem

_OPEN = ("- [ ] ", "* [ ] ", "+ [ ] ")
_TICKED = tuple(mark.replace("[ ]", box) for mark in _OPEN for box in ("[x]", "[X]"))


def find_open_boxes(text: str) -> list[str]:
    """Return the texts of the open boxes."""
    return _find_boxes(text, _OPEN)


def find_newly_ticked(old: str, new: str) -> list[str]:
    """Return the texts of the boxes that an edit ticks: open in the text that it replaces, ticked in the new one."""
    ticked = _find_boxes(new, _TICKED)
    still = {wording(text) for text in find_open_boxes(new)}
    before = {wording(text) for text in find_open_boxes(old)} - still
    return [text for text in ticked if wording(text) in before]


def _find_boxes(text: str, marks: tuple[str, ...]) -> list[str]:
    rows = (line.strip() for line in text.splitlines())
    return [row[6:].strip() for row in rows if row.startswith(marks)]


def find_match(items: Sequence[str], done: str) -> int:
    """Return the place of the one open item that says what is done; -1 where none or several do."""
    wanted = wording(done) if words(done) else ""
    found = [at for at, item in enumerate(items) if wanted and wording(item) == wanted]
    return found[0] if len(found) == 1 else -1


def tick(text: str, done: str) -> str:
    """Return the text with the box of `done` ticked if exactly one open line matches it, else the text as it is."""
    rows = text.split("\n")
    places = [at for at, row in enumerate(rows) if row.strip().startswith(_OPEN)]
    found = find_match([rows[at].strip()[6:] for at in places], done)
    if found >= 0:
        rows[places[found]] = rows[places[found]].replace("[ ]", "[x]", 1)
    return "\n".join(rows)


def complete(items: list[TodoItem], done: Iterable[str]) -> list[TodoItem]:
    """Return Claude's tasks with those completed that are done in another list."""
    result = list(items)
    for text in done:
        places = [at for at, item in enumerate(result) if item["status"] != "completed"]
        found = find_match([result[at]["text"] for at in places], text)
        if found >= 0:
            result[places[found]] = {**result[places[found]], "status": "completed"}
    return result
