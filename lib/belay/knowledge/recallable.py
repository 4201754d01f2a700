"""Which entries may be told unasked: active ones that nobody marked as not trusted, or as not accepted yet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from belay.knowledge.entries import Entry

REFUSALS = ("trusted", "accepted")
"""Keys of an entry's metadata that keep it from being told while they say false (docs/recall.md)."""
NEVER_USED = 5
"""Sessions that were told an entry and never touched what it is about: then no prompt brings it any more."""


def only(connection: sqlite3.Connection, found: Sequence[Entry]) -> list[Entry]:
    """Return those of some entries that may be told, in their order."""
    barred = refused(connection)
    return [entry for entry in found if entry.status == "active" and entry.id not in barred]


def refused(connection: sqlite3.Connection) -> set[str]:
    """Return the ids of the active entries whose metadata keeps them from being told."""
    rows = connection.execute(
        "SELECT id, metadata FROM entries WHERE status = 'active' AND metadata LIKE '%false%'"
    )
    return {str(row[0]) for row in rows if _refuses(str(row[1]))}


def _refuses(metadata: str) -> bool:
    try:
        said = json.loads(metadata)
    except ValueError:
        return True
    return isinstance(said, dict) and any(said.get(key) is False for key in REFUSALS)


def spent(entry: Entry) -> bool:
    """Whether an entry was told often and never helped."""
    return entry.recalled >= NEVER_USED and not entry.used and not entry.helpful
