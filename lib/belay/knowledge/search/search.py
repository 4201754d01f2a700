"""Search over the entries and the documents' sections of the knowledge base (docs/search.md).

Any text is a query. Candidates come from the text index, `ranking` then scores the few that are left.
"""

from __future__ import annotations

from itertools import islice

from belay.core.tuples import NamedTuple
from belay.knowledge.entries import entries
from belay.knowledge.search import candidates, query, snippet
from belay.knowledge.search.filters import Scope
from belay.knowledge.vectors import static_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from belay.knowledge.search.candidates import Candidates, Meaning
    from belay.knowledge.search.query import Query
    from belay.knowledge.store.store import Store

    Place = tuple[int, Sequence[Any], float]
    """A text that answers: its number, its row of the index, its score."""
    Near = Callable[[sqlite3.Connection, str], Meaning | None]

_MARKED = {entries.SUPERSEDED: "superseded", entries.DONE: "done"}


class Hit(NamedTuple):
    """One place that a search found; `start` and `end` are lines of the file, `id`, `type` and `reason` an entry's."""

    path: str
    start: int
    end: int
    score: float
    snippet: str
    id: str = ""
    type: str = ""
    num: int = 0
    reason: str = ""


class Answer(NamedTuple):
    """What a search found, the best first."""

    results: list[Hit]
    used_vectors: bool = False
    by_words: bool = False
    """Whether no text has all that is quoted word for word, so that these have only some of the words."""


def search(
    store: Store, text: str, *, k: int = 8, types: Sequence[str] = (), files: Sequence[str] = (),
    branch: str = "", since: str = "", until: str = "", phrase: bool = False, sections: bool = False,
    near: Near | None = None,
) -> Answer:  # fmt: skip
    """Return the best `k` documents for a query, the best section of each (`sections`: all of them that answer).

    "…" in the query must occur word for word, unless it occurs nowhere; with `phrase` all of the query must in any
    case. `near` says what is near in meaning, in place of the static vectors. An entry is a document of its own.
    """
    asked = query.parse_query(text, phrase=phrase)
    within = Scope(types, *_label_names(files, branch), since, until)
    meaning = (near or static_vectors.load_meaning)(store.connection, text)
    hits = _find_hits(store, asked, within, k, meaning, sections)
    if hits or phrase or not asked.phrases:
        return Answer(hits, bool(meaning))
    hits = _find_hits(store, asked._replace(phrases=[]), within, k, meaning, sections)
    return Answer(hits, bool(meaning), by_words=bool(hits))


def _label_names(files: Sequence[str], branch: str) -> tuple[Sequence[str], str]:
    """Return the names of files and of a branch as the base has them."""
    if not files and not branch:
        return files, branch
    from belay.safety.labels import make_label

    return [make_label(name) for name in files], make_label(branch)


def _find_hits(
    store: Store, asked: Query, within: Scope, k: int, meaning: candidates.Meaning | None, sections: bool
) -> list[Hit]:
    matches = candidates.find_candidates(store, asked, within, k)
    if meaning:
        matches = candidates.add_meaning(store.connection, matches, meaning, within, k)
    places = list(islice(_find_places(store.connection, matches, asked, sections), max(k, 0)))
    return _make_hits(store.connection, matches, places)


def _find_places(connection: sqlite3.Connection, matches: Candidates, asked: Query, sections: bool) -> Iterator[Place]:
    """Yield what answers, the best first; what is near in meaning may lack a phrase."""
    for document in sorted(matches.documents, key=lambda one: (-one.score, -one.nums[0])):
        hits_made = 0
        for num in document.nums:
            if hits_made and not sections:
                break
            row = connection.execute(
                "SELECT path, start_line, end_line, title, text FROM memory_fts WHERE rowid = ?", (num,)
            ).fetchone()
            if row and (not asked.phrases or _has_phrases(asked.phrases, f"{row[3]}\n{row[4]}")):
                hits_made += 1
                yield num, row, document.score


def _has_phrases(wanted: Sequence[str], text: str) -> bool:
    from belay.knowledge.search import phrases  # most queries have none

    return phrases.has_phrases(wanted, text)


def _make_hits(connection: sqlite3.Connection, matches: Candidates, places: Sequence[Place]) -> list[Hit]:
    match = "" if matches.plain else " OR ".join(group.match for group in matches.groups)
    reasons = [entries.load_reason(connection, num) if matches.rows[num].id else "" for num, _, _ in places]
    contents = [row[4].removesuffix(reason).rstrip() for (_, row, _), reason in zip(places, reasons, strict=True)]
    quoted = snippet.make_snippets([*contents, *reasons], match, matches.words)
    return [
        _make_hit(matches, place, words, reason)
        for place, words, reason in zip(places, quoted, quoted[len(places) :], strict=False)
    ]


def _make_hit(matches: Candidates, place: Place, words: str, reason: str) -> Hit:
    num, row, score = place
    entry = matches.rows[num]
    mark = _MARKED.get(entry.status) or entries.describe(entry.status, entry.created, entry.seen, entry.source)
    if mark:
        words = f"[{mark}{entry.superseded_by and ' by ' + entry.superseded_by}] {words}"
    return Hit(row[0], int(row[1]), int(row[2]), round(score, 4), words, entry.id, entry.type, num, reason)
