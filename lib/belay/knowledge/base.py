"""Opening the knowledge base: made, migrated, and believed only where this user's Belay made it.

Everything in it can be written again, so it is synced lazily (WAL, synchronous NORMAL); the ledger is what lasts.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote

from belay import mark
from belay.errors import BelayError

if TYPE_CHECKING:
    from collections.abc import Mapping

SqlError = sqlite3.Error
"""What else a database may raise; other rooms know SQLite by this name only."""
VERSION = 1
WAIT = 10.0
"""Seconds a command waits for another writer."""
HERE = os.path.dirname(os.path.abspath(__file__))
MIGRATIONS = os.path.join(HERE, "migrations")
_MAGIC = b"SQLite format 3\0"


class Missing(BelayError):
    """There is no knowledge base yet."""


class Newer(BelayError):
    """The file was written by a newer Belay."""


class Damaged(BelayError):
    """The file is no whole SQLite database; it can be written again from the ledger and the files."""


class Earlier(BelayError):
    """The file is another tool's, to be taken over by `workshop init`."""


class Foreign(BelayError):
    """The file was not made by this user's Belay: it came with a clone."""


def open_base(
    path: str, environ: Mapping[str, str], *, create: bool = False, wait: float = WAIT
) -> sqlite3.Connection:
    """Return a connection in autocommit mode to the knowledge base at a path, brought up to this version.

    Missing unless it stands or may be created; Damaged, Newer, Earlier, Foreign where it cannot be used as it is.
    """
    if not _stands(path):
        if not create:
            raise Missing(path, "there is no knowledge base yet", "`workshop init` makes one")
        make(path, environ)
    try:
        connection = connect(path, wait)
        _check(connection, path, environ)
    except sqlite3.DatabaseError as error:
        raise broken(path, error) from None
    return connection


def broken(path: str, error: sqlite3.Error) -> BelayError:
    """Return what an error of SQLite means to a person."""
    if isinstance(error, sqlite3.OperationalError):
        return BelayError(path, f"cannot be used now ({error})", "try again")
    return Damaged(path, f"is damaged ({error})", "`belay rebuild db` writes it again")


def _stands(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:
        return False


def connect(path: str, wait: float = WAIT) -> sqlite3.Connection:
    """Return a connection with this house's settings; the file must stand."""
    with open(path, "rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise sqlite3.DatabaseError("file is not a database")
    address = f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode=rw"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=wait)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def make(path: str, environ: Mapping[str, str]) -> None:
    """Make an empty base beside the path and put it in place, unless another process was first."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    beside = f"{path}.{os.getpid()}.tmp"
    _discard(beside)
    connection = sqlite3.connect(beside, isolation_level=None)
    try:
        _fill(connection, environ)
    finally:
        connection.close()
    if os.path.exists(path) and os.path.getsize(path) == 0:
        os.replace(beside, path)
        return
    try:
        os.link(beside, path)
    except FileExistsError:
        pass
    except OSError:  # no hard links here
        os.rename(beside, path)
        return
    _discard(beside)


def _fill(connection: sqlite3.Connection, environ: Mapping[str, str]) -> None:
    with open(os.path.join(HERE, "schema.sql"), encoding="utf-8") as file:
        connection.executescript("BEGIN;\n" + file.read() + "COMMIT;")
    store = os.urandom(8).hex()
    rows = {"store": store, "mark": mark.of(environ, f"store {store}"), "place": "[]"}
    connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", rows.items())
    connection.execute("PRAGMA journal_mode = WAL")


def _discard(path: str) -> None:
    for name in (path, path + "-wal", path + "-shm", path + "-journal"):
        if os.path.lexists(name):
            os.unlink(name)


def _check(connection: sqlite3.Connection, path: str, environ: Mapping[str, str]) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise Newer(
            path,
            f"has version {version}, this Belay knows up to {VERSION}",
            "update Belay: nothing was changed",
        )
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        raise Earlier(path, "is an earlier tool's database", "`workshop init` takes it over, with a backup")
    if not is_own(connection, environ):
        raise Foreign(path, "was not made by your Belay", "`workshop init` takes it over, with a backup")
    migrate(connection, version)


def is_own(connection: sqlite3.Connection, environ: Mapping[str, str]) -> bool:
    """Whether this user's Belay made the base: its mark is keyed (`belay.mark`)."""
    told = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('store', 'mark')"))
    own = mark.of(environ, f"store {told.get('store', '')}")
    return bool(own) and told.get("mark") == own


def migrate(connection: sqlite3.Connection, version: int, folder: str = MIGRATIONS) -> None:
    """Bring a base up by the numbered scripts above its version (NNNN-name.sql), each in one transaction."""
    for name in sorted(os.listdir(folder)) if version < VERSION else ():
        number = int(name[:4]) if name[:4].isdigit() else 0
        if version < number <= VERSION:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                script = file.read()
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")


def get(connection: sqlite3.Connection, key: str, default: str = "") -> str:
    """Return a value that the base keeps about itself."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else default


def put(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a value."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )
