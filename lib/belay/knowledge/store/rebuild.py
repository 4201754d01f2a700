"""The knowledge base written again from its ledger, inside the existing file.

One transaction: readers have the old content until the new is complete, and a kill leaves
the old.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.knowledge.store import database, ledger, sql_scripts
from belay.knowledge.store.legacy import quote_name
from belay.knowledge.store.tables import carried_tables, meaning_rows
from belay.session import journal

if TYPE_CHECKING:
    import sqlite3

    from belay.knowledge.store.store import Store

_MADE_AGAIN = ("place", *meaning_rows.KEYS)
"""What a base keeps about its own content."""


def rewrite_base(store: Store) -> int:
    """Write an open base again from its ledger; return how many records were folded. Documents are the caller's."""
    connection = store.connection
    connection.execute("PRAGMA foreign_keys = OFF")  # inside a transaction it does nothing
    try:
        with database.Transaction(connection):
            about = [row for row in connection.execute("SELECT key, value FROM meta") if row[0] not in _MADE_AGAIN]
            _drop_all_but(connection, _list_unrecorded(connection, store.ledger))
            sql_scripts.run_script(connection, sql_scripts.SCHEMA)
            connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", about)
            return ledger.fold(connection, store.ledger, store.environ)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def _list_unrecorded(connection: sqlite3.Connection, path: str) -> set[str]:
    """Return tables of earlier tools that the ledger does not hold."""
    recorded = {
        carried_tables.PREFIX + str(record.get("table"))
        for record in journal.read(path)[0]
        if record.get("kind") == "upstream"
    }
    return set(carried_tables.list_tables(connection)) - recorded


def _drop_all_but(connection: sqlite3.Connection, but: set[str]) -> None:
    """Drop everything but some tables; a text index takes its own tables with it."""
    for kind in ("view", "trigger", "table"):
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = ?", (kind,)).fetchall()
        virtual = [name for name, sql in rows if str(sql).upper().startswith("CREATE VIRTUAL")]
        own = ("sqlite_", *(f"{name}_" for name in virtual))
        plain = [n for n, _ in rows if n not in virtual and not n.startswith(own) and n not in but]
        for name in virtual + plain:
            connection.execute(f"DROP {kind.upper()} IF EXISTS {quote_name(name)}")
