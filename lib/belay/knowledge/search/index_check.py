"""Whether the text index answers at all: a wrecked one may find nothing and say nothing."""

from __future__ import annotations

import sqlite3

from belay.knowledge.search import query
from belay.knowledge.store import database

WORDS = 8
_NEWEST = (
    "SELECT num FROM (SELECT num FROM entries WHERE status <> 'forgotten' ORDER BY num DESC LIMIT 1) "
    "UNION ALL SELECT num FROM (SELECT num FROM sections ORDER BY num DESC LIMIT 1)"
)


def check_index(connection: sqlite3.Connection) -> None:
    """Look the newest entry and section up by their own words; sqlite3.DatabaseError where one is not found."""
    if database.is_plain(connection):
        return
    for (num,) in connection.execute(_NEWEST).fetchall():
        row = connection.execute("SELECT title, text FROM memory_fts WHERE rowid = ?", (num,)).fetchone()
        if row is None or not _is_found(connection, num, f"{row[0]} {row[1]}"):
            raise sqlite3.DatabaseError("its text index has lost entries")


def _is_found(connection: sqlite3.Connection, num: int, text: str) -> bool:
    words = [word for word in query.clean_text(text).split()[:WORDS] if query.find_stems(word)]
    sql = "SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? AND rowid = ?"
    match = " OR ".join(map(query.quote_word, words))
    return not words or connection.execute(sql, (match, num)).fetchone() is not None
