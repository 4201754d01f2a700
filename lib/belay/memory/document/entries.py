"""The list items of a memory's sections as entries: an item with everything that is nested in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.memory.document.facts import is_placeholder, is_resolved
from belay.memory.document.page import Page, Record, Section, strip_line_end

_BOX = re.compile(r"^\[([ xX])\]\s*")
_OPEN_BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[ \]", re.MULTILINE)
_STRUCK = re.compile(r"~~.*?~~")
_FINISHED = re.compile(r"\b(?:fixed|done|resolved|complete|completed|closed|unblocked)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")
TAB = 4


class Entry(NamedTuple):
    """lines[start:end] of one entry; `text` its first line of text without box, `raw` its lines joined by \\n."""

    start: int
    end: int
    text: str
    raw: str
    ticked: bool

    @property
    def is_complete(self) -> bool:
        """Whether nothing in the entry is still open."""
        return not _OPEN_BOX.search(self.raw)

    @property
    def is_resolved(self) -> bool:
        """Whether the entry says that it is over: ticked, struck through completely, or dated as fixed or done."""
        rest = _STRUCK.sub("", self.text)
        partly = rest != self.text and bool(_WORD.search(rest)) and not _FINISHED.search(rest)
        return self.is_complete and (self.ticked or (is_resolved(self.text) and not partly))


def find_entries(page: Page, name: str) -> list[Entry]:
    """Return the top entries of the first section of a canonical name, its sub-sections left out.

    A section inside a permanent section, or inside one that no template knows, has none: it stays as it is.
    """
    section = page.section(name)
    if section is None or not is_editable(page, section):
        return []
    number = page.sections.index(section)
    rows = [row for row in page.records if row.section == number and row.kind != "heading"]
    entries = []
    at = 0
    while at < len(rows):
        size = _count_records(page, rows, at) if rows[at].kind == "item" else 1
        if rows[at].kind == "item" and not is_placeholder(rows[at].text):
            entries.append(_build_entry(page, rows[at], rows[at + size - 1].end))
        at += size
    return entries


def is_editable(page: Page, section: Section) -> bool:
    """Whether no section around this one is permanent or unknown to the templates."""
    around = [outer for outer in page.sections if outer.start < section.start and outer.end >= section.end]
    return all(_may_change_inside(outer, section) for outer in around)


def _may_change_inside(outer: Section, section: Section) -> bool:
    """Whether a section may change inside another: in the document's title, and seed 004's gaps in its overview."""
    return (outer.level == 1 and not outer.name) or (outer.name == "overview" and section.name == "gaps")


def _count_records(page: Page, rows: list[Record], at: int) -> int:
    """Return how many records an item has: itself and what is indented deeper, blank lines between."""
    own, size = indent_width(page, rows[at]), 1
    for count, row in enumerate(rows[at + 1 :], 2):
        if row.kind == "blank":
            continue
        if indent_width(page, row) <= own:
            break
        size = count
    return size


def indent_width(page: Page, row: Record) -> int:
    """Return the columns before a record's text."""
    line = strip_line_end(page.lines[row.start]).expandtabs(TAB)
    return len(line) - len(line.lstrip())


def _build_entry(page: Page, row: Record, end: int) -> Entry:
    text = " ".join(row.text.split())
    box = _BOX.match(text)
    raw = "\n".join(strip_line_end(line) for line in page.lines[row.start : end])
    return Entry(row.start, end, _BOX.sub("", text), raw, bool(box and box.group(1) in "xX"))
