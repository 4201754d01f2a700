"""Two Workshop databases become one, row by row: nothing twice, nothing lost.

Rows are compared and copied by SQL alone, so a value keeps its exact type and bytes. A row whose id stands
with another content gets a second id that says where it came from (`<id>~workshop`), and its tags follow it.
What finds no place is named in `Outcome.lost`.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import NamedTuple
from urllib.parse import quote

from belay.cleanup import databases
from belay.cleanup.tables import Table, columns, finish, name, prepare, silence, tables

KEYS = {"entries": "id", "sessions": "id", "config": "key"}
PARENTS = {"entry_id": "entries", "session_id": "sessions"}
_PARENTS_FIRST = ("entries", "sessions")
_NAMES_TRIED = 50


class Outcome(NamedTuple):
    """What a merge did, in rows: added, already there, added under a second id; and what found no place."""

    added: int
    present: int
    renamed: int
    lost: list[str]
    problem: str = ""


def merge(target: str, source: str, origin: str, made: str) -> Outcome:
    """Write target and source merged to the file `made`; both stay as they are.

    `source` must have no log beside it (see databases.snapshot). `problem` tells why there is no merged file.
    """
    problem = databases.snapshot(target, made)
    if problem:
        return Outcome(0, 0, 0, [], problem)
    try:
        with closing(sqlite3.connect(f"file:{quote(os.fsencode(made))}", uri=True)) as connection:
            connection.isolation_level = None
            outcome = _merge(connection, source, origin)
            databases.settle(connection)
    except sqlite3.Error as error:
        return Outcome(0, 0, 0, [], f"cannot be merged ({error})")
    return outcome._replace(problem=databases.damage(made))


def _merge(connection: sqlite3.Connection, source: str, origin: str) -> Outcome:
    databases.guard(connection)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("ATTACH ? AS old", (databases.address(source),))
    connection.execute("CREATE TEMP TABLE moved (kind, place, old, new)")
    connection.execute("CREATE TEMP TABLE fresh (place, old, new)")
    connection.execute("CREATE INDEX temp.moved_by_id ON moved (kind, old)")
    found = tables(connection, "old")
    triggers = silence(connection)
    prepare(connection)
    total = Outcome(0, 0, 0, [f"table {table}" for table in found.foreign])
    for table in sorted(found.names, key=lambda table: (table not in _PARENTS_FIRST, table)):
        total = _sum(total, _table(connection, table, origin))
    finish(connection, triggers)
    return _sum(total, _index(connection))


def _sum(one: Outcome, two: Outcome) -> Outcome:
    counts = (one.added + two.added, one.present + two.present, one.renamed + two.renamed)
    return Outcome(*counts, one.lost + two.lost)


def _table(connection: sqlite3.Connection, table: str, origin: str) -> Outcome:
    """Merge one table, all or nothing."""
    connection.execute("BEGIN")
    try:
        shape = columns(connection, table, PARENTS)
        outcome = _keyed(connection, shape, origin) if table in KEYS else _rows(connection, shape)
    except sqlite3.Error as error:
        connection.execute("ROLLBACK")
        return Outcome(0, 0, 0, [f"table {table} ({error})"])
    connection.execute("COMMIT")
    return outcome


def _keyed(connection: sqlite3.Connection, shape: Table, origin: str) -> Outcome:
    """Merge rows that have an id of their own: the same row once, another row under a second id."""
    key = name(KEYS[shape.table])
    added = renamed = 0
    for number in range(_NAMES_TRIED):
        mark = "" if number == 0 else f"~{origin}" + ("" if number == 1 else f"-{number}")
        count = _keyed_once(connection, shape, key, mark)
        added, renamed = added + count, renamed + (count if mark else 0)
        if not connection.execute(f"SELECT 1 {_waiting(shape, key)} LIMIT 1").fetchone():
            break
    source = connection.execute(f"SELECT count(*) FROM {shape.source}").fetchone()[0]
    settled = connection.execute("SELECT count(*) FROM moved WHERE kind = ?", (shape.table,)).fetchone()[0]
    lost = [f"{source - settled} rows of {shape.table}"] if source > settled else []
    return Outcome(added, settled - added, renamed, lost)


def _waiting(shape: Table, key: str) -> str:
    return (
        f"FROM {shape.source} AS s WHERE s.{key} IS NOT NULL AND NOT EXISTS"
        f" (SELECT 1 FROM moved WHERE kind = '{shape.table}' AND old = s.{key} AND place = s.rowid)"
    )


def _keyed_once(connection: sqlite3.Connection, shape: Table, key: str, mark: str) -> int:
    """Settle the waiting rows that stand under id + mark, or for which it is free; return the added."""
    candidate = f"(s.{key} || :mark)" if mark else f"s.{key}"
    said = {"mark": mark, "kind": shape.table}
    equal = " AND ".join(
        f"{have} IS {want}" for column, have, want in shape.compared if column != KEYS[shape.table]
    )
    waiting = _waiting(shape, key)
    connection.execute(
        f"INSERT INTO moved SELECT :kind, s.rowid, s.{key}, {candidate} {waiting} AND EXISTS"
        f" (SELECT 1 FROM {shape.target} AS d WHERE d.{key} = {candidate} AND {equal or '1'})",
        said,
    )
    connection.execute("DELETE FROM fresh")
    connection.execute(
        f"INSERT INTO fresh SELECT min(s.rowid), s.{key}, {candidate} {waiting} AND NOT EXISTS"
        f" (SELECT 1 FROM {shape.target} AS d WHERE d.{key} = {candidate}) GROUP BY s.{key}",
        said,
    )
    values = ", ".join("f.new" if column == KEYS[shape.table] else value for column, value in shape.values)
    added = connection.execute(
        f"INSERT INTO {shape.target} ({shape.names}) SELECT {values}"
        f" FROM fresh AS f JOIN {shape.source} AS s ON s.rowid = f.place"
    ).rowcount
    connection.execute("INSERT INTO moved SELECT :kind, place, old, new FROM fresh", {"kind": shape.table})
    return added


def _rows(connection: sqlite3.Connection, shape: Table) -> Outcome:
    """Merge rows without an id that means anything: each as often as the richer side has it."""
    before = _missing(connection, shape)
    total = connection.execute(f"SELECT count(*) FROM {shape.source}").fetchone()[0]
    if before:
        wanted = f"SELECT {shape.names} FROM ({_beyond(shape)})"
        connection.execute(f"INSERT OR IGNORE INTO {shape.target} ({shape.names}) {wanted}")
    after = _missing(connection, shape) if before else 0
    lost = [f"{after} rows of {shape.table}"] if after else []
    return Outcome(before - after, total - before, 0, lost)


def _missing(connection: sqlite3.Connection, shape: Table) -> int:
    count: int = connection.execute(f"SELECT count(*) FROM ({_beyond(shape)})").fetchone()[0]
    return count


def _beyond(shape: Table) -> str:
    """SQL for the source's rows that the target has fewer times."""
    values = ", ".join(f"{value} AS {name(column)}" for column, value in shape.values)
    equal = " AND ".join(f"{have} IS {want}" for _, have, want in shape.again)
    plain = f"SELECT {values} FROM {shape.source} AS s"
    nth = f"row_number() OVER (PARTITION BY {shape.names}) AS belay_nth"
    standing = f"SELECT count(*) FROM {shape.target} AS d WHERE {equal}"
    return f"SELECT * FROM (SELECT *, {nth} FROM ({plain})) AS s WHERE belay_nth > ({standing})"


def _index(connection: sqlite3.Connection) -> Outcome:
    """Read the text index anew from the entries."""
    try:
        connection.execute("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')")
    except sqlite3.Error as error:
        return Outcome(0, 0, 0, [f"text index ({error})"])
    return Outcome(0, 0, 0, [])
