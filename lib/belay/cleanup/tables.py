"""What stands in the two databases of a merge, and which column of one answers which of the other."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from typing import NamedTuple

import belay.errors

SCHEMA = os.path.join(os.path.dirname(belay.errors.__file__), "knowledge", "workshop-2.sql")
_TIMES = (("timestamp", "ts"), ("start_time", "start"), ("end_time", "end"))
_ALIASES = (("metadata", "entry_metadata", "session_metadata"), *_TIMES)
"""Columns that the versions of the tool name differently (2.8 writes entry_metadata for metadata)."""
_MOMENTS = frozenset(column for group in _TIMES for column in group)
_DERIVED = "entries_fts"


class Found(NamedTuple):
    """The ordinary tables of a database, those of the known schema, and what cannot be copied by rows."""

    names: list[str]
    known: frozenset[str]
    foreign: list[str]


class Table(NamedTuple):
    """One table on both sides. `values` pairs a target column with its source expression; the comparisons are
    (column, expression on the target d, expression on the source s)."""

    table: str
    target: str
    source: str
    names: str
    values: list[tuple[str, str]]
    compared: list[tuple[str, str, str]]
    again: list[tuple[str, str, str]]


def name(word: str) -> str:
    """Return a name as SQL can only read it as a name."""
    return '"' + word.replace('"', '""') + '"'


def tables(connection: sqlite3.Connection, side: str) -> Found:
    """Return what an attached database holds; the text index of entries is derived and left out."""
    rows = connection.execute(
        f"SELECT name, type, sql FROM {side}.sqlite_master WHERE type IN ('table', 'view')"
    )
    ordinary: list[str] = []
    foreign: list[str] = []
    for found, kind, sql in rows.fetchall():
        virtual = kind == "table" and str(sql).upper().startswith("CREATE VIRTUAL")
        if found.startswith("sqlite_") or found == _DERIVED or found.startswith(_DERIVED + "_"):
            continue
        (foreign if virtual else ordinary if kind == "table" else []).append(found)
    shadows = tuple(f"{table}_" for table in foreign)
    kept = [table for table in ordinary if not (shadows and table.startswith(shadows))]
    return Found(kept, frozenset(_canonical()), foreign)


def _known() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    with open(SCHEMA, encoding="utf-8") as file:
        connection.executescript(file.read())
    return connection


@cache
def _canonical() -> dict[str, list[tuple[str, str]]]:
    with closing(_known()) as connection:
        known = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        plain = [table for table in known if not table.startswith((_DERIVED, "sqlite_"))]
        return {table: _columns(connection, "main", table) for table in plain}


def _columns(connection: sqlite3.Connection, side: str, table: str) -> list[tuple[str, str]]:
    rows = connection.execute(f"PRAGMA {side}.table_info({name(table)})").fetchall()
    return [(row[1], row[2]) for row in rows]


def silence(connection: sqlite3.Connection) -> list[str]:
    """Drop the target's triggers for the time of the merge and return their statements.

    With an untrusted schema SQLite lets no trigger write to a text index; the index is rebuilt at the end.
    """
    rows = connection.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'").fetchall()
    for trigger, _ in rows:
        connection.execute(f"DROP TRIGGER main.{name(trigger)}")
    return [sql for _, sql in rows]


def prepare(connection: sqlite3.Connection) -> None:
    """Bring the target up to the known schema: missing columns, tables and text index, without triggers."""
    for table, wanted in _canonical().items():
        standing = {column for column, _ in _columns(connection, "main", table)}
        for column, kind in wanted:
            if standing and column not in standing:
                _add(connection, table, column, kind, standing)
    for statement in _statements("table", "index"):
        connection.execute(statement)
    connection.execute("INSERT OR IGNORE INTO main.config (key, value) VALUES ('schema_version', '2')")


def finish(connection: sqlite3.Connection, triggers: list[str]) -> None:
    """Give the target its triggers back, or those of the known schema where none kept the text index."""
    kept = [sql for sql in triggers if _DERIVED in sql]
    for statement in triggers + ([] if kept else _statements("trigger")):
        connection.execute(statement)


def _statements(*kinds: str) -> list[str]:
    """Return the schema's CREATE statements of some kinds, each harmless where its object stands."""
    with closing(_known()) as connection:
        rows = connection.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        ).fetchall()
    ours = [
        (kind, sql)
        for kind, found, sql in rows
        if not found.startswith((_DERIVED + "_", "sqlite_")) or kind == "trigger"
    ]
    return [_softly(sql) for kind, sql in ours if kind in kinds]


