"""What the knowledge base holds, counted: entries and their use, documents, standards, space."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.knowledge.entries import entries

if TYPE_CHECKING:
    from typing import TypedDict

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

    class RuleRow(TypedDict):
        """A rule with how often it was followed and broken."""

        id: str
        rule: str
        what_happened: str
        held: int
        broken: int


SHOWN = 5
"""Entries that each list of the statistics names."""


class Space(NamedTuple):
    """Bytes: the database with its log, those of them per entry and section, the ledger."""

    database: int
    each: int
    ledger: int


class Stats(NamedTuple):
    """All of it; `types` is type → status → number, the lists are the first few of their order.

    `useful` was used after a recall, `unused` never, `costly` took the most tokens; `left_out` counts files.
    """

    types: dict[str, dict[str, int]]
    active: int
    never: int
    oldest_never: list[Entry]
    useful: list[Entry]
    unused: list[Entry]
    costly: list[Entry]
    tokens: int
    documents: int
    left_out: int
    sections: int
    indexed: str
    vectors: int
    space: Space


def of(store: Store) -> Stats:
    """Count the knowledge base."""
    types = _types(store)
    never, tokens = _row(
        store,
        "SELECT coalesce(sum(recalled = 0), 0), coalesce(sum(tokens), 0) FROM entries WHERE status = 'active'",
    )
    documents, left_out, indexed = _row(
        store,
        "SELECT coalesce(sum(left_out = ''), 0), coalesce(sum(left_out != ''), 0), coalesce(max(indexed), '') "
        "FROM memory_files",
    )
    sections, vectors = _row(
        store, "SELECT (SELECT count(*) FROM sections), (SELECT count(*) FROM memory_vectors)"
    )
    return Stats(
        types=types, active=sum(states.get(entries.ACTIVE, 0) for states in types.values()), never=never,
        oldest_never=_some(store, "recalled = 0 ORDER BY created, num"),
        useful=_some(store, "used + helpful > 0 ORDER BY used + helpful - harmful DESC, recalled, num"),
        unused=_some(store, "recalled > 0 AND used + helpful = 0 ORDER BY recalled DESC, num"),
        costly=_some(store, "tokens > 0 ORDER BY tokens DESC, num"),
        tokens=tokens, documents=documents, left_out=left_out, sections=sections, indexed=indexed, vectors=vectors,
        space=_space(store, sections),
    )  # fmt: skip


def _row(store: Store, sql: str) -> tuple[Any, ...]:
    return tuple(store.connection.execute(sql).fetchone())


def _types(store: Store) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    sql = "SELECT type, status, count(*) FROM entries GROUP BY type, status ORDER BY type, status"
    for kind, status, number in store.connection.execute(sql):
        found.setdefault(str(kind), {})[str(status)] = int(number)
    return found


def _some(store: Store, where: str) -> list[Entry]:
    sql = f"SELECT num FROM entries WHERE status = 'active' AND {where} LIMIT {SHOWN}"
    return entries.by_num(store.connection, [int(row[0]) for row in store.connection.execute(sql)])


def _space(store: Store, sections: int) -> Space:
    size = sum(_size(store.path + end) for end in ("", "-wal"))
    number = _row(store, "SELECT count(*) FROM entries")[0] + sections
    return Space(size, size // number if number else 0, _size(store.ledger))


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def standards(store: Store, limit: int = -1) -> list[RuleRow]:
    """Return the active standards, the most held first: id, rule, what_happened, held, broken."""
    sql = (
        "SELECT e.id, s.rule, s.what_happened, s.held, s.broken FROM standards AS s "
        "JOIN entries AS e ON e.id = s.entry_id WHERE e.status = 'active' ORDER BY s.held DESC, e.num LIMIT ?"
    )
    return [
        {"id": name, "rule": rule, "what_happened": happened, "held": held, "broken": broken}
        for name, rule, happened, held, broken in store.connection.execute(sql, (limit,))
    ]
