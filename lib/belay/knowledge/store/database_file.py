"""A database as a file: what can be seen of it before SQLite opens it, and how it is opened."""

from __future__ import annotations

import os
import sqlite3
import time

from belay.core import files
from belay.core.errors import BelayError
from belay.knowledge.store import filesystem
from belay.knowledge.store.connection import Connection

SIDECARS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database that is open or was not closed."""
SECONDS = 1.0
"""How long a file of anybody's is looked at: it may hold a million tables."""
WAL = 2
"""Byte 18 of the file: the version that writing needs; 2 says WAL mode."""
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.~")
"""Bytes of a path that a URI takes as they are (RFC 3986, 2.3)."""
MAGIC = b"SQLite format 3\0"


def has_data(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:
        return False


def file_identity(path: str) -> tuple[int, int]:
    """Return (device, inode) of a file: other ones say that it was replaced; (0, 0) for none."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def suspect_path(path: str) -> str:
    """Return the file whose presence says that a base turned out to be damaged while it was used."""
    return path + ".suspect"


def read_header(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(100)
    except OSError as error:
        raise BelayError(path, f"cannot be read ({error.strerror})", "make it readable") from None


def is_cut(path: str) -> bool:
    """Whether a file is shorter than its header says, no log beside it (sqlite.org/fileformat.html, 1.3)."""
    header = read_header(path)
    if not header.startswith(MAGIC) or header[24:28] != header[92:96] or os.path.exists(path + "-wal"):
        return False
    size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    short = os.path.getsize(path) < pages * (65536 if size == 1 else size)
    return short and read_header(path) == header and not os.path.exists(path + "-wal")


def has_tables(path: str, *wanted: str) -> bool:
    """Whether a file that is only looked at has tables of these names."""
    try:
        return set(wanted) <= list_tables(path)
    except sqlite3.Error:
        return False


def list_tables(path: str) -> set[str]:
    """Return the names of a database's tables; it is only looked at, without lock or trace, for SECONDS."""
    if not read_header(path).startswith(MAGIC):
        raise sqlite3.DatabaseError("file is not a database")
    connection = sqlite3.connect(make_uri(path, "mode=ro&immutable=1"), uri=True, factory=Connection)
    until = time.monotonic() + SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
    try:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    finally:
        connection.close()
    return {str(row[0]) for row in rows}


def make_uri(path: str, how: str) -> str:
    """Return the URI of a file; `urllib` would cost a quarter of a bare interpreter."""
    plain = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in os.fsencode(os.path.abspath(path)))
    return f"file:{plain}?{how}"


def connect(path: str, wait: float = 0.0) -> sqlite3.Connection:
    """Return a connection with Belay's settings; it must exist. BelayError for a link out of a project."""
    try:
        files.check_inside(path)
    except OSError:
        raise BelayError(path, "is a link out of this project", "remove the link") from None
    if not read_header(path).startswith(MAGIC):
        raise sqlite3.DatabaseError("file is not a database")
    if filesystem.is_read_only(path):
        return _connect_read_only(path, wait)
    # Closing a file that SQLite has open drops its locks (sqlite.org/howtocorrupt.html, 2.2): looked at before.
    logged = read_header(path)[18] == WAL
    uri = make_uri(path, "mode=rw")
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=wait, factory=Connection)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    if logged and filesystem.is_network(path):
        connection.execute("PRAGMA journal_mode = DELETE")
    return connection


def _connect_read_only(path: str, wait: float) -> sqlite3.Connection:
    """Return a connection to a base on read-only media; with a log beside it that cannot be read, as it was before."""
    logged = has_data(path + "-wal")
    for how in ("mode=ro", "mode=ro&immutable=1") if logged else ("mode=ro&immutable=1",):
        uri = make_uri(path, how)
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=wait, factory=Connection)
        connection.execute("PRAGMA trusted_schema = OFF")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            break
        except sqlite3.OperationalError:
            connection.close()
    return connection


def set_aside_logs(path: str) -> None:
    """Move away what SQLite kept beside a base that is gone: its log would be taken for the new one's."""
    set_aside(path, [path + end for end in SIDECARS if os.path.lexists(path + end)])


def set_aside(path: str, logs: list[str]) -> None:
    """Move logs away from beside a base; SQLite makes the shared memory of a log anew."""
    for log in logs:
        files.replace(log, f"{path}.left-{format_moment()}{log[len(path) :]}", sync=False)


def format_moment() -> str:
    """Return the moment as part of a file's name."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def discard(path: str) -> None:
    """Remove a database that was only being made, with its logs."""
    for name in (path, *(path + end for end in SIDECARS)):
        if os.path.lexists(name):
            os.unlink(name)
