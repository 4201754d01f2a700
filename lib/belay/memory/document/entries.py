"""The list items of a memory's sections as whole entries: an item with everything that is nested in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.memory.document.facts import is_hint, is_resolved
from belay.memory.document.page import Page, Record, Section, plain

_BOX = re.compile(r"^\[([ xX])\]\s*")
_OPEN_BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[ \]", re.MULTILINE)
_STRUCK = re.compile(r"~~.*?~~")
_OVER = re.compile(r"\b(?:fixed|done|resolved|complete|completed|closed|unblocked)\b", re.IGNORECASE)
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
    def is_whole(self) -> bool:
        """Whether nothing in the entry is still open."""
        return not _OPEN_BOX.search(self.raw)

    @property
    def is_resolved(self) -> bool:
        """Whether the entry says that it is over: ticked, struck through as a whole, or dated as fixed or done."""
        rest = _STRUCK.sub("", self.text)
        partly = rest != self.text and bool(_WORD.search(rest)) and not _OVER.search(rest)
        return self.is_whole and (self.ticked or (is_resolved(self.text) and not partly))


def of(page: Page, name: str) -> list[Entry]:
    """Return the top entries of the first section of a canonical name, its sub-sections left out.

    A section inside one that is permanent or somebody's own has none: all of that stays as it is.
    """
    section = page.section(name)
    if section is None or not is_free(page, section):
        return []
    number = page.sections.index(section)
    rows = [row for row in page.records if row.section == number and row.kind != "heading"]
    found = []
    at = 0
    while at < len(rows):
        size = _size(page, rows, at) if rows[at].kind == "item" else 1
        if rows[at].kind == "item" and not is_hint(rows[at].text):
            found.append(_entry(page, rows[at], rows[at + size - 1].end))
        at += size
    return found


def is_free(page: Page, section: Section) -> bool:
    """Whether no section around this one is permanent or somebody's own."""
    around = [one for one in page.sections if one.start < section.start and one.end >= section.end]
    return all(_may_hold(one, section) for one in around)


def _may_hold(outer: Section, section: Section) -> bool:
    """Whether a section may change inside another: in the document's title, and seed 004's gaps in its overview."""
    return (outer.level == 1 and not outer.name) or (outer.name == "overview" and section.name == "gaps")


def _size(page: Page, rows: list[Record], at: int) -> int:
    """Return how many records an item has: itself and what is indented deeper, blank lines between."""
    own, size = indent(page, rows[at]), 1
    for count, row in enumerate(rows[at + 1 :], 2):
        if row.kind == "blank":
            continue
        if indent(page, row) <= own:
            break
        size = count
    return size


def indent(page: Page, row: Record) -> int:
    """Return the columns before a record's text."""
    line = plain(page.lines[row.start]).expandtabs(TAB)
    return len(line) - len(line.lstrip())


def _entry(page: Page, row: Record, end: int) -> Entry:
    text = " ".join(row.text.split())
    box = _BOX.match(text)
    raw = "\n".join(plain(line) for line in page.lines[row.start : end])
    return Entry(row.start, end, _BOX.sub("", text), raw, bool(box and box.group(1) in "xX"))
