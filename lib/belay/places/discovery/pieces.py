"""Statements of memory files as pieces with their place, reason and tokens, and the choice of those that fit."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.core import terms
from belay.core.plain_text import shown
from belay.core.text import tokens
from belay.memory.document import page
from belay.places.relevance.subject_words import stems_of_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from belay.memory.document.page import Page

TOKENS = 1500
"""What is found by default: as much as docs/tiers.md gives to what is loaded on demand at a time."""
RELEVANT = 1.5
"""What a statement gains for each telling word that it shares with the task."""
_STATING = ("item", "row", "text", "quote", "code")


class Piece(NamedTuple):
    """A statement: its file, first line, level, heading, why it matters, its words and tokens, and how much it does."""

    path: str
    line: int
    level: str
    heading: str
    why: str
    text: str
    tokens: int
    score: float


def cut(path: str, found: Page, level: str, why: str, base: float, words: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the statements of a memory; one that has words of the task says so and counts for more."""
    for record in found.records:
        if record.kind not in _STATING:
            continue
        lines = found.lines[record.start : record.end]
        text = "\n".join(page.strip_line_end(line) for line in lines).strip()
        heading = found.sections[record.section].title if record.section >= 0 else ""
        if text.rstrip("*_").endswith(":") and record.kind != "row":
            continue  # it only leads to what is below it
        shared = [words[stem] for stem in stems_of_name(f"{text} {heading}") & words.keys()]
        reason = f"{why}; speaks of “{shown(min(shared))}”" if shared else why
        score = base + RELEVANT * len(shared) - record.start / 10_000 - (record.kind == "code")
        yield Piece(path, record.start + 1, level, heading, reason, text, tokens.estimate(text) + 1, score)


def choose(pieces: Iterable[Piece], budget: int, weights: Mapping[str, float]) -> list[Piece]:
    """Return the pieces that fit, in their order: each file first gets its share, then the best of what is left.

    A piece is taken whole or not at all. `weights` are the shares of files, 1 for any other.
    """
    rows = list(pieces)
    by_file: dict[str, list[Piece]] = defaultdict(list)
    for piece in rows:
        by_file[piece.path].append(piece)
    whole, spent = sum(weights.get(path, 1.0) for path in by_file), 0
    taken: set[tuple[str, int]] = set()
    for path, own in by_file.items():
        used, share = 0, budget * weights.get(path, 1.0) / whole
        for piece in sorted(own, key=lambda piece: -piece.score):
            if used + piece.tokens <= share:
                used += piece.tokens
                taken.add((piece.path, piece.line))
        spent += used
    for piece in sorted(rows, key=lambda piece: -piece.score):
        if (piece.path, piece.line) not in taken and spent + piece.tokens <= budget:
            spent += piece.tokens
            taken.add((piece.path, piece.line))
    return [piece for piece in rows if (piece.path, piece.line) in taken]


def words_of(text: str) -> dict[str, str]:
    """Return stem → word of what a path or a task is about."""
    found = {terms.stem(word): word for name in terms.words(text) for word in terms.parts(name) if len(word) > 2}
    return {stem: word for stem, word in found.items() if stem in stems_of_name(word)}
