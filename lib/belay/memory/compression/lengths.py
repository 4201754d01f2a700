"""Find the longest sections of a memory, for when nothing in it can be folded or removed."""

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
    level = min((section.level for section in page.sections if section.level > 1), default=1)
    rows = [section for section in page.sections if section.level == level]
    rows.sort(key=lambda section: section.start - section.end)
    return [
        {
            "title": shown(section.title),
            "lines": section.end - section.start,
            "open": _count_open_items(page, section),
        }
        for section in rows[:MOST]
    ]


def _count_open_items(page: Page, section: Section) -> int:
    if section.name not in OPEN or page.section(section.name) != section:
        return 0
    return sum(not entry.is_resolved for entry in entries.find_entries(page, section.name))


def format_lengths(rows: list[Length]) -> str:
    """Return what is long in one line; "" without sections."""
    parts = [f"{row['title']} {count(row['lines'], 'line')}{_format_open_items(row)}" for row in rows]
    return f"nothing can be folded or taken out; longest: {', '.join(parts)}" if parts else ""


def _format_open_items(row: Length) -> str:
    return f" ({count(row['open'], 'open item')}, yours to close)" if row["open"] else ""
