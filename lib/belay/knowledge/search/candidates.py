"""The documents that may answer a query, each with its score: read from the base, filtered, ranked."""

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
    from typing import Protocol

    from belay.knowledge.search.filters import Row, Scope
    from belay.knowledge.search.query import Group, Query
    from belay.knowledge.store.store import Store

    class Meaning(Protocol):
        """A question that knows how near texts are to it."""

        def find_nearest(self, within: Scope) -> dict[int, float]:
            """Return {number: cosine} of the nearest texts of a scope."""
            ...

        def compare(self, nums: Sequence[int]) -> dict[int, float]:
            """Return {number: cosine} of some texts; those without a vector are left out."""
            ...

        def align(self, texts: Sequence[str]) -> list[float]:
            """Return for each text how near its words are to those of the question, 0 to 1; [] if unknown."""
            ...

        def align_passages(self, texts: Sequence[Sequence[str]]) -> list[float]:
            """Return the same for documents, given by their sections, of which the best passage counts."""
            ...


ENTRIES, SECTIONS = 40, 200
"""Texts that are ranked with care: of a large base, the best by a rougher measure; EACH for every result wanted."""
EACH = 4
LEFT = {entries.SUPERSEDED: 0.5, entries.DONE: 0.8, entries.HEARD: 0.8}
"""What is left of the score of an entry that was replaced, is over, or was said once and not confirmed."""
FACT = 3.0
"""How much likelier an entry answers than a section with the same words: what was written down is short, says each word
once, and is meant. Figures: docs/search.md."""
COMPARED = 24
"""Documents and entries, the best by words, whose meaning is compared too; of a document the best EACH sections."""
TIE = 0.02
"""Share of a score that how recent and how useful an entry is may add: it decides between equals."""
RECENT_DAYS = 30.0
WORDS = 0.3
"""What the score by words counts beside the cosine of an entry."""
DOCUMENT_MEANING = 0.3
"""What the cosine of a document's best section counts beside its score by words."""
PASSAGE = 0.35
"""What its best passage counts, word by word."""
DOCUMENT = 0.85
"""What is left of a document's score beside those of entries, which have another sum. Figures: docs/search.md."""
ALIGNED = 16
"""Entries and documents, the best by all else, whose words are paired with those of the question."""
ALIGNMENT = 0.6
"""What that counts beside the cosine, for as much as it is above USUAL. Figures: docs/search.md."""
USUAL = 0.2
"""Alignment of a question with an entry about something else: the mean of 286 questions with 16 entries each is .19."""
NEAR = 0.15
"""Cosine below which an entry without a word in common is not shown."""


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
    now = clock.moment()
    documents = [_adjust_score(document, rows[document.nums[0]], now) for document in documents]
    return Candidates(read.groups, documents, rows, simple)


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


def _adjust_score(document: Ranked, row: Row, now: float) -> Ranked:
    """Return a document with the score of its entry: facts first, replaced ones later, then the newer and useful."""
    if not row.id:
        return document
    score = (1 + FACT) * document.score / (1 + FACT * document.score)
    return document._replace(score=score * _weigh_row(row, now))


def _weigh_row(row: Row, now: float) -> float:
    return LEFT.get(row.status, 1.0) * (1 + TIE * _score_use(row, now)) / (1 + TIE)


def _score_use(row: Row, now: float) -> float:
    age = max(0.0, now - _read_time(row.updated)) / 86400
    return 0.5 / (1 + age / RECENT_DAYS) + 0.5 * row.used / (row.recalled + 1)


def _read_time(stamp: str) -> float:
    """Return a time in seconds; those of many entries are the same, and each search asks again."""
    if stamp not in _TIMES:
        if len(_TIMES) >= _TIMES_KEPT:
            _TIMES.clear()
        _TIMES[stamp] = clock.seconds(stamp)
    return _TIMES[stamp]


_TIMES: dict[str, float] = {}
_TIMES_KEPT = 10_000


