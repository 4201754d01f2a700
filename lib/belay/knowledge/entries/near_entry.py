"""The entry that a new one is close to: most of its words are the same, yet it is another fact. A person may judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.plain_text import shown
from belay.core.text import duplicates
from belay.knowledge.entries import entries, insights
from belay.knowledge.search import search
from belay.knowledge.store.database import SqlError

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

LOOKED_AT = 4
SAID_CHARS = 160
NEAR = 0.6
"""Share of telling words that two entries have in common to be shown beside each other."""


def find_close(store: Store, entry: Entry) -> Entry | None:
    """Return an entry of the same kind that holds and is close to one; None for none, and for a base that is busy."""
    try:
        hits = search.search(store, entry.content, k=LOOKED_AT, types=(entry.type,)).results
    except SqlError:  # what was recorded is told all the same
        return None
    found = [store.get(hit.id) for hit in hits if hit.id != entry.id and not hit.id.startswith(insights.HEAD)]
    active = (one for one in found if one.status in entries.CURRENT)
    return next((one for one in active if duplicates.overlap(one.content, entry.content) >= NEAR), None)


def format_line(close: Entry, entry: Entry, program: str = "workshop") -> str:
    """Return the line that names the close entry, and how the new one takes its place."""
    way = f"`{program} supersede {close.id} {entry.id}` if it takes its place"
    return f"Close to {close.id} “{shown(close.content, SAID_CHARS)}”: {way}."
