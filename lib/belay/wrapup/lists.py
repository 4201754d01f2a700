"""tasks/todo.md, tasks/lessons.md, the daily log and GLOBAL-MEMORY.md at a wrap-up. Text in, text out.

Each function gives the same text again for the same entry, and keeps every line that is there byte for byte.
"""

from __future__ import annotations

from belay import buffer, todo
from belay.wrapup import memory
from belay.wrapup import rows as md
from belay.wrapup.form import Document
from belay.wrapup.memory import Entry

_BOXES = ("[ ]", "[x]", "[X]")


def todos(text: str, completed: list[str], active: list[str]) -> str:
    """Return the list with completed ones ticked where exactly one open line matches, new ones behind."""
    for done in completed:
        text = todo.tick(text, done)
    fresh = memory.fresh(active, [*boxes(text), *completed])
    return behind(text, [f"- [ ] {buffer.one_line(item, 4000)}" for item in fresh], "# Todo")


def boxes(text: str) -> list[str]:
    """Return the texts of all boxes, ticked or not."""
    items = (md.plain(row).strip().lstrip("-*+").strip() for row in md.split(text))
    return [item[3:].strip() for item in items if item.startswith(_BOXES)]


def lessons(text: str, entry: Entry) -> str:
    """Return the lessons with the new ones behind them."""
    items = [memory.item(row) for row in md.split(text)]
    fresh = memory.fresh(entry.document["lessons"], [*items, *(item.partition(": ")[2] for item in items)])
    return behind(text, [f"- {entry.date}: {buffer.one_line(lesson, 4000)}" for lesson in fresh], "# Lessons")


def daily(text: str, entry: Entry) -> str:
    """Return the day's log with one block for this document."""
    mark = f"<!-- {entry.session} {entry.digest[:8]} -->"
    if any(md.plain(row).startswith("## Wrap-up") and mark in row for row in md.split(text)):
        return text
    head = f"## Wrap-up {entry.time}, session {entry.session}, branch {entry.branch} {mark}"
    return behind(
        text, ["", head, *day_lines(entry)] if text else [head, *day_lines(entry)], f"# {entry.date}"
    )


def day_lines(entry: Entry) -> list[str]:
    """Return what a document says, as lines of a daily log."""
    document = entry.document
    found = [("Summary", document["summary"])]
    found += [(label, document[key]) for label, key in memory.LABELS.items()]
    found += memory.labelled(document)
    found += [("Lesson", text) for text in document["lessons"]]
    found += [("Offered for global memory", text) for text in document["global"]]
    return [f"- {label}: {buffer.one_line(text, 4000)}" for label, text in found if text]


def globals_(text: str, document: Document) -> str:
    """Return the cross-project memory with the document's preferences and global entries."""
    offered = [*document["preferences"], *document["global"]]
    fresh = memory.fresh(offered, [memory.item(row) for row in md.split(text)])
    return behind(text, [f"- {buffer.one_line(item, 4000)}" for item in fresh], "# Global memory")


def behind(text: str, lines: list[str], title: str) -> str:
    """Return text with lines at its end; an empty one begins with a title."""
    if not lines:
        return text
    rows = md.split(text)
    lines = lines if rows else [title, "", *lines]
    return "".join(md.insert(rows, len(rows), lines))
