"""Vectors of a base, made and asked: what comes beside the words of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from belay.core.errors import BelayError
from belay.knowledge.vectors import vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from belay.knowledge.search.search import Near
    from belay.knowledge.store.store import Store

BATCH = 64
NEAREST = 50
"""Texts that vectors put beside those that words found."""


class Embeds(Protocol):
    """What turns texts into vectors."""

    name: str

    def encode(self, texts: Sequence[str], kind: str) -> list[list[float]]: ...


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


def make_near(store: Store, embedder: Embeds) -> Near:
    """Return what `search.search` asks for similarities."""

    def nearest(text: str) -> dict[int, float]:
        (vector,) = embedder.encode([text], "query")
        return vectors.find_nearest(store.connection, embedder.name, vector, NEAREST)

    return nearest


def load_near(store: Store) -> Near | None:
    """Return the same for a base that has vectors, None where it has none or its model cannot be loaded now."""
    name = vectors.load_model_name(store.connection)
    if not name:
        return None
    from belay.knowledge.vectors.embedding import load_embedder

    try:
        return make_near(store, load_embedder(name))
    except BelayError:
        return None
