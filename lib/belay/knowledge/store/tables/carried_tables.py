"""What earlier tools kept beside entries, carried over as it is: tables named `upstream_…`, no part of what we search.

A row comes by the ledger (kind `upstream`: table, row, batch), so that it outlives the base, or, where a table is
large and can be made again, straight into the base (`put`). `batch` names the take-over, so that it can be taken back.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from belay.knowledge.store.legacy import quoted
from belay.knowledge.store.tables import entry_rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

PREFIX = "upstream_"
BATCH = "belay_batch"


def packed(value: Any) -> Any:
    """Return a value as JSON can hold it: bytes, and numbers that JSON does not know, as {kind: text}."""
    if isinstance(value, bytes):
        return {"blob": base64.b64encode(value).decode()}
    return {"real": repr(value)} if isinstance(value, float) and value - value != 0 else value


def unpacked(value: Any) -> Any:
    """Return what `packed` was given."""
    if not isinstance(value, dict):
        return value
    return base64.b64decode(value["blob"]) if "blob" in value else float(value["real"])


def fold(connection: sqlite3.Connection, record: Mapping[str, Any]) -> None:
    """Take in a row that the ledger tells of."""
    row = record.get("row")
    if isinstance(row, dict) and row:
        values = {column: unpacked(value) for column, value in row.items()}
        put(connection, str(record.get("table")), values, str(record.get("batch", "")))


def put(connection: sqlite3.Connection, table: str, row: Mapping[str, Any], batch: str) -> None:
    """Insert one row; the table gets the columns that it lacks."""
    name = quoted(PREFIX + table)
    standing = {str(one[1]).lower() for one in connection.execute(f"PRAGMA table_info({name})")}
    if not standing:
        columns = ", ".join(map(quoted, (*row, BATCH)))
        connection.execute(f"CREATE TABLE {name} ({columns})")
    for column in row if standing else ():
        if column.lower() not in standing:
            connection.execute(f"ALTER TABLE {name} ADD COLUMN {quoted(column)}")
    marks = ", ".join("?" * (len(row) + 1))
    into = ", ".join(map(quoted, (*row, BATCH)))
    connection.execute(f"INSERT INTO {name} ({into}) VALUES ({marks})", (*row.values(), batch))


def tables(connection: sqlite3.Connection) -> list[str]:
    """Return the tables that were carried over."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    return [row[0] for row in rows if row[0].startswith(PREFIX)]


def undo(connection: sqlite3.Connection, record: Mapping[str, Any]) -> None:
    """Take a take-over back: its rows, and the entries that nobody said again since."""
    batch = str(record.get("batch", ""))
    for table in tables(connection) if batch else ():
        connection.execute(f"DELETE FROM {quoted(table)} WHERE {BATCH} = ?", (batch,))
        if not connection.execute(f"SELECT 1 FROM {quoted(table)} LIMIT 1").fetchone():
            connection.execute(f"DROP TABLE {quoted(table)}")
    like = f'%"batch": "{batch}"%'
    rows = connection.execute("SELECT id FROM entries WHERE seen = 1 AND metadata LIKE ?", (like,)).fetchall()
    for (entry,) in rows if batch else ():
        entry_rows.delete(connection, entry)
