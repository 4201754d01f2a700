"""A pattern as it is found: a sentence, how many of how many places keep it, and where."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST = 4
"""Places that keep a convention before it is one."""
MAJORITY = 2 / 3
"""Share of the places from which on a habit is a convention."""
SHOWN = 5
"""Places that a pattern names."""


class Place(NamedTuple):
    """A line (1-based) of a file."""

    path: str
    line: int


class Candidate(NamedTuple):
    """A pattern: `statement` is one sentence that is true of `number` of `total` places ("files with routes")."""

    id: str
    kind: str
    statement: str
    number: int
    total: int
    of: str
    places: list[Place]

    @property
    def reason(self) -> str:
        """Return "11 of 12 files with routes", or "all 12 files with routes"."""
        return (
            f"all {self.total} {self.of}" if self.number == self.total else f"{self.number} of {self.total} {self.of}"
        )

    @property
    def sentence(self) -> str:
        """Return the statement with its numbers, without which it would say too much."""
        return f"{self.statement.removesuffix('.')} ({self.reason})."


def find_candidate(kind: str, statement: str, places: Iterable[Place], total: int, of: str) -> Candidate | None:
    """Return the candidate where a clear majority of enough places keeps it, else None; each file counts once."""
    rows = sorted({place.path: place for place in sorted(places, reverse=True)}.values())
    return make_candidate(kind, statement, rows, len(rows), total, of)


def make_candidate(
    kind: str, statement: str, places: list[Place], number: int, total: int, of: str
) -> Candidate | None:
    """Return the candidate of a number that was counted otherwise than by files."""
    if number < LEAST or number < total * MAJORITY or not places:
        return None
    return Candidate(_make_id(kind, statement), kind, statement, number, total, of, places[:SHOWN])


def _make_id(kind: str, statement: str) -> str:
    """Return P- and six letters that stay the same while the sentence does."""
    digest = hashlib.blake2b(f"{kind}\n{statement}".encode("utf-8", "replace"), digest_size=5).digest()
    return "P-" + base64.b32encode(digest).decode()[:6]