def _softly(sql: str) -> str:
    kind = "VIRTUAL TABLE" if sql.startswith("CREATE VIRTUAL") else sql.split()[1]
    return sql.replace(f"CREATE {kind}", f"CREATE {kind} IF NOT EXISTS", 1)


def _add(connection: sqlite3.Connection, table: str, column: str, kind: str, standing: set[str]) -> None:
    connection.execute(f"ALTER TABLE main.{name(table)} ADD COLUMN {name(column)} {name(kind)}")
    other = _answering(column, standing)
    if other:
        connection.execute(f"UPDATE main.{name(table)} SET {name(column)} = {name(other)}")


def _answering(column: str, available: set[str]) -> str:
    """Return the column that carries the same thing: the one of that name, else one known by another name."""
    if column in available:
        return column
    for group in _ALIASES:
        if column in group:
            return next((other for other in group if other in available), "")
    return ""


def columns(connection: sqlite3.Connection, table: str, parents: Mapping[str, str]) -> Table:
    """Match the columns of one table, adding to the target what only the source has."""
    theirs = dict(_columns(connection, "old", table))
    ours = _made_room(connection, table, theirs)
    pairs = [(column, _answering(column, set(theirs))) for column in ours]
    own_key = not _counted(connection, table, ours)
    pairs = [(column, other) for column, other in pairs if other and (own_key or column != "id")]
    values = [(column, _value(column, other, parents)) for column, other in pairs]
    source = f"old.{name(table)}"
    if table == "config":
        source = "(SELECT rowid, * FROM old.config WHERE key <> 'schema_version')"
    names = ", ".join(name(column) for column, _ in pairs)
    compared = [_pair(column, value) for column, value in values]
    again = [_pair(column, f"s.{name(column)}") for column, _ in values]
    return Table(table, f"main.{name(table)}", source, names, values, compared, again)


def _pair(column: str, value: str) -> tuple[str, str, str]:
    return column, _compared(column, f"d.{name(column)}"), _compared(column, value)


def _made_room(connection: sqlite3.Connection, table: str, theirs: Mapping[str, str]) -> list[str]:
    ours = [column for column, _ in _columns(connection, "main", table)]
    if not ours:
        _create(connection, table)
        return list(theirs)
    for column, kind in theirs.items():
        if not _answering(column, set(ours)):
            connection.execute(f"ALTER TABLE main.{name(table)} ADD COLUMN {name(column)} {name(kind)}")
            ours.append(column)
    return ours


def _create(connection: sqlite3.Connection, table: str) -> None:
    """Create a table by the columns and the key of the source's; its own statement is not run."""
    rows = connection.execute(f"PRAGMA old.table_info({name(table)})").fetchall()
    parts = [f"{name(row[1])} {name(row[2]) if row[2] else ''}" for row in rows]
    key = [row[1] for row in sorted(rows, key=lambda row: row[5]) if row[5]]
    if key:
        parts.append("PRIMARY KEY (" + ", ".join(name(column) for column in key) + ")")
    connection.execute(f"CREATE TABLE main.{name(table)} ({', '.join(parts)})")


def _counted(connection: sqlite3.Connection, table: str, ours: list[str]) -> bool:
    """Tell whether `id` is only a running number of a known table, without meaning in another database."""
    return (
        "id" in ours
        and table in _canonical()
        and dict(_columns(connection, "main", table))["id"].upper() == "INTEGER"
    )


def _value(column: str, other: str, parents: Mapping[str, str]) -> str:
    value = f"s.{name(other)}"
    if column not in parents:
        return value
    moved = f"SELECT new FROM moved WHERE kind = '{parents[column]}' AND old = {value}"
    return f"coalesce(({moved}), {value})"


def _compared(column: str, value: str) -> str:
    """A moment is the same with a T or a space between date and time."""
    return f"replace({value}, 'T', ' ')" if column in _MOMENTS else value
