"""The same fact told twice, within a file or between files: what differs in a number or a path is another one.

Pure, and quick enough for the start of a session. Three faces use it: lint, the tiers (what CLAUDE.md says already is
not injected again), and the check of what is about to be written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from belay.memory.document.page import Page, Record

ALIKE = 0.7
"""Share of the telling words of both that two facts have in common, at least (Jaccard)."""
LEAST = 4
"""Telling words of a fact; fewer say nothing that could be told twice."""
LEAST_NEAR = 5
UNITS = 4000
"""Facts that are looked at in all."""
EXACT, NEAR = "exact", "near"

_WORD = re.compile(r"[^\W_][\w./:#@+-]*[\w/+]|[^\W_]|[.~][\w-]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"(])")
_FRONT = re.compile(r"^(?:\[[ xX]\]\s*)?(?:\W{0,4}\d{4}-\d\d-\d\d\W{0,5}\s*)?")
_WHEN = re.compile(r"\W*(?:\d{4}-\d\d-\d\d|session \d+)\W*|\W*", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NO = frozenset(
    "not no never none without cannot don't doesn't isn't aren't won't can't instead except until".split()
)
_COMMON = frozenset(
    "the a an and or of to in on at by for from with as is are was were be been it its this that these those we our "
    "you your i they their has have had will would can could should must may do does did into than then so if when "
    "which who what there here also all any each only just very see use used using via per over under up out".split()
)


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
    """One statement: its words in order, those that tell something, and what has to agree to the letter."""

    place: Place
    text: str
    words: tuple[str, ...]
    telling: tuple[str, ...]
    fixed: frozenset[str]


def pairs(texts: Mapping[str, Page]) -> list[Pair]:
    """Return every two places of some pages that tell the same fact, in the order of the pages; each is told once."""
    found = [fact for name, page in texts.items() for fact in facts_of(name, page)][:UNITS]
    rank = _ranks(found)
    index: dict[str, list[int]] = {}
    same = []
    for number, fact in enumerate(found):
        keys = _keys(fact, rank)
        others = sorted({other for key in keys for other in index.get(key, ())})
        first = next(((found[at], how) for at in others if (how := alike(found[at], fact))), None)
        if first:
            same.append(Pair(first[0].place, fact.place, fact.text, first[1]))
        for key in keys:
            index.setdefault(key, []).append(number)
    return same


def _ranks(found: list[Fact]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for fact in found:
        for word in set(fact.telling):
            counts[word] = counts.get(word, 0) + 1
    return counts


def _keys(fact: Fact, rank: dict[str, int]) -> list[str]:
    """Return the rarest words of a fact: one alike shares at least one of them."""
    words = sorted(set(fact.telling), key=lambda word: (rank[word], word))
    return words[: len(words) - math.ceil(ALIKE * len(words)) + 1]


def alike(one: Fact, other: Fact) -> str:
    """Return "exact", "near", or "" for two facts that differ."""
    if one.words == other.words:
        return EXACT
    if one.fixed != other.fixed:
        return ""
    mine, theirs = set(one.telling), set(other.telling)
    both = mine & theirs
    if mine - theirs and theirs - mine:
        return ""  # one word put for another makes another fact
    if min(len(mine), len(theirs)) < LEAST_NEAR or len(both) < ALIKE * len(mine | theirs):
        return ""
    return NEAR if _order(one, both) == _order(other, both) else ""


def _order(fact: Fact, both: set[str]) -> list[str]:
    """Return shared words in their order: "A over B" is not "B over A"."""
    return list(dict.fromkeys(word for word in fact.telling if word in both))


def facts_of(name: str, page: Page) -> Iterator[Fact]:
    """Yield the facts of a page: items, rows, and the sentences of its paragraphs."""
    for row in page.records:
        for line, text in _statements(row):
            fact = fact_of(Place(name, row.start + 1 + line, row.section), text)
            if len(set(fact.telling)) + len(fact.fixed - _NO) >= LEAST and len(fact.words) >= LEAST:
                yield fact


def _statements(row: Record) -> Iterator[tuple[int, str]]:
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


def fact_of(place: Place, text: str) -> Fact:
    """Return a statement as a fact."""
    text = " ".join(_COMMENT.sub(" ", text).split())
    bare = _FRONT.sub("", text, count=1)
    words = tuple(
        word.strip(".:").casefold() for word in _WORD.findall(bare.replace("’", "'").replace("*", " "))
    )
    telling = tuple(word for word in words if len(word) > 2 and word not in _COMMON and word not in _NO)
    fixed = frozenset(word for word in words if _is_fixed(word))
    return Fact(
        place, text, words, telling, fixed | _NO.intersection(bare.casefold().replace("’", "'").split())
    )


def _is_fixed(word: str) -> bool:
    """Whether a word must agree to the letter: a number, a path, a name of code."""
    return any(sign in word for sign in "/_.:@#") or any(sign.isdigit() for sign in word)
