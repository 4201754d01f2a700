"""The documents that may answer a query, each with its score: read from the base, filtered, ranked, fused."""

from __future__ import annotations

from belay.core import clock
from belay.core.tuples import NamedTuple
from belay.knowledge.entries import entries
from belay.knowledge.search import filters, postings, ranking
from belay.knowledge.search.ranking import Ranked, Text
from belay.knowledge.store import database
from belay.knowledge.store.tables import text_index as texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from belay.knowledge.search.filters import Row, Scope
    from belay.knowledge.search.query import Group, Query
    from belay.knowledge.store.store import Store

ENTRIES, SECTIONS = 40, 200
"""Texts that are ranked with care: of a large base, the best by a rougher measure; EACH for every result wanted."""
EACH = 4
LEFT = {entries.SUPERSEDED: 0.5, entries.DONE: 0.8}
"""What is left of the score of an entry that was replaced, or is over."""
FACT = 3.0
"""How much likelier an entry answers than a section with the same words: what was written down is short, says each word
once, and is meant. Figures: docs/search.md."""
TIE = 0.02
"""Share of a score that how recent and how useful an entry is may add: it decides between equals."""
RECENT_DAYS = 30.0
FUSED = 60
"""Rank constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""


class Candidates(NamedTuple):
    """Documents that answer, in any order; `groups` of the query as they were looked for; `rows` of their texts;
    `plain` without full-text search."""

    groups: list[Group]
    documents: list[Ranked]
    rows: dict[int, Row]
    plain: bool = False

    @property
    def words(self) -> list[str]:
        """The words looked for."""
        return [word for group in self.groups for word in group.words]


class Totals(NamedTuple):
    """How many texts there are, and the mean words of an entry, a section and a file."""

    texts: int
    entry: float
    section: float
    file: float


def find_candidates(store: Store, query: Query, within: Scope, k: int) -> Candidates:
    """Return the documents of a scope that answer a query, enough for `k` results."""
    connection = store.connection
    totals = _load_totals(connection)
    simple = database.is_plain(connection)
    read = _choose_reader(simple)(store, query, totals.texts, within)
    if query.phrases:
        read = _keep_phrases(connection, read, query, within, simple)
    order = ranking.rank_roughly(read.spots, read.weights)
    rows = _load_rows(connection, order, within, k)
    lengths = {num: _measure_text(row, totals) for num, row in rows.items()}
    documents = ranking.rank_documents(lengths, read.spots, read.weights)
    return Candidates(
        read.groups, [_adjust_score(document, rows[document.nums[0]]) for document in documents], rows, simple
    )


def _choose_reader(simple: bool) -> Callable[[Store, Query, int, Scope], postings.Postings]:
    if not simple:
        return postings.find_spots
    from belay.knowledge.search import plain_search as plain  # only an SQLite without FTS5 needs it

    return plain.find_spots


def _keep_phrases(
    connection: sqlite3.Connection, read: postings.Postings, query: Query, within: Scope, simple: bool
) -> postings.Postings:
    """Return only the texts that have the phrases of a query, and all of these."""
    from belay.knowledge.search import phrases  # most queries have none

    nums = phrases.find_numbers(connection, query.phrases, within, simple=simple)
    return read._replace(
        spots={num: read.spots.get(num) or [(0, postings.UNKNOWN, "text")] for num in nums if read.groups}
    )


def _load_rows(connection: sqlite3.Connection, order: Sequence[int], within: Scope, k: int) -> dict[int, Row]:
    """Return the first of some texts that a scope lets through: of entries and of sections enough for `k` results."""
    entered = [num for num in order if num < texts.SECTIONS]
    sections = [num for num in order if num >= texts.SECTIONS]
    rows = filters.load_rows(connection, entered, within, max(ENTRIES, EACH * k))
    rows += filters.load_rows(connection, sections, within, max(SECTIONS, EACH * k))
    return {row.num: row for row in rows}


def _load_totals(connection: sqlite3.Connection) -> Totals:
    counts = {kind: rest for kind, *rest in connection.execute("SELECT kind, texts, words FROM memory_totals")}
    files = connection.execute("SELECT count(*) FROM memory_files").fetchone()[0]
    (few, short), (many, long) = counts["entry"], counts["section"]
    return Totals(few + many, short / (few or 1) or 1.0, long / (many or 1) or 1.0, long / (files or 1) or 1.0)


def _measure_text(row: Row, totals: Totals) -> Text:
    if row.id:
        return Text(row.id, row.words / totals.entry, row.words / totals.entry)
    return Text(row.path, row.words / totals.section, (row.file_words or row.words) / totals.file)


def _adjust_score(document: Ranked, row: Row) -> Ranked:
    """Return a document with the score of its entry: facts first, replaced ones later, then the newer and useful."""
    if not row.id:
        return document
    score = (1 + FACT) * document.score / (1 + FACT * document.score)
    score *= LEFT.get(row.status, 1.0) * (1 + TIE * _score_use(row)) / (1 + TIE)
    return document._replace(score=score)


def _score_use(row: Row) -> float:
    age = max(0.0, clock.moment() - clock.seconds(row.updated)) / 86400
    return 0.5 / (1 + age / RECENT_DAYS) + 0.5 * row.used / (row.recalled + 1)


def fuse_vectors(
    connection: sqlite3.Connection, candidates: Candidates, close: Mapping[int, float], within: Scope, k: int
) -> Candidates:
    """Return the candidates with what is close in meaning, by the ranks in both lists."""
    near = sorted(close, key=lambda num: (-close[num], num))
    rows = _load_rows(connection, near, within, k)
    by_text = sorted(candidates.documents, key=lambda document: -document.score)
    nums = {_unit_of(candidates.rows[document.nums[0]]): document.nums for document in by_text}
    scores = {unit: 1 / (FUSED + at) for at, unit in enumerate(nums, 1)}
    for at, unit in enumerate(dict.fromkeys(map(_unit_of, rows.values())), 1):
        scores[unit] = scores.get(unit, 0.0) + 1 / (FUSED + at)
    for num, row in rows.items():
        nums.setdefault(_unit_of(row), [num])
    documents = [Ranked(score * (FUSED + 1) / 2, nums[unit]) for unit, score in scores.items()]
    return candidates._replace(documents=documents, rows=rows | candidates.rows)


def _unit_of(row: Row) -> str:
    return row.id or row.path
