"""A damaged knowledge base is set aside and written again from the ledger: all that it held is there, or in files.

Damage is found when a base is opened, or while it is used: then a file beside it (`database_file.suspect_path`) says so
to whoever opens it next. Hooks only mark; commands, the MCP server and the consolidator repair.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

from belay.core import files
from belay.knowledge.store import database, database_file, schema_check

if TYPE_CHECKING:
    from collections.abc import Mapping


FOLLOW = "; documents follow with the next `belay index` or consolidation"
"""What follows where a base was written again from its ledger alone."""
ANNOUNCED = "told_again"
"""Key of the note that the repair was announced: it is announced once."""
SECONDS = 300.0
"""How long a check may take: a file may be made so that it never ends."""


def mark_suspect(path: str) -> None:
    """Mark a base that turned out to be damaged; where nothing can be written, the next one finds out for itself."""
    try:
        files.create(database_file.suspect_path(path))
    except OSError:
        return


def repair_base(path: str, environ: Mapping[str, str]) -> str:
    """Set a damaged base aside; return one line for the user, "" where it is sound after all.

    Damaged for a file that never was one of ours: it is left alone.
    """
    if not _is_base(path):
        raise database.Damaged(path, "is no SQLite database", "name another file with --db")
    with database.base_lock(path, environ):
        if not database_file.has_data(path):
            return ""
        why = find_damage(path)
        copy = _renew(path, environ) if why else ""
        if os.path.isfile(database_file.suspect_path(path)):
            os.unlink(database_file.suspect_path(path))
    line = f"{path} {why}: kept as {os.path.basename(copy)}, and written again from the ledger"
    return line + FOLLOW if why else ""


def _renew(path: str, environ: Mapping[str, str]) -> str:
    """Put an empty base in the place of one; return where that is kept. Who fills it need not wonder where it was."""
    copy = _set_aside(path)
    database.build_base(path, environ, **{ANNOUNCED: "1"})
    return copy


def set_aside_base(path: str, environ: Mapping[str, str]) -> str:
    """Set a base aside that is sound but of no use here; return where it is kept."""
    with database.base_lock(path, environ):
        return _set_aside(path)


def claim_announcement(connection: sqlite3.Connection) -> bool:
    """Whether nobody said yet that a base was written again."""
    try:
        sql = "INSERT OR IGNORE INTO meta (key, value) VALUES (?, '1')"
        return connection.execute(sql, (ANNOUNCED,)).rowcount > 0
    except sqlite3.OperationalError:  # busy, or not to be written
        return False


def _is_base(path: str) -> bool:
    return os.path.basename(path) == "workshop.db" or database_file.read_header(path).startswith(database_file.MAGIC)


def find_damage(path: str) -> str:
    """Return what SQLite's own checks say against a base, "" where it is sound."""
    if database_file.is_cut(path):
        return "was cut short"
    try:
        with closing(database_file.connect(path, database.WAIT)) as connection:
            until = time.monotonic() + SECONDS
            connection.set_progress_handler(lambda: time.monotonic() > until, 100_000)
            difference = schema_check.find_difference(connection)
            answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if answer == "ok" and not difference:
                schema_check.read_texts(connection)
                _check_text_index(connection)
    except sqlite3.OperationalError as error:
        return "" if database.may_pass(error) else f"was damaged ({error})"
    except sqlite3.DatabaseError as error:
        return f"was damaged ({error})"
    if answer != "ok":
        return f"was damaged ({answer})"
    return difference


def _check_text_index(connection: sqlite3.Connection) -> None:
    """Let the text index check itself (https://www.sqlite.org/fts5.html, 6.6); where it is none, that it is there."""
    if database.is_plain(connection):
        connection.execute("SELECT title, text FROM memory_fts LIMIT 1")
        return
    connection.execute("INSERT INTO memory_fts (memory_fts) VALUES ('integrity-check')")


def _set_aside(path: str) -> str:
    """Move a base and its logs away, the log first: no other base may meet it."""
    number, copy = 1, f"{path}.damaged-{database_file.format_moment()}"
    while os.path.lexists(copy):
        number += 1
        copy = f"{path}.damaged-{database_file.format_moment()}-{number}"
    for end in (*database_file.SIDECARS, ""):
        if os.path.lexists(path + end):
            files.replace(path + end, copy + end, sync=False)
    return copy
