"""The entry that a sentence repeats which says so itself: "As I said, go with Fastify" (docs/review.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.text import contradictions, duplicates
from belay.knowledge.entries import entries, insights
from belay.knowledge.search import search
from belay.knowledge.store.database import SqlError

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

LOOKED_AT = 20
"""Entries that are compared with a sentence: those that share most words with it."""


def find_repeated(store: Store, text: str, before: str) -> Entry | None:
    """Return the one entry older than a journal time that a sentence repeats, which says that it does; None for none.

    The entry has all that the sentence has. Of two that it could mean nobody knows which.
    """
    said = contradictions.without_repeating(text)
    if not said:
        return None
    try:
        hits = search.search(store, said, k=LOOKED_AT).results
    except SqlError:
        return None
    known = entries.load_by_numbers(store.connection, [hit.num for hit in hits if hit.id])
    fits = [entry for entry in known if entry.status in entries.CURRENT and entry.created < before]
    fits = [entry for entry in fits if not entry.id.startswith(insights.HEAD) and _says(entry, said)]
    return fits[0] if len(fits) == 1 else None


def _says(entry: Entry, said: str) -> bool:
    told = duplicates.core(entry.content)
    return duplicates.same(told, said) or duplicates.extends(told, said)
