"""What came with a clone, seen by a database's first bytes and its logs, before SQLite opens the file.

Whoever opens a database runs its schema, and rolls back or forward whatever log is beside it. So the header of a base
carries the user's own number (`repository/foreign_database`), and a log that git tracks is not ours.
Hot hooks load this: no sqlite3.
"""

from __future__ import annotations

import os

from belay.core import files, signatures
from belay.repository import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

VERSION = 3
"""Of the schema: a base with a higher one was written by a newer Belay."""
WAL = 2
"""Byte 18 of the header (sqlite.org/fileformat.html, 1.3): the version for writing."""
_SUPER = bytes.fromhex("d9d505f920a163d7")
"""How a journal ends that names a file which SQLite deletes after rolling back (fileformat.html, 3)."""


def is_own(connection: sqlite3.Connection, environ: Mapping[str, str]) -> bool:
    """Whether this user's Belay made the base: its mark is keyed (`belay.core.signatures`)."""
    stored = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('store', 'mark')"))
    mark = signatures.sign_name(environ, f"store {stored.get('store', '')}")
    return bool(mark) and stored.get("mark") == mark


def find_planted(path: str, head: bytes, environ: Mapping[str, str]) -> list[str]:
    """Return the logs beside a base of ours that are none of its own."""
    journal, log = path + "-journal", path + "-wal"
    planted = [one for one in (journal, log, path + "-shm") if _is_special(one)]
    if journal not in planted and _read_size(journal) and (head[18] == WAL or names_another(journal)):
        planted.append(journal)
    logs = [one for one in (journal, log) if one not in planted and _read_size(one)]
    tracked = _read_git_index(path, environ) if logs else b""
    return planted + [one for one in logs if os.fsencode(os.path.basename(one)) in tracked]


def _is_special(path: str) -> bool:
    """Whether there is a link, a pipe or a folder at a path: SQLite would follow it, or wait for ever."""
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path))


def _read_size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def names_another(journal: str) -> bool:
    """Whether a journal is a link, or names a file that SQLite would delete."""
    end = max(0, _read_size(journal) - len(_SUPER))
    return os.path.islink(journal) or files.read_from(journal, end) == _SUPER


def _read_git_index(path: str, environ: Mapping[str, str]) -> bytes:
    """Return git's list of tracked files, which holds paths as they are; b"" without git."""
    project = projects.find(os.path.dirname(path), environ)
    return projects.read_index(project) if project else b""
