"""tasks/todo.md, tasks/lessons.md and the daily log at a wrap-up. Text in, text out.

Each function gives the same text again for the same entry, and keeps every line that is there byte for byte.
"""

from __future__ import annotations

from belay.memory.document.page import split_lines, strip_line_end
from belay.memory.document.template_sections import LABELS, LEFT_KEYS
from belay.memory.remember.sentences import strip_date
from belay.memory.wrapup import dated_block, sections
from belay.memory.wrapup.sections import Entry
from belay.session.work import todo

_BOXES = ("[ ]", "[x]", "[X]")


def update_todos(text: str, completed: list[str], active: list[str]) -> str:
    """Return the list with completed ones ticked where exactly one open line matches, new ones behind."""
    for done in completed:
        text = todo.tick(text, done)
    fresh = sections.find_new_texts(active, [*list_boxes(text), *completed])
    return append_lines(text, [f"- [ ] {item}" for item in fresh], "# Todo")


def list_boxes(text: str) -> list[str]:
    """Return the texts of all boxes, ticked or not."""
    items = (strip_line_end(row).strip().lstrip("-*+").strip() for row in split_lines(text))
    return [item[3:].strip() for item in items if item.startswith(_BOXES)]


def list_texts(text: str) -> list[str]:
    """Return the texts of all lines as if they were items."""
    return [strip_date(strip_line_end(row).strip().lstrip("-*+")) for row in split_lines(text)]


def add_lessons(text: str, entry: Entry) -> str:
    """Return the lessons with the new ones behind them."""
    fresh = sections.find_new_texts(entry.document["lessons"], list_texts(text))
    return append_lines(text, [f"- {entry.date}: {lesson}" for lesson in fresh], "# Lessons")


def add_daily_block(text: str, entry: Entry) -> str:
    """Return the day's log with one block for this document."""
    mark = f"<!-- {entry.session} {entry.digest[:8]} -->"
    if any(strip_line_end(row).startswith("## Wrap-up") and mark in row for row in split_lines(text)):
        return text
    head = f"## Wrap-up {entry.time}, session {entry.session}, branch {entry.branch} {mark}"
    return append_lines(
        text,
        ["", head, *format_day_lines(entry)] if text else [head, *format_day_lines(entry)],
        f"# {entry.date}",
    )


def format_day_lines(entry: Entry) -> list[str]:
    """Return what a document says, as lines of a daily log."""
    document = entry.document
    rows = [("Summary", document["summary"])]
    rows += [(LABELS[key], document[key]) for key in LEFT_KEYS]
    rows += dated_block.list_labelled(document)
    rows += [("Lesson", text) for text in document["lessons"]]
    rows += [("Offered for global memory", text) for text in document["global"]]
    return [f"- {label}: {text}" for label, text in rows if text]


def append_lines(text: str, lines: list[str], title: str) -> str:
    """Return text with lines at its end; an empty one begins with a title."""
    if not lines:
        return text
    rows = split_lines(text)
    end = next((row[len(row.rstrip("\r\n")) :] for row in rows[-2:] if row[-1] in "\r\n"), "\n")
    gap = end if rows and rows[-1][-1] not in "\r\n" else ""
    return text + gap + "".join(line + end for line in (lines if rows else [title, "", *lines]))
