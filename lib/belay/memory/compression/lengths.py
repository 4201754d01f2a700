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


def longest(page: Page) -> list[Length]:
    """Return the longest sections below the title, at most three, the longest first."""
    level = min((one.level for one in page.sections if one.level > 1), default=1)
    rows = [one for one in page.sections if one.level == level]
    rows.sort(key=lambda one: one.start - one.end)
    return [
        {"title": shown(one.title), "lines": one.end - one.start, "open": _open(page, one)}
        for one in rows[:MOST]
    ]


def _open(page: Page, section: Section) -> int:
    if section.name not in OPEN or page.section(section.name) != section:
        return 0
    return sum(not one.is_resolved for one in entries.of(page, section.name))


def told(rows: list[Length]) -> str:
    """Return what is long in one line; "" without sections."""
    parts = [f"{row['title']} {count(row['lines'], 'line')}{_yours(row)}" for row in rows]
    return f"nothing can be folded or taken out; longest: {', '.join(parts)}" if parts else ""


def _yours(row: Length) -> str:
    return f" ({count(row['open'], 'open item')}, yours to close)" if row["open"] else ""
