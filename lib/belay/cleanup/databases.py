"""SQLite files of earlier tools: are they whole, a copy with the log folded in, and the merge of two.

An original is never opened for writing: whatever SQLite has to do is done on a copy. Names found in a
database are only ever used quoted, and no statement stored in one is run by us.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from urllib.parse import quote

from belay.cleanup.places import SIDECARS, is_plain, trio

_HEADER = b"SQLite format 3\0"


def trouble(path: str) -> str:
    """Return why a database must be left alone, "" when it is whole; the file itself is not changed.

    One with a log beside it is only whole together with that log, so it is judged when it is copied.
    """
    if not is_plain(path):
        return "is not a plain file"
    if os.path.getsize(path) == 0:
        return ""
    try:
        with open(path, "rb") as file:
            if file.read(len(_HEADER)) != _HEADER:
                return "is not an SQLite database"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return "" if len(trio(path)) > 1 else damage(path)


def damage(path: str) -> str:
    """Return what SQLite's own check says against a database that nobody has open, "" when it is whole."""
    try:
        with closing(_open(path)) as connection:
            answer = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return f"is damaged ({error})"
    return "" if answer and answer[0] == "ok" else f"is damaged ({answer[0] if answer else 'no answer'})"


def address(path: str) -> str:
    """Return the URI that opens a file without a lock and without a trace."""
    return f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode=ro&immutable=1"


def _open(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address(path), uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def snapshot(path: str, work: str) -> str:
    """Copy a database to `work` with its log folded in; return what is wrong with it, "" when it is whole."""
    discard(work)
    try:
        shutil.copy2(path, work)
        for end in ("-wal", "-journal"):
            if os.path.exists(path + end):
                shutil.copy2(path + end, work + end)
        with closing(sqlite3.connect(work, isolation_level=None)) as connection:
            guard(connection)
            settle(connection)
    except (OSError, sqlite3.Error) as error:
        return f"is damaged ({error})"
    return damage(work)


def guard(connection: sqlite3.Connection) -> None:
    """Set a working copy up: nothing stored in it is trusted, and it is synced once, when it is done."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA synchronous = OFF")


def settle(connection: sqlite3.Connection) -> None:
    """Write everything into the one file, so that closing leaves nothing beside it."""
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def discard(work: str) -> None:
    """Remove a working copy and what stands beside it."""
    for path in (work, *(work + end for end in SIDECARS)):
        if os.path.lexists(path):
            os.unlink(path)
