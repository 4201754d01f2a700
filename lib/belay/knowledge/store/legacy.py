"""Databases of earlier tools, read and never trusted.

An original is never opened for writing: SQLite works on a copy. Names found in one are only ever used quoted, and
nothing that is stored in it is run: no view, trigger, generated column or virtual table is read.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import outputs
from belay.core.errors import BelayError
from belay.knowledge.store import database_file, provenance
from belay.repository import foreign_database

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    Row = dict[str, Any]  # of a database that somebody else wrote

WORKSHOP, VIBE, BELAY, OTHER = "claude-workshop", "vibe-memory", "belay", "database"
OWN, EARLIER = "own", "earlier"
_SHADOWS = ("_data", "_idx", "_docsize", "_config", "_segments", "_segdir", "_stat")
"""What a full text index keeps beside the text itself, which is in NAME_content (sqlite.org/fts5.html, 9)."""
MOST_BYTES, MOST_TABLES = 1 << 30, 200
SECONDS = 300.0
"""After this long whatever is read of one is given up: it may be made to loop."""
_VALUE_BYTES = 64 << 20
"""No text that is read of one is longer, where Python can say so to SQLite (3.11)."""
_LIMIT_LENGTH = 0  # SQLITE_LIMIT_LENGTH (sqlite.org/c3ref/c_limit_attached.html)
_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
_FUNCTIONS, _PRAGMAS = ("count", "typeof"), ("quick_check", "table_xinfo")
_TABLE = "CREATE TABLE "
"""How SQLite writes the statement of an ordinary table, and of nothing else (sqlite.org/schematab.html)."""


class Table(NamedTuple):
    """An ordinary table: its columns, and how many rows it has."""

    name: str
    columns: tuple[str, ...]
    rows: int


def find_trouble(path: str) -> str:
    """Return why a database must be left alone, "" where it is sound; the file itself is not changed.

    One with a log beside it is only complete together with that log, so it is checked when it is copied.
    """
    if not stat.S_ISREG(_read_mode(path)):
        return "is not a plain file"
    if os.path.getsize(path) == 0:
        return ""
    if os.path.getsize(path) > MOST_BYTES:
        return f"is over {MOST_BYTES >> 20} MiB"
    try:
        with open(path, "rb") as opened:
            if opened.read(len(database_file.MAGIC)) != database_file.MAGIC:
                return "is not an SQLite database"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return "" if any(os.path.lexists(path + end) for end in database_file.SIDECARS) else find_damage(path)


def _read_mode(path: str) -> int:
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0


def find_damage(path: str) -> str:
    """Return what SQLite's own check says against a database that nobody has open, "" where it is sound."""
    try:
        database_file.list_tables(path)  # a schema that takes over a second to be read is made for that
        with closing(_open(path)) as connection:
            answer = connection.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite3.Error, BelayError) as error:
        return f"is damaged ({error})"
    text = _decode(answer[0]) if answer else "no answer"
    return "" if text == "ok" else f"is damaged ({text})"


