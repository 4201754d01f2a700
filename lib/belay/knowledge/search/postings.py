"""Where the terms of a query occur, read from the text index: few rows, however common the words are."""

from __future__ import annotations

import math
from itertools import accumulate

from belay.core.tuples import NamedTuple
from belay.knowledge.search import filters, query, ranking
from belay.knowledge.store.tables import text_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from belay.knowledge.search.query import Group
    from belay.knowledge.store.store import Store

BUDGET = 1500
"""Texts with the rarer terms, whose spots are read one by one; of a commoner term only whether a candidate has it."""
TELLING = 0.25
"""Share of the rarest term's weight below which a commoner one is not even asked for."""
NEWEST = 400
"""Candidates that a common term alone brings: the newest, and those that bear it in their title."""
UNKNOWN = -1

_COUNTS: dict[tuple[str, tuple[str, ...]], tuple[int, int]] = {}
_COUNTS_KEPT = 10_000

Spot = tuple[int, int, str]
"""Group of the query, place in its column (UNKNOWN), column."""


class Postings(NamedTuple):
    """`weights`: what each group of the query is worth (idf); `spots` by number of the text; `texts` in the base."""

    groups: list[Group]
    weights: list[float]
    spots: dict[int, list[Spot]]


def find_spots(store: Store, asked: query.Query, total: int, within: filters.Scope) -> Postings:
    """Return where the groups of a query occur among `total` texts; where words are common, only in a scope."""
    connection = store.connection
    text_index.open_vocabulary(connection)
    must = _match_phrases(asked)
    groups, counts = _count_groups(store, asked, total)
    weights = [group.weight * idf(count, total) for group, count in zip(groups, counts, strict=True)]
    lead, few = _choose_lead(groups, counts)
    spots: dict[int, list[Spot]] = {}
    if few:
        for at in lead:
            for num, column, place in _load_spots(connection, groups[at]):
                spots.setdefault(num, []).append((at, place, column))
    for at, match in _make_matches(groups, weights, lead, few, must, scoped=any(within)):
        for num in _find_matches(connection, match, few, within):
            spots.setdefault(num, []).append((at, UNKNOWN, "text"))
    return Postings(groups, weights, spots)


def _match_phrases(asked: query.Query) -> str:
    if not asked.phrases:
        return ""
    from belay.knowledge.search import phrases  # most queries have none

    return phrases.make_match(asked.phrases)


def _make_matches(
    groups: list[Group], weights: list[float], lead: list[int], few: bool, must: str, *, scoped: bool
) -> Iterator[tuple[int, str]]:
    """Yield the common groups, and what to match for each: with the ones that lead, or alone where those are common.

    What must occur, `must`, leads before all others.
    """
    leading = must or "(" + " OR ".join(groups[at].match for at in lead) + ")"
    least = TELLING * max(
        (weight / max(1.0, group.weight) for group, weight in zip(groups, weights, strict=True)), default=0.0
    )
    for at, weight in enumerate(weights):
        if at in lead or (scoped and not few):
            if weight and not few:
                yield at, f"{must} AND {groups[at].match}" if must else groups[at].match
        elif weight > least:
            yield at, f"{leading} AND {groups[at].match}"


def idf(count: int, total: int) -> float:
    """Return the weight of a term that occurs in `count` of `total` texts: BM25's, kept above 0 as in Lucene."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5)) if count else 0.0


def _count_groups(store: Store, asked: query.Query, total: int) -> tuple[list[Group], list[int]]:
    """Return the groups and how many texts have each; a word that occurs nowhere is read as a similar one."""
    groups = list(asked.groups)
    counts = [_count_texts(store, group, total) for group in groups]
    for at, count in enumerate(counts):
        if not count and not groups[at].name and (like := _find_like(store.connection, groups[at])):
            groups[at], counts[at] = like, _count_texts(store, like, total)
    return groups, counts


def _find_like(connection: sqlite3.Connection, group: Group) -> Group | None:
    from belay.knowledge.search import spelling  # most words occur somewhere

    return spelling.find_similar(connection, group)


def _count_texts(store: Store, group: Group, total: int) -> int:
    """Return how many texts have a group; of a common one, remembered until the base has grown by a tenth."""
    known = _COUNTS.get((store.path, group.terms))
    if known and abs(known[1] - total) <= known[1] // 10:
        return known[0]
    count = _select_count(store.connection, group)
    if count > BUDGET:
        if len(_COUNTS) >= _COUNTS_KEPT:
            _COUNTS.clear()
        _COUNTS[store.path, group.terms] = (count, total)
    return count


def _select_count(connection: sqlite3.Connection, group: Group) -> int:
    if group.name:
        sql = "SELECT count(*) FROM (SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? LIMIT ?)"
        return int(connection.execute(sql, (group.match, BUDGET + 1)).fetchone()[0])
    marks = ", ".join("?" * len(group.terms))
    sql = f"SELECT sum(doc) FROM term_rows WHERE term IN ({marks})"
    return int(connection.execute(sql, group.terms).fetchone()[0] or 0)


def _choose_lead(groups: list[Group], counts: list[int]) -> tuple[list[int], bool]:
    """Return the groups that bring candidates, the rarest, and whether all of their texts are within the budget.

    Names have a budget of their own: their parts are words of the query too.
    """
    order = sorted((at for at, count in enumerate(counts) if count), key=counts.__getitem__)
    lead: list[int] = []
    for name in (True, False):
        same = [at for at in order if groups[at].name is name]
        spent = accumulate(counts[at] for at in same)
        lead += [at for at, sofar in zip(same, spent, strict=True) if sofar <= BUDGET]
    return lead or order[:1], bool(lead)


def _load_spots(connection: sqlite3.Connection, group: Group) -> Iterator[tuple[int, str, int]]:
    if group.name:
        yield from _load_name_spots(connection, group)
        return
    for term in group.terms:
        yield from connection.execute("SELECT doc, col, offset FROM term_spots WHERE term = ?", (term,))


def _load_name_spots(connection: sqlite3.Connection, group: Group) -> Iterator[tuple[int, str, int]]:
    """Yield the columns that hold a name."""
    for column in ranking.FIELDS:
        sql = "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?"
        for row in connection.execute(sql, (f"{column} : {group.match}",)):
            yield row[0], column, UNKNOWN


def _find_matches(connection: sqlite3.Connection, match: str, few: bool, within: filters.Scope) -> set[int]:
    """Return numbers of texts that match: of entries and of sections the newest, and those that say it in a title."""
    most = BUDGET if few else NEWEST
    where, values = filters.make_condition(within) if any(within) else ("", [])
    beside = f"CROSS JOIN memory_texts AS t ON t.num = memory_fts.rowid {filters.BESIDE}" if where else ""
    sql = (
        f"SELECT memory_fts.rowid FROM memory_fts {beside} "
        f"WHERE memory_fts MATCH ? AND memory_fts.rowid {{}} ? {where} ORDER BY memory_fts.rowid DESC LIMIT ?"
    )
    ranges = [(">=", match, 0)]
    if not few:
        ranges = [
            ("<", match, text_index.SECTIONS),
            (">=", match, text_index.SECTIONS),
            (">=", f"{{title parts}} : {match}", 0),
        ]
    return {
        row[0]
        for sign, words, first in ranges
        for row in connection.execute(sql.format(sign), (words, first, *values, most))
    }
