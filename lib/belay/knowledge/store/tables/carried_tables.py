"""Tables of earlier tools, carried over unchanged as `upstream_…`; no search looks at them.

A row comes through the ledger (kind `upstream`), so that it outlives the base, or straight into the base where a table
is large and can be made again (`insert_row`). `batch` names the take-over, so that it can be undone.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from belay.knowledge.store.legacy import quote_name
from belay.knowledge.store.tables import entry_rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from belay.knowledge.store.records import UndoneRecord, UpstreamRecord

PREFIX = "upstream_"
BATCH = "belay_batch"


def pack_value(value: Any) -> Any:
    """Return a value that JSON can hold: bytes, and numbers that JSON does not know, as {kind: text}."""
    if isinstance(value, bytes):
        return {"blob": base64.b64encode(value).decode()}
    return {"real": repr(value)} if isinstance(value, float) and value - value != 0 else value


def unpack_value(value: Any) -> Any:
    """Return the value that `pack_value` was given."""
    if not isinstance(value, dict):
        return value
    return base64.b64decode(value["blob"]) if "blob" in value else float(value["real"])


def add_record(connection: sqlite3.Connection, record: UpstreamRecord) -> None:
    """Insert the row of a ledger record."""
    row: object = record.get("row")
    if isinstance(row, dict) and row:
        values = {column: unpack_value(value) for column, value in row.items()}
        insert_row(connection, str(record.get("table")), values, str(record.get("batch", "")))


def insert_row(connection: sqlite3.Connection, table: str, row: Mapping[str, Any], batch: str) -> None:
    """Insert one row; the table gets the columns that it lacks."""
    name = quote_name(PREFIX + table)
    known = {str(info[1]).lower() for info in connection.execute(f"PRAGMA table_info({name})")}
    if not known:
        columns = ", ".join(map(quote_name, (*row, BATCH)))
        connection.execute(f"CREATE TABLE {name} ({columns})")
    for column in row if known else ():
        if column.lower() not in known:
            connection.execute(f"ALTER TABLE {name} ADD COLUMN {quote_name(column)}")
    marks = ", ".join("?" * (len(row) + 1))
    into = ", ".join(map(quote_name, (*row, BATCH)))
    connection.execute(f"INSERT INTO {name} ({into}) VALUES ({marks})", (*row.values(), batch))


def list_tables(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the tables that were carried over."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    return [row[0] for row in rows if row[0].startswith(PREFIX)]


def undo_import(connection: sqlite3.Connection, record: UndoneRecord) -> None:
    """Undo a take-over: delete its rows, and its entries that were not repeated since."""
    batch = str(record.get("batch", ""))
    for table in list_tables(connection) if batch else ():
        connection.execute(f"DELETE FROM {quote_name(table)} WHERE {BATCH} = ?", (batch,))
        if not connection.execute(f"SELECT 1 FROM {quote_name(table)} LIMIT 1").fetchone():
            connection.execute(f"DROP TABLE {quote_name(table)}")
    like = f'%"batch": "{batch}"%'
    rows = connection.execute("SELECT id FROM entries WHERE seen = 1 AND metadata LIKE ?", (like,)).fetchall()
    for (entry,) in rows if batch else ():
        entry_rows.delete(connection, entry)
