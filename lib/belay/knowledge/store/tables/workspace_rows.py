"""The rows of workspace.db: projects, their work trees, and the links between them; `workspace_entities` has others."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from belay.core import clock, files
from belay.core.lock import hold
from belay.knowledge.store import database, sql_scripts
from belay.knowledge.store.connection import Connection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypedDict

    class LinkRow(TypedDict):
        """A link: the two folders as the user named them, one before the other, and what the link is called."""

        home: str
        other: str
        how: str

    class ProjectRow(TypedDict):
        """A known project: its main checkout, its work trees, its remote, first and last activity (UTC)."""

        name: str
        home: str
        roots: list[str]
        remote: str
        first: str
        last: str
        links: list[LinkRow]


WAIT = 5.0
"""Seconds that another process may hold the file."""
SCRIPTS = ("workspace.sql", "workspace-2.sql")
"""What makes the tables, a version each: a file of an earlier version gets what it lacks."""
VERSION = len(SCRIPTS)
TABLES = ("projects", "roots", "links", "entities", "contacts", "learnings", "sources")
SIDECARS = ("-journal", "-wal", "-shm")


@contextmanager
def open_workspace(path: str, *, create: bool = False) -> Iterator[Connection | None]:
    """Open the file for one transaction, kept when the block ends well; None where there is none and none is made.

    A file that SQLite cannot read, or whose tables are others, is moved aside (`workspace.db.damaged-…`): sessions list
    their projects again. One process at a time has the file open, or it could be moved from under another one, whose
    journal SQLite would then play back into the new file.
    """
    if not create and not os.path.exists(path):
        yield None
        return
    try:
        with hold(f"{path}.lock", WAIT), closing(_open(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise database.explain_error(path, error) from None


def _open(path: str) -> Connection:
    try:
        return _connect(path)
    except sqlite3.DatabaseError as error:
        if not database.is_damage(error):
            raise
    _move_aside(path)
    return _connect(path)


def _move_aside(path: str) -> None:
    """Move a damaged file away, and what SQLite would play back into the new one."""
    aside = f"{path}.damaged-{clock.now()[:19].replace(':', '')}"
    for end in ("", *SIDECARS):
        if os.path.exists(path + end):
            files.replace(path + end, aside + end)


def _connect(path: str) -> Connection:
    files.make_folder(os.path.dirname(path))
    connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, factory=Connection)
    try:
        os.chmod(path, 0o600)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is forgotten leaves no trace in free pages
        connection.execute("BEGIN IMMEDIATE")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for script in SCRIPTS[version:]:
            sql_scripts.run_script(connection, os.path.join(sql_scripts.HERE, script))
        for table in TABLES:
            connection.execute(f"SELECT 1 FROM {table} LIMIT 0")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def save_project(connection: sqlite3.Connection, row: ProjectRow, root: str) -> None:
    """Insert a project, or bring its name, remote and last activity up to date; `root` is the work tree in use."""
    connection.execute(
        "INSERT INTO projects (home, name, remote, first, last) VALUES (?, ?, ?, ?, ?) ON CONFLICT (home) DO UPDATE"
        " SET name = excluded.name, remote = excluded.remote, last = max(last, excluded.last)",
        (row["home"], row["name"], row["remote"], row["first"], row["last"]),
    )
    connection.execute(
        "INSERT INTO roots (root, home, last) VALUES (?, ?, ?) ON CONFLICT (root) DO UPDATE"
        " SET home = excluded.home, last = max(last, excluded.last)",
        (root, row["home"], row["last"]),
    )


def list_projects(connection: sqlite3.Connection) -> list[ProjectRow]:
    """Return every project, the one worked in last first."""
    rows = connection.execute("SELECT home, name, remote, first, last FROM projects ORDER BY last DESC, home")
    return [
        {"name": name, "home": home, "roots": _list_roots(connection, home), "remote": remote, "first": first,
         "last": last, "links": _list_links(connection, home)}
        for home, name, remote, first, last in rows.fetchall()
    ]  # fmt: skip


def _list_roots(connection: sqlite3.Connection, home: str) -> list[str]:
    rows = connection.execute("SELECT root FROM roots WHERE home = ? ORDER BY last DESC, root", (home,))
    return [root for (root,) in rows]


def _list_links(connection: sqlite3.Connection, home: str) -> list[LinkRow]:
    query = "SELECT home, other, how FROM links WHERE home = ? OR other = ? ORDER BY home, other"
    return [{"home": one, "other": other, "how": how} for one, other, how in connection.execute(query, (home, home))]


def save_link(connection: sqlite3.Connection, home: str, other: str, how: str) -> None:
    """Link two projects; a link that they have gets the new words."""
    delete_link(connection, home, other)
    connection.execute(
        "INSERT INTO links (home, other, how, made) VALUES (?, ?, ?, ?)", (home, other, how, clock.now())
    )


def delete_link(connection: sqlite3.Connection, home: str, other: str) -> bool:
    """Delete the link of two projects, whichever way it was made; return whether there was one."""
    query = "DELETE FROM links WHERE (home = ? AND other = ?) OR (home = ? AND other = ?)"
    return connection.execute(query, (home, other, other, home)).rowcount > 0


def delete_project(connection: sqlite3.Connection, home: str) -> None:
    """Delete a project with its work trees and links."""
    connection.execute("DELETE FROM projects WHERE home = ?", (home,))
