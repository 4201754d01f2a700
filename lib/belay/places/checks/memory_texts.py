"""The texts of a project's memory files, parsed, and what each of them states."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.document import page, repeated_lines
from belay.places import hierarchy as tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.memory.document.page import Page, Record
    from belay.places.hierarchy import Hierarchy, MemoryPlace

MEMORY = "MEMORY.md"
_GENERATED = re.compile(r"<(claude-mem-context|system-reminder)>.*?(?:</\1>|\Z)", re.DOTALL)
"""Blocks that other tools write into CLAUDE.md files by themselves."""
_SPACED = ("item", "row", "text", "quote")


class MemoryText(NamedTuple):
    """A memory file and its page; `is_memory` for MEMORY.md, which has rules of its own."""

    place: MemoryPlace
    page: Page
    is_memory: bool = False

    def find_title(self, record: Record) -> str:
        """Return the title of the section that a record is in, "" before the first."""
        return self.page.sections[record.section].title if record.section >= 0 else ""

    def read_line(self, line: int) -> str:
        """Return a line, counted from 1."""
        return page.strip_line_end(self.page.lines[line - 1]) if 0 < line <= len(self.page.lines) else ""


class Statement(NamedTuple):
    """What a memory states: where it stands, its words, the title of its section."""

    source: MemoryText
    line: int
    text: str
    title: str
    kind: str


def load(hierarchy: Hierarchy) -> list[MemoryText]:
    """Return the memory files in the order of reading, MEMORY.md behind the root's."""
    found = [MemoryText(place, _parse(hierarchy.root, place.path)) for place in hierarchy.places]
    if os.path.isfile(os.path.join(hierarchy.root, MEMORY)) and not os.path.islink(
        os.path.join(hierarchy.root, MEMORY)
    ):
        place = tree.MemoryPlace(MEMORY, tree.ROOT, "")
        found.append(MemoryText(place, _parse(hierarchy.root, MEMORY), True))
    return found


def _parse(root: str, path: str) -> Page:
    text = tree.read_text(root, path)
    return page.parse(_GENERATED.sub(lambda block: "\n" * block.group().count("\n"), text))


def list_statements(source: MemoryText) -> Iterator[Statement]:
    """Yield the items, rows and sentences of a memory; code and comments state nothing."""
    for record in source.page.records:
        if record.kind in _SPACED:
            for line, text in repeated_lines.statements_of(record):
                yield Statement(source, record.start + 1 + line, text, source.find_title(record), record.kind)


def is_above(one: MemoryPlace, other: MemoryPlace) -> bool:
    """Whether a memory holds where another one does: the root's for all, a folder's for those in it."""
    if one.path == other.path or (other.level == tree.ROOT and one.level != tree.ROOT):
        return False
    return tree.is_within(other.folder, one.folder)