def _open(path: str, seconds: float = 0.0) -> sqlite3.Connection:
    """Return a connection that leaves no lock and no trace, and reads for `seconds` at most, 0 for SECONDS."""
    how = database_file.make_uri(path, "mode=ro&immutable=1")
    connection = sqlite3.connect(how, uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    if seconds and hasattr(connection, "setlimit"):
        connection.setlimit(_LIMIT_LENGTH, _VALUE_BYTES)
    _limit_time(connection, seconds)
    connection.text_factory = bytes
    connection.set_authorizer(_authorize)
    return connection


def _authorize(action: int, first: str | None, second: str | None, _: str | None, inside: str | None) -> int:
    """Allow plain reads only: nothing on behalf of a view or trigger (`inside`), and no function but our own."""
    allowed = action in _ALLOWED and inside is None
    allowed |= action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS
    allowed |= action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _limit_time(connection: sqlite3.Connection, seconds: float = 0.0) -> None:
    until = time.monotonic() + (seconds or SECONDS)
    connection.set_progress_handler(lambda: time.monotonic() > until, 1_000_000 if not seconds else 10_000)


def copy_database(path: str, work: str) -> str:
    """Copy a database to `work` with its log folded in; return what is wrong with it, "" for nothing."""
    return fold_copy(path, work) or find_damage(work)


def fold_copy(path: str, work: str) -> str:
    """Copy a database to `work` with its log folded in, unchecked; return why that failed, "" where it did not."""
    database_file.discard(work)
    try:
        outputs.copy_file(path, work)
        for end in ("-wal", "-journal"):
            if provenance.names_another(path + end):
                return "has a log that concerns other files"
            if os.path.exists(path + end):
                outputs.copy_file(path + end, work + end)
        if not any(os.path.lexists(work + end) for end in database_file.SIDECARS):
            return ""
        with closing(sqlite3.connect(work, isolation_level=None)) as connection:
            _limit_time(connection)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except (OSError, sqlite3.Error) as error:
        return f"is damaged ({error})"
    return ""


def find_tool(path: str, seconds: float = 0.0) -> str:
    """Return which tool made a database; it must have no log beside it."""
    with closing(_open(path, seconds)) as connection:
        names = set(_list_ordinary(connection)[0])
    if {"meta", "entries", "memory_files", "standards"} <= names:
        return BELAY
    return WORKSHOP if "entries" in names else VIBE if "memory_files" in names else OTHER


def find_owner(path: str, environ: Mapping[str, str]) -> str:
    """Return OWN for a base that this user's Belay made, EARLIER for another tool's, "" for a stranger's or none."""
    try:
        if not foreign_database.is_stamped(database_file.read_header(path), environ):
            return "" if "meta" in database_file.list_tables(path) else EARLIER
        with closing(sqlite3.connect(database_file.make_uri(path, "mode=ro&immutable=1"), uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").fetchone():
                return EARLIER
            return OWN if provenance.is_own(connection, environ) else ""
    except (sqlite3.Error, BelayError):
        return ""


def list_tables(path: str, only: Collection[str] = (), seconds: float = 0.0) -> tuple[list[Table], list[str]]:
    """Return the ordinary tables, or `only` some, and the names of what cannot be carried over by rows."""
    with closing(_open(path, seconds)) as connection:
        names, left = _list_ordinary(connection)
        names = [name for name in names if not only or name in only]
        read = [_read_table(connection, name) for name in names[:MOST_TABLES]]
    return [table for table in read if table.columns], left + names[MOST_TABLES:]


def _list_ordinary(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    named = [(_decode(name), _decode(sql or b"")) for name, sql in rows]
    virtual = {name for name, sql in named if sql.upper().startswith("CREATE VIRTUAL")}
    shadows = {name + end for name in virtual for end in _SHADOWS}
    plain = {name for name, sql in named if sql.upper().startswith(_TABLE)}
    ordinary = [n for n, _ in named if n in plain and n not in virtual | shadows and not n.startswith("sqlite_")]
    unreadable = {name for name, sql in named if name in virtual and "fts" not in sql.lower()}
    return ordinary, sorted(unreadable)


def _read_table(connection: sqlite3.Connection, name: str) -> Table:
    """Return a table with its stored columns: what SQLite computes is an expression of a stranger's."""
    rows = connection.execute(f"PRAGMA table_xinfo({quote_name(name)})").fetchall()
    columns = tuple(_decode(row[1]) for row in rows if row[6] == 0)
    count = connection.execute(f"SELECT count(*) FROM {quote_name(name)}").fetchone()[0] if columns else 0
    return Table(name, columns, int(count))


def get_text(row: Row, key: str) -> str:
    """Return a text of a row without blanks around it, "" for anything else."""
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def read_rows(path: str, table: Table, seconds: float = 0.0) -> Iterator[Row]:
    """Yield the rows of a table as {column: value}; a text that is not UTF-8 comes as bytes, as a blob does."""
    with closing(_open(path, seconds)) as connection:
        columns = ", ".join(f"{quote_name(column)}, typeof({quote_name(column)})" for column in table.columns)
        for row in connection.execute(f"SELECT {columns} FROM {quote_name(table.name)}"):
            values = (_decode_value(row[at], row[at + 1]) for at in range(0, len(row), 2))
            yield dict(zip(table.columns, values, strict=True))


def _decode_value(value: Any, kind: bytes) -> Any:
    if kind != b"text":
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value


def _decode(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def quote_name(word: str) -> str:
    """Return a name as SQL can only read it as a name."""
    return '"' + word.replace('"', '""') + '"'
