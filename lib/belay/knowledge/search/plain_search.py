"""Where the words of a query occur, without FTS5: LIKE on each. Slower, and blind to most other forms of a word."""

from __future__ import annotations

from belay.core import terms
from belay.knowledge.search.postings import UNKNOWN, Postings, Spot, idf

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from belay.knowledge.search.filters import Scope
    from belay.knowledge.search.query import Group, Query
    from belay.knowledge.store.store import Store

NOTE = "this SQLite has no full-text search (FTS5): words are compared letter by letter, which is slower"
_SQL = (
    "SELECT rowid FROM memory_fts WHERE text LIKE :word ESCAPE '\\' OR title LIKE :word ESCAPE '\\' "
    "OR parts LIKE :word ESCAPE '\\'"
)


def find_spots(store: Store, query: Query, total: int, _: Scope) -> Postings:
    """Return where the groups of a query occur among `total` texts, once for each text."""
    spots: dict[int, list[Spot]] = {}
    weights = []
    for at, group in enumerate(query.groups):
        nums = _find_numbers(store.connection, group)
        weights.append(group.weight * idf(len(nums), total))
        for num in nums:
            spots.setdefault(num, []).append((at, UNKNOWN, "text"))
    return Postings(query.groups, weights, spots)


def _find_numbers(connection: sqlite3.Connection, group: Group) -> set[int]:
    return {row[0] for word in group.words for row in connection.execute(_SQL, {"word": _make_pattern(word)})}


def _make_pattern(word: str) -> str:
    stem = terms.stem(word)
    return "%" + "".join("\\" + char if char in "%_\\" else char for char in stem) + "%"
