"""What says the same as a new entry, looked up in memory: for many entries at once.

What says the same has the same numbers, names and negations. Of those texts, two whose stems agree by a share of
JACCARD have one of the rarest of either in common (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006), so only
the entries of those few stems are compared.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from belay.knowledge.entries import entries, insights, similarity

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from belay.knowledge.entries.entries import Entry

    Key = tuple[int, str]


class Nearby:
    """The active entries of a base by the stems of their content; `put` keeps it up with what is written."""

    __slots__ = ("connection", "found", "said")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.said: dict[str, similarity.Said] = {}
        self.found: defaultdict[Key, list[str]] = defaultdict(list)
        for entry in entries.list_entries(connection, limit=-1):
            self.put(entry)

    def put(self, entry: Entry | None) -> None:
        """Take an entry in as it stands now."""
        if entry is None or entry.id.startswith(insights.HEAD):  # a file's own rule goes when its line goes
            return
        before, now = self.said.get(entry.id), similarity.said(entry.content)
        self.said[entry.id] = now
        for key in _keys(entry.type, now) if before != now else ():
            self.found[key].append(entry.id)

    def find(self, entry: Entry) -> Entry | None:
        """Return an active entry of the same type that says the same, None for none."""
        standing = (entries.load_entry(self.connection, name) for name in self.like(entry))
        fits = (one for one in standing if one and one.status == entries.ACTIVE and one.type == entry.type)
        return next(fits, None)

    def like(self, entry: Entry) -> Iterator[str]:
        """Yield the ids of entries that said the same when they were taken in."""
        said = similarity.said(entry.content)
        for name in dict.fromkeys(name for key in self._rarest(entry.type, said) for name in self.found[key]):
            if _fits(self.said[name], said) and similarity.agree(self.said[name], said):
                yield name

    def _rarest(self, kind: str, said: similarity.Said) -> list[Key]:
        count = len(said.stems) - math.ceil(similarity.JACCARD * len(said.stems)) + 1
        return sorted(_keys(kind, said), key=lambda key: len(self.found.get(key, ())))[:count]


def _keys(kind: str, said: similarity.Said) -> list[Key]:
    """Return what a text is kept under: what must be equal, with each of its stems."""
    equal = hash((kind, said.numbers, said.names, said.turns))
    return [(equal, stem) for stem in said.stems]


def _fits(one: similarity.Said, other: similarity.Said) -> bool:
    """Whether two texts are near enough in length to say the same."""
    fewer, more = sorted((len(one.stems), len(other.stems)))
    return fewer >= similarity.JACCARD * more