def add_meaning(
    connection: sqlite3.Connection, candidates: Candidates, meaning: Meaning, within: Scope, k: int
) -> Candidates:
    """Return the best candidates by words and the entries that are near in meaning, each scored by both together.

    What is left out has a lower score than `k` others.
    """
    near = meaning.find_nearest(within)
    close = sorted(near, key=lambda num: (-near[num], num))
    rows = {row.num: row for row in filters.load_rows(connection, close, within, max(2 * k, ALIGNED))} | candidates.rows
    best = sorted(candidates.documents, key=lambda one: -one.score)[: max(COMPARED, EACH * k)]
    near |= meaning.compare([num for one in best for num in one.nums[:EACH] if num not in near])
    units = {_unit_of(rows[one.nums[0]]): one for one in best}
    for num in close[: max(2 * k, ALIGNED)]:
        if num in rows:
            one = units.get(_unit_of(rows[num]), Ranked(0.0, []))
            units[_unit_of(rows[num])] = one if num in one.nums else one._replace(nums=[*one.nums, num])
    cosines = [max([0.0, *(near.get(num, 0.0) for num in one.nums)]) for one in units.values()]
    documents = _add_scores(connection, list(zip(units.values(), cosines, strict=True)), rows, meaning, k)
    return candidates._replace(documents=documents, rows=rows)


def _add_scores(
    connection: sqlite3.Connection,
    scored: Sequence[tuple[Ranked, float]],
    rows: Mapping[int, Row],
    meaning: Meaning,
    k: int,
) -> list[Ranked]:
    """Return documents, given with their cosines, scored by words and meaning; without those that have neither."""
    now = clock.moment()
    gains = _align(connection, scored, rows, meaning)
    passages = _align_documents(connection, scored, rows, meaning, k)
    most = 1 + DOCUMENT_MEANING + (PASSAGE if passages else 0.0)
    documents = []
    for one, cosine in scored:
        row, gain = rows[one.nums[0]], gains.get(one.nums[0], 0.0)
        if not one.score and cosine + gain < NEAR:
            continue
        if row.id:
            words = WORDS * one.score / (1 + FACT - FACT * one.score)
            score = ((cosine + gain) * _weigh_row(row, now) + words) / (1 + WORDS)
        else:
            passage = passages.get(one.nums[0], 0.0)
            score = DOCUMENT * (one.score + DOCUMENT_MEANING * cosine + PASSAGE * passage) / most
        documents.append(one._replace(score=max(0.0, min(1.0, score))))
    return documents


def _align(
    connection: sqlite3.Connection, scored: Sequence[tuple[Ranked, float]], rows: Mapping[int, Row], meaning: Meaning
) -> dict[int, float]:
    """Return {number: what its single words add to its cosine} of the best entries."""
    ordered = sorted(scored, key=lambda pair: (-pair[1] - WORDS * pair[0].score, -pair[0].nums[0]))
    nums = [one.nums[0] for one, _ in ordered if rows[one.nums[0]].id][:ALIGNED]
    shares = meaning.align(texts.load_texts(connection, nums))
    return {num: ALIGNMENT * (share - USUAL) for num, share in zip(nums, shares, strict=False)}


def _align_documents(
    connection: sqlite3.Connection,
    scored: Sequence[tuple[Ranked, float]],
    rows: Mapping[int, Row],
    meaning: Meaning,
    k: int,
) -> dict[int, float]:
    """Return {number of its best section: how well its best passage says the question} of the best documents."""
    found = [pair for pair in scored if not rows[pair[0].nums[0]].id]
    found.sort(key=lambda pair: (-pair[0].score - DOCUMENT_MEANING * pair[1], -pair[0].nums[0]))
    best = [one.nums[:EACH] for one, _ in found[: max(2 * k, ALIGNED)]]
    if not best:
        return {}
    shares = meaning.align_passages([texts.load_texts(connection, nums) for nums in best])
    return dict(zip([nums[0] for nums in best], shares, strict=False))


def _unit_of(row: Row) -> str:
    return row.id or row.path
