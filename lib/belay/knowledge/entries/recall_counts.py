"""What each session's recalls came to, as the ledger recorded it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.knowledge.store.ledger_steps import COUNTS

if TYPE_CHECKING:
    import sqlite3

    from belay.knowledge.store.records import RecallCounts


def load_counts(connection: sqlite3.Connection, session: str) -> dict[str, RecallCounts]:
    """Return {id: {recalled used helpful harmful tokens}} of one session, {} where nothing was counted."""
    rows = connection.execute(f"SELECT entry_id, {', '.join(COUNTS)} FROM counted WHERE session = ?", (session,))
    return {
        str(name): {
            "recalled": recalled,
            "used": used,
            "helpful": helpful,
            "harmful": harmful,
            "tokens": tokens,
        }
        for name, recalled, used, helpful, harmful, tokens in rows
    }
