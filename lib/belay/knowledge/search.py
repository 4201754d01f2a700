"""Full-text search over the entries and the documents' sections of the knowledge base."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from belay.knowledge.store import Store


class Hit(NamedTuple):
    """One place that a search found; `start` and `end` are lines of the file, `id` and `type` an entry's."""

    path: str
    start: int
    end: int
    score: float
    snippet: str
    id: str = ""
    type: str = ""
    num: int = 0


class Answer(NamedTuple):
    """What a search found, the best first."""

    results: list[Hit]
    used_vectors: bool = False


def search(
    store: Store, text: str, *, k: int = 8, types: Sequence[str] = (), files: Sequence[str] = (),
    branch: str = "", since: str = "", until: str = "", phrase: bool = False, sections: bool = False,
    near: Callable[[str], dict[int, float]] | None = None,
) -> Answer:  # fmt: skip
    """Return the best `k` places for a query."""
    words = list(terms.words(text))
    kept = [word for word in words if word.casefold() not in terms.STOP] or words
    match = " OR ".join('"' + word.replace('"', '""').replace("\0", "") + '"' for word in kept)
    if not match:
        return Answer([])
    rows = store.connection.execute(
        "SELECT f.rowid, f.path, f.start_line, f.end_line, f.rank, "
        "snippet(memory_fts, -1, '>>', '<<', '…', 24), e.id, e.type "
        "FROM memory_fts AS f LEFT JOIN entries AS e ON e.num = f.rowid "
        "WHERE memory_fts MATCH ? ORDER BY f.rank LIMIT ?",
        (match, k * 8),
    )
    found: dict[str, Hit] = {}
    for num, path, start, end, rank, snippet, entry, kind in rows:
        key = f"{entry or path}#{num if sections else ''}"
        hit = Hit(path, start, end, round(rank / (rank - 5), 3), snippet, entry or "", kind or "", num)
        found.setdefault(key, hit)
    return Answer(list(found.values())[:k])
