"""The same fact told twice, within a file or between files (docs/duplicates.md).

Pure, and quick enough for the start of a session. Three faces use it: lint, the tiers (what CLAUDE.md says already is
not injected again), and the check of what is about to be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from belay.core.text import duplicates, statements
from belay.memory.document.page import Page, Record

LEAST, LEAST_TELLING = 4, 3
"""Words, and telling words, of a fact; fewer say nothing that could be told twice."""
UNITS = 4000
"""Facts that are looked at in all."""
EXACT, NEAR = "exact", "near"

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"(])")
_FRONT = re.compile(r"^(?:\[[ xX]\]\s*)?(?:\W{0,4}\d{4}-\d\d-\d\d\W{0,5}\s*)?")
_WHEN = re.compile(r"\W*(?:\d{4}-\d\d-\d\d|session \d+)\W*|\W*", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Place(NamedTuple):
    """Where a fact stands: the file's name as given, its 1-based line, the number of its section (-1 above all)."""

    file: str
    line: int
    section: int


class Pair(NamedTuple):
    """A fact and where it stands again; `how` is "exact" or "near"; `text` is the words of the second place."""

    a: Place
    b: Place
    text: str
    how: str


class Fact(NamedTuple):
    """One statement: where it stands, its text, and its text without box and date, which is compared."""

    place: Place
    text: str
    bare: str


def pairs(texts: Mapping[str, Page]) -> list[Pair]:
    """Return every two places of some pages that tell the same fact, in the order of the pages; each is told once."""
    index: dict[object, list[Fact]] = {}
    same = []
    for fact in islice((fact for name, page in texts.items() for fact in facts_of(name, page)), UNITS):
        marks = duplicates.marks(fact.bare)
        others = sorted({other for mark in marks for other in index.get(mark, ())})
        first = next((other for other in others if duplicates.same(other.bare, fact.bare)), None)
        if first:
            exact = statements.wording(first.bare) == statements.wording(fact.bare)
            same.append(Pair(first.place, fact.place, fact.text, EXACT if exact else NEAR))
        for mark in marks:
            index.setdefault(mark, []).append(fact)
    return same


def facts_of(name: str, page: Page) -> Iterator[Fact]:
    """Yield the facts of a page: items, rows, and the sentences of its paragraphs."""
    for row in page.records:
        for line, text in statements_of(row):
            flat = " ".join(_COMMENT.sub(" ", text).split())
            bare = _FRONT.sub("", flat, count=1)
            if len(bare.split()) >= LEAST and len(statements.read(bare).keys) >= LEAST_TELLING:
                yield Fact(Place(name, row.start + 1 + line, row.section), flat, bare)


def statements_of(row: Record) -> Iterator[tuple[int, str]]:
    """Yield (line within the record, text) of what a record states."""
    if row.kind == "row":
        yield 0, ", ".join(cell for cell in row.cells if not _WHEN.fullmatch(cell))
    elif row.kind == "item":
        yield 0, row.text
    elif row.kind == "text":
        at = 0
        for part in _SENTENCE.split(row.text):
            at = max(row.text.find(part, at), 0)
            yield row.text.count("\n", 0, at), part
