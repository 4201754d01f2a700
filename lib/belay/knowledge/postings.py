"""Where the terms of a query stand, read from the text index: few rows, however common the words are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge import query, scope, similar, texts

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from belay.knowledge.query import Group

BUDGET = 2000
"""Spots of the rarer terms that are read one by one; of a commoner term only whether a candidate has it."""
NEWEST = 400
"""Candidates that a common term alone brings: the newest, and those that bear it in their title."""
UNKNOWN = -1

Spot = tuple[int, int, str]
"""Group of the query, place in its column (UNKNOWN), column."""


class Found(NamedTuple):
    """`weights`: what each group of the query is worth (idf); `spots` by number of the text; `texts` in the base."""

    groups: list[Group]
    weights: list[float]
    spots: dict[int, list[Spot]]


def ready(connection: sqlite3.Connection) -> None:
    """Let the index's own vocabulary be read; it stands in the connection's temporary schema."""
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_rows USING fts5vocab (main, memory_fts, row)"
    )
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_spots USING fts5vocab (main, memory_fts, instance)"
    )


def found(connection: sqlite3.Connection, asked: query.Query, total: int, within: scope.Scope) -> Found:
    """Return where the groups of a query stand among `total` texts; where words are common, only in a scope."""
    ready(connection)
    groups, counts = _known(connection, asked)
    weights = [group.weight * idf(count, total) for group, count in zip(groups, counts, strict=True)]
    spots: dict[int, list[Spot]] = {}
    lead = _lead(counts)
    few = sum(counts[at] for at in lead) <= BUDGET
    if any(within) and not few:
        lead = [at for at, count in enumerate(counts) if count]
    any_lead = "(" + " OR ".join(groups[at].match for at in lead) + ")"
    for at in range(len(groups)):
        if at in lead and few:
            for num, column, place in _spots(connection, groups[at]):
                spots.setdefault(num, []).append((at, place, column))
        elif counts[at]:
            match = groups[at].match if at in lead else f"{any_lead} AND {groups[at].match}"
            for num in _rows(connection, match, few, within):
                spots.setdefault(num, []).append((at, UNKNOWN, "text"))
    return Found(groups, weights, spots)


def idf(count: int, total: int) -> float:
    """Return how much a term tells that stands in `count` of `total` texts: BM25's, kept above 0 as in Lucene."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5)) if count else 0.0


def _known(connection: sqlite3.Connection, asked: query.Query) -> tuple[list[Group], list[int]]:
    """Return the groups and in how many texts each stands; a word that stands nowhere is read as what is like it."""
    groups = list(asked.groups)
    counts = [_count(connection, group) for group in groups]
    for at, count in enumerate(counts):
        if not count and (like := similar.group(connection, groups[at])):
            groups[at], counts[at] = like, _count(connection, like)
    return groups, counts


def _count(connection: sqlite3.Connection, group: Group) -> int:
    marks = ", ".join("?" * len(group.terms))
    row = connection.execute(
        f"SELECT sum(doc) FROM term_rows WHERE term IN ({marks})", group.terms
    ).fetchone()
    return int(row[0] or 0)


def _lead(counts: list[int]) -> list[int]:
    """Return the groups that bring candidates: the rarest, as many as the budget holds, at least one."""
    order = sorted((at for at, count in enumerate(counts) if count), key=counts.__getitem__)
    taken, spent = order[:1], counts[order[0]] if order else 0
    for at in order[1:]:
        spent += counts[at]
        if spent > BUDGET:
            break
        taken.append(at)
    return taken


def _spots(connection: sqlite3.Connection, group: Group) -> Iterator[tuple[int, str, int]]:
    for term in group.terms:
        yield from connection.execute("SELECT doc, col, offset FROM term_spots WHERE term = ?", (term,))


def _rows(connection: sqlite3.Connection, match: str, few: bool, within: scope.Scope) -> set[int]:
    """Return numbers of texts that match: of entries and of sections the newest, and those that say it in a title."""
    most = BUDGET if few else NEWEST
    where, values = scope.where(within) if any(within) else ("", [])
    beside = f"CROSS JOIN memory_texts AS t ON t.num = memory_fts.rowid {scope.BESIDE}" if where else ""
    sql = (
        f"SELECT memory_fts.rowid FROM memory_fts {beside} WHERE memory_fts MATCH ? AND memory_fts.rowid {{}} ? {where} "
        "ORDER BY memory_fts.rowid DESC LIMIT ?"
    )
    asked = [("<", match, texts.SECTIONS), (">=", match, texts.SECTIONS)]
    if not few:
        asked.append((">=", f"{{title parts}} : {match}", 0))
    return {
        row[0]
        for sign, words, first in asked
        for row in connection.execute(sql.format(sign), (words, first, *values, most))
    }
