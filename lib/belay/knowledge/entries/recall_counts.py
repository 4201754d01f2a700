"""What each session's recalls came to, as the ledger told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.knowledge.store.ledger import COUNTS

if TYPE_CHECKING:
    import sqlite3

    Counts = dict[str, dict[str, int]]


def of_session(connection: sqlite3.Connection, session: str) -> Counts:
    """Return {id: {recalled used helpful harmful tokens}} of one session, {} where nothing was counted."""
    rows = connection.execute(
        f"SELECT entry_id, {', '.join(COUNTS)} FROM counted WHERE session = ?", (session,)
    )
    return {str(row[0]): dict(zip(COUNTS, map(int, row[1:]), strict=True)) for row in rows}
