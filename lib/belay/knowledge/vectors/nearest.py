"""Vectors of a base, made and asked: what comes beside the words of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from belay.core.errors import BelayError
from belay.knowledge.vectors import embedding, vectors

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from belay.knowledge.search import candidates
    from belay.knowledge.search.filters import Scope
    from belay.knowledge.search.search import Near
    from belay.knowledge.store.store import Store

BATCH = 64
NEAREST = 50
"""Texts that vectors put beside those that words found."""
STATIC = 0.3
"""What the cosine of static vectors counts beside the model's. Figures: docs/search.md."""
E5_LEAST = 0.7
"""Cosines of the models named e5 lie between 0.7 and 1, by their own description: they are trained so."""


class Embeds(Protocol):
    """What turns texts into vectors."""

    name: str

    def encode(self, texts: Sequence[str], kind: str) -> list[list[float]]: ...

    def knows(self, text: str) -> bool: ...


def build_vectors(store: Store, embedder: Embeds, told: Callable[[int], object] = int) -> int:
    """Make the vectors that are missing, a batch a write, and say after each how many are made; return how many."""
    vectors.choose_model(store.connection, embedder.name)
    made = 0
    while rows := vectors.list_missing(store.connection, embedder.name, BATCH):
        values = embedder.encode([text for _, text in rows], "passage")
        vectors.save_vectors(
            store.connection, embedder.name, [(num, row) for (num, _), row in zip(rows, values, strict=True)]
        )
        made += len(rows)
        told(made)
    return made


class Meaning(NamedTuple):
    """A question as a vector of the model, beside a base; `static`: the same as a static vector, None without one.

    Nearness is the model's cosine and STATIC times the static one: the pieces know languages that the model does not.
    """

    connection: sqlite3.Connection
    model: str
    asked: Sequence[float]
    static: candidates.Meaning | None

    def align(self, texts: Sequence[str]) -> list[float]:
        """Return for each text how near its words are to those of the question, by the static vectors of this machine;
        [] without them.
        """
        return self.static.align(texts) if self.static else []

    def align_passages(self, texts: Sequence[Sequence[str]]) -> list[float]:
        """Return the same for documents, given by their sections, of which the best passage counts."""
        return self.static.align_passages(texts) if self.static else []

    def find_nearest(self, within: Scope) -> dict[int, float]:
        """Return {number: nearness} of the NEAREST texts of the base, entries and sections, and of the entries that
        static vectors find.
        """
        near = self._rescale(vectors.find_nearest(self.connection, self.model, self.asked, NEAREST))
        if not self.static:
            return near
        static = self.static.find_nearest(within)
        near |= self._compare_model([num for num in static if num not in near])
        return _add(near, static | self.static.compare([num for num in near if num not in static]))

    def compare(self, nums: Sequence[int]) -> dict[int, float]:
        """Return {number: nearness} of some texts; those without a vector are left out."""
        near = self._compare_model(nums)
        return _add(near, self.static.compare(list(near))) if self.static else near

    def _compare_model(self, nums: Sequence[int]) -> dict[int, float]:
        return self._rescale(vectors.compare(self.connection, self.model, self.asked, nums))

    def _rescale(self, cosines: dict[int, float]) -> dict[int, float]:
        if not embedding.is_e5(self.model):
            return cosines
        return {num: (cosine - E5_LEAST) / (1 - E5_LEAST) for num, cosine in cosines.items()}


def _add(near: dict[int, float], static: dict[int, float]) -> dict[int, float]:
    """Return both together, of the texts that have a vector of the model."""
    return {num: cosine + STATIC * static.get(num, 0.0) for num, cosine in near.items()}


def make_near(embedder: Embeds, static: Near | None = None) -> Near:
    """Return what `search.search` asks for what is near in meaning.

    `static` is asked beside the model, and alone where the model cannot read the question.
    """

    def ask(connection: sqlite3.Connection, text: str) -> candidates.Meaning:
        beside = static(connection, text) if static else None
        if beside and not embedder.knows(text):
            return beside
        (vector,) = embedder.encode([text], "query")
        return Meaning(connection, embedder.name, vector, beside)

    return ask


def load_near(store: Store, static: Near) -> Near | None:
    """Return the same for a base that has vectors, None where it has none or its model cannot be loaded now."""
    name = vectors.load_model_name(store.connection)
    if not name:
        return None
    try:
        return make_near(embedding.load_embedder(name), static)
    except BelayError:
        return None
