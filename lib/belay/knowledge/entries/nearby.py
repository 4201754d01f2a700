"""What states the same fact as a new entry, looked up in memory: for many entries at once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from belay.core.text import duplicates
from belay.knowledge.entries import entries, insights

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from belay.knowledge.entries.entries import Entry


class Nearby:
    """The entries of a base that hold by the marks of their content; `put` keeps it up with what is written."""

    __slots__ = ("connection", "found", "said")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.said: dict[str, str] = {}
        self.found: defaultdict[tuple[str, object], list[str]] = defaultdict(list)
        for entry in entries.list_entries(connection, limit=-1):
            self.put(entry)

    def put(self, entry: Entry | None) -> None:
        """Take an entry in as it stands now."""
        if entry is None or entry.id.startswith(insights.HEAD):  # a file's own rule goes when its line goes
            return
        before, self.said[entry.id] = self.said.get(entry.id), entry.content
        for mark in duplicates.marks(entry.content) if before != entry.content else ():
            self.found[entry.type, mark].append(entry.id)

    def find(self, entry: Entry) -> Entry | None:
        """Return an entry of the same type that holds and states the same fact, None for none."""
        standing = (entries.load_entry(self.connection, name) for name in self.like(entry))
        fits = (one for one in standing if one and one.status in entries.CURRENT and one.type == entry.type)
        return next(fits, None)

    def like(self, entry: Entry) -> Iterator[str]:
        """Yield the ids of entries that stated the same fact when they were taken in."""
        marks = duplicates.marks(entry.content)
        for name in dict.fromkeys(name for mark in marks for name in self.found.get((entry.type, mark), ())):
            if duplicates.same(self.said[name], entry.content):
                yield name
