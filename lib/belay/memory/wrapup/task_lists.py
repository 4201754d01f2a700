"""tasks/todo.md, tasks/lessons.md and the daily log at a wrap-up. Text in, text out.

Each function gives the same text again for the same entry, and keeps every line that is there byte for byte.
"""

from __future__ import annotations

from belay.memory.document.page import plain, split
from belay.memory.document.template_sections import LABELS
from belay.memory.remember.sentences import undated
from belay.memory.wrapup import dated_block, sections
from belay.memory.wrapup.sections import Entry
from belay.session import todo

_BOXES = ("[ ]", "[x]", "[X]")


def todos(text: str, completed: list[str], active: list[str]) -> str:
    """Return the list with completed ones ticked where exactly one open line matches, new ones behind."""
    for done in completed:
        text = todo.tick(text, done)
    fresh = sections.fresh(active, [*boxes(text), *completed])
    return behind(text, [f"- [ ] {item}" for item in fresh], "# Todo")


def boxes(text: str) -> list[str]:
    """Return the texts of all boxes, ticked or not."""
    items = (plain(row).strip().lstrip("-*+").strip() for row in split(text))
    return [item[3:].strip() for item in items if item.startswith(_BOXES)]


def texts(text: str) -> list[str]:
    """Return the texts of all lines as if they were items."""
    return [undated(plain(row).strip().lstrip("-*+")) for row in split(text)]


def lessons(text: str, entry: Entry) -> str:
    """Return the lessons with the new ones behind them."""
    fresh = sections.fresh(entry.document["lessons"], texts(text))
    return behind(text, [f"- {entry.date}: {lesson}" for lesson in fresh], "# Lessons")


def daily(text: str, entry: Entry) -> str:
    """Return the day's log with one block for this document."""
    mark = f"<!-- {entry.session} {entry.digest[:8]} -->"
    if any(plain(row).startswith("## Wrap-up") and mark in row for row in split(text)):
        return text
    head = f"## Wrap-up {entry.time}, session {entry.session}, branch {entry.branch} {mark}"
    return behind(
        text, ["", head, *day_lines(entry)] if text else [head, *day_lines(entry)], f"# {entry.date}"
    )


def day_lines(entry: Entry) -> list[str]:
    """Return what a document says, as lines of a daily log."""
    document = entry.document
    found = [("Summary", document["summary"])]
    found += [(label, document[key]) for key, label in LABELS.items()]
    found += dated_block.labelled(document)
    found += [("Lesson", text) for text in document["lessons"]]
    found += [("Offered for global memory", text) for text in document["global"]]
    return [f"- {label}: {text}" for label, text in found if text]


def behind(text: str, lines: list[str], title: str) -> str:
    """Return text with lines at its end; an empty one begins with a title."""
    if not lines:
        return text
    rows = split(text)
    end = next((row[len(row.rstrip("\r\n")) :] for row in rows[-2:] if row[-1] in "\r\n"), "\n")
    gap = end if rows and rows[-1][-1] not in "\r\n" else ""
    return text + gap + "".join(line + end for line in (lines if rows else [title, "", *lines]))
