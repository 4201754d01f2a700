"""Which sections make a memory long, for when nothing of it can be folded or taken out."""

from __future__ import annotations

from typing import TypedDict

from belay.core.plain_text import count, shown
from belay.memory.compression.plan import RESOLVING
from belay.memory.document import entries
from belay.memory.document.page import Page, Section

MOST = 3
OPEN = ("active", *RESOLVING)
"""Sections whose open items are the user's to close."""


class Length(TypedDict):
    """A section: its title, its lines with the heading, its open items."""

    title: str
    lines: int
    open: int


def find_longest_sections(page: Page) -> list[Length]:
    """Return the longest sections below the title, at most three, the longest first."""
    level = min((one.level for one in page.sections if one.level > 1), default=1)
    rows = [one for one in page.sections if one.level == level]
    rows.sort(key=lambda one: one.start - one.end)
    return [
        {"title": shown(one.title), "lines": one.end - one.start, "open": _count_open_items(page, one)}
        for one in rows[:MOST]
    ]


def _count_open_items(page: Page, section: Section) -> int:
    if section.name not in OPEN or page.section(section.name) != section:
        return 0
    return sum(not one.is_resolved for one in entries.find_entries(page, section.name))


def format_lengths(rows: list[Length]) -> str:
    """Return what is long in one line; "" without sections."""
    parts = [f"{row['title']} {count(row['lines'], 'line')}{_format_open_items(row)}" for row in rows]
    return f"nothing can be folded or taken out; longest: {', '.join(parts)}" if parts else ""


def _format_open_items(row: Length) -> str:
    return f" ({count(row['open'], 'open item')}, yours to close)" if row["open"] else ""
