"""What is near in meaning, by the vectors that are written with every text. Standard library only: hooks may call it.

`load_meaning` gives what a search asks; `find_nearest` is for a prompt, within its bound.
"""

from __future__ import annotations

from belay.core.tuples import NamedTuple
from belay.knowledge.search import filters
from belay.knowledge.store import database
from belay.knowledge.store.tables import meaning_rows, text_index
from belay.knowledge.vectors import alignment, encoding, signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from belay.knowledge.search.filters import Scope
    from belay.knowledge.search.search import Near
    from belay.knowledge.store.store import Store
    from belay.knowledge.vectors.encoding import Encoder

PROMPT_ENTRIES = 500
"""Entries that a prompt is compared with, the newest: at most 6 ms with all that it needs."""
CLOSE = 64
"""Entries of a large base that are compared in full: those whose signs fit best."""
SCOPED = 1000
"""Entries of a scope (a type, a file, a date) that are compared in full, the newest."""
_AT_ONCE = 500


class Meaning(NamedTuple):
    """A question as a vector, beside a base."""

    connection: sqlite3.Connection
    asked: memoryview[int]
    encoder: Encoder
    text: str

    def align(self, texts: Sequence[str]) -> list[float]:
        """Return for each text how near its words are to those of the question, 0 to 1."""
        return alignment.align_texts(self.encoder, self.text, texts)

    def align_passages(self, texts: Sequence[Sequence[str]]) -> list[float]:
        """Return for each document, given by its sections, how well its best passage says the question, 0 to 1."""
        return alignment.align_passages(self.encoder, self.text, texts)

    def find_nearest(self, within: Scope) -> dict[int, float]:
        """Return {number: cosine} of the entries nearest to the question: in a large base about CLOSE, or the newest
        SCOPED of a narrower scope.
        """
        if any(within):
            return self._compare_rows(self._select_scope(within))
        packed = meaning_rows.load_packed(self.connection)
        near = self._compare_rows(
            self.connection.execute(
                "SELECT num, vec FROM memory_meanings WHERE num > ? AND num < ?", (packed, text_index.SECTIONS)
            )
        )
        if packed:
            near |= self.compare(signs.find_best(_load_planes(self.connection), self.asked, CLOSE))
        return near

    def _select_scope(self, within: Scope) -> Iterable[tuple[int, bytes]]:
        where, values = filters.make_condition(within)
        return self.connection.execute(
            "SELECT v.num, v.vec FROM memory_meanings AS v CROSS JOIN memory_texts AS t ON t.num = v.num "
            f"{filters.BESIDE} WHERE v.num < ? {where} ORDER BY v.num DESC LIMIT ?",
            (text_index.SECTIONS, *values, SCOPED),
        )

    def compare(self, nums: Sequence[int]) -> dict[int, float]:
        """Return {number: cosine} of some texts; those without a vector are left out."""
        near: dict[int, float] = {}
        for at in range(0, len(nums), _AT_ONCE):
            part = nums[at : at + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            near |= self._compare_rows(
                self.connection.execute(f"SELECT num, vec FROM memory_meanings WHERE num IN ({marks})", part)
            )
        return near

    def _compare_rows(self, rows: Iterable[tuple[int, bytes]]) -> dict[int, float]:
        return _compare(self.asked, list(rows))


def _compare(asked: Sequence[int], rows: Sequence[tuple[int, bytes]]) -> dict[int, float]:
    cosines = encoding.multiply_all(asked, [vector for _, vector in rows])
    return dict(zip([num for num, _ in rows], cosines, strict=True))


def _load_planes(connection: sqlite3.Connection) -> list[tuple[list[int], list[int]]]:
    """Return the signs of the base's entries; a process that asks often reads them again only when they changed."""
    state = meaning_rows.load_state(connection)
    if state not in _PLANES:
        _PLANES.clear()
        blocks = connection.execute("SELECT block, signs FROM memory_signs ORDER BY block").fetchall()
        _PLANES[state] = signs.load_planes(blocks)
    return _PLANES[state]


_PLANES: dict[str, list[tuple[list[int], list[int]]]] = {}


def load_meaning(connection: sqlite3.Connection, text: str) -> Meaning | None:
    """Return a question in a form that can be compared; None without the table, the vectors, or a known word."""
    encoder = meaning_rows.find_encoder(connection)
    vector = encoder.encode(text) if encoder and encoder.knows(text) else b""
    return Meaning(connection, encoding.unpack(vector), encoder, text) if encoder and vector else None


def load_model(store: Store) -> Near | None:
    """Return the sentence model's answer to what is near, where the base has its vectors; None for most bases."""
    if not database.load_value(store.connection, database.MODEL):
        return None
    from belay.knowledge.vectors import nearest  # it takes seconds, and packages that few have

    return nearest.load_near(store, load_meaning)


def find_nearest(connection: sqlite3.Connection, text: str, limit: int) -> list[tuple[int, float]]:
    """Return (number of an entry, cosine) of the nearest among the newest PROMPT_ENTRIES, the best first."""
    meaning = load_meaning(connection, text)
    if meaning is None:
        return []
    sql = "SELECT num, vec FROM memory_meanings WHERE num < ? ORDER BY num DESC LIMIT ?"
    near = _compare(meaning.asked, connection.execute(sql, (text_index.SECTIONS, PROMPT_ENTRIES)).fetchall())
    return sorted(near.items(), key=lambda pair: (-pair[1], -pair[0]))[:limit]
