"""Whether the schema that a base holds is the one that Belay made: a byte of it that changed breaks every statement.

SQLite's own checks do not see that: to them a column of another name is as good as any.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from belay.knowledge.store import sql_scripts
from belay.knowledge.store.legacy import quote_name
from belay.knowledge.store.provenance import VERSION
from belay.knowledge.store.tables import carried_tables

_COMMENT = re.compile(r"--[^\n]*")
_WRONG_VERSION = f"had version {{}} and the schema of version {VERSION}"
_INDEXES = ("memory_fts", "memory_trigrams")
"""Text indexes; ordinary tables in a base that was made without full text search."""
_WRITTEN_BY_SQLITE = (*(f"{name}_" for name in _INDEXES), "sqlite_")


def find_difference(connection: sqlite3.Connection) -> str:
    """Return what is not as Belay makes it, "" where all is; an older version that waits to be brought up is sound.

    What a base holds beside (tables of earlier tools, of the extra `vectors`) is not looked at.
    """
    held, wanted = _read_schema(connection), _make_schema()
    version = _read_version(connection)
    lacking = sorted(name for _, name in wanted.keys() - held.keys() if name not in _INDEXES)
    if 0 < version < VERSION and lacking:
        return ""
    if lacking:
        return f"lacked {', '.join(lacking)}"
    changed = sorted(key[1] for key in wanted.keys() & held.keys() if held[key] != wanted[key])
    if changed:
        return f"had another schema ({', '.join(changed)})"
    return "" if version == VERSION else _WRONG_VERSION.format(version)


def find_wrong_version(connection: sqlite3.Connection) -> str:
    """Return what is wrong where a base has another version than its schema, "" where that fits."""
    version = _read_version(connection)
    wanted, held = _make_schema(), _read_schema(connection)
    own = {key: sql for key, sql in held.items() if not key[1].startswith(carried_tables.PREFIX)}
    wanted = {key: sql for key, sql in wanted.items() if key in own or key[1] not in _INDEXES}
    return _WRONG_VERSION.format(version) if own == wanted else ""


def _read_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make_schema() -> dict[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        sql_scripts.run_script(fresh, sql_scripts.SCHEMA)
        return _read_schema(fresh)


def read_texts(connection: sqlite3.Connection) -> None:
    """Read every row of Belay's tables: only that shows a text that is none; sqlite3.DatabaseError there."""
    for kind, name in _make_schema():
        if kind == "table":
            for _ in connection.execute(f"SELECT * FROM {quote_name(name)}"):
                pass


def _read_schema(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Return (kind, name) → statement without comments and white space.

    The tables of a text index are left out: each SQLite writes them as it likes, and checks them itself.
    """
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    found = {
        (str(kind), str(name)): "".join(_COMMENT.sub("", str(sql or "")).split())
        for kind, name, sql in rows
        if not str(name).startswith(_WRITTEN_BY_SQLITE)
    }
    return {key: sql for key, sql in found.items() if key[1] not in _INDEXES or sql.startswith("CREATEVIRTUAL")}
