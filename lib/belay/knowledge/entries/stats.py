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


def count_all(store: Store) -> Stats:
    """Count the knowledge base."""
    types = _count_types(store)
    never, tokens = _select_row(
        store,
        f"SELECT coalesce(sum(recalled = 0), 0), coalesce(sum(tokens), 0) FROM entries WHERE {entries.IS_CURRENT}",
    )
    documents, left_out, indexed = _select_row(
        store,
        "SELECT coalesce(sum(left_out = ''), 0), coalesce(sum(left_out != ''), 0), coalesce(max(indexed), '') "
        "FROM memory_files",
    )
    sections, vectors = _select_row(
        store, "SELECT (SELECT count(*) FROM sections), (SELECT count(*) FROM memory_vectors)"
    )
    return Stats(
        types=types, active=sum(counts.get(name, 0) for counts in types.values() for name in entries.CURRENT),
        never=never, oldest_never=_select_entries(store, "recalled = 0 ORDER BY created, num"),
        useful=_select_entries(store, "used + helpful > 0 ORDER BY used + helpful - harmful DESC, recalled, num"),
        unused=_select_entries(store, "recalled > 0 AND used + helpful = 0 ORDER BY recalled DESC, num"),
        costly=_select_entries(store, "tokens > 0 ORDER BY tokens DESC, num"),
        tokens=tokens, documents=documents, left_out=left_out, sections=sections, indexed=indexed, vectors=vectors,
        space=_measure_space(store, sections),
    )  # fmt: skip


def _select_row(store: Store, sql: str) -> tuple[Any, ...]:
    return tuple(store.connection.execute(sql).fetchone())


def _count_types(store: Store) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    sql = "SELECT type, status, count(*) FROM entries GROUP BY type, status ORDER BY type, status"
    for kind, status, number in store.connection.execute(sql):
        counts.setdefault(str(kind), {})[str(status)] = int(number)
    return counts


def _select_entries(store: Store, where: str) -> list[Entry]:
    sql = f"SELECT num FROM entries WHERE {entries.IS_CURRENT} AND {where} LIMIT {SHOWN}"
    return entries.load_by_numbers(store.connection, [int(row[0]) for row in store.connection.execute(sql)])


def _measure_space(store: Store, sections: int) -> Space:
    size = sum(_read_size(store.opened + end) for end in ("", "-wal"))
    number = _select_row(store, "SELECT count(*) FROM entries")[0] + sections
    return Space(size, size // number if number else 0, _read_size(store.ledger))


def _read_size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def list_standards(store: Store, limit: int = -1) -> list[RuleRow]:
    """Return the active standards, the most held first: id, rule, what_happened, held, broken."""
    sql = (
        "SELECT e.id, s.rule, s.what_happened, s.held, s.broken FROM standards AS s "
        f"JOIN entries AS e ON e.id = s.entry_id WHERE e.{entries.IS_CURRENT} ORDER BY s.held DESC, e.num LIMIT ?"
    )
    return [
        {"id": name, "rule": rule, "what_happened": happened, "held": held, "broken": broken}
        for name, rule, happened, held, broken in store.connection.execute(sql, (limit,))
    ]
