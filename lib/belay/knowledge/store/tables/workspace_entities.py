"""More rows of workspace.db: entities and contacts of projects, and the index of the global memory's learnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

FOUND, HAND = "found", "hand"
"""Origins: read from the project's files, or given by the user. What was found is written anew each time."""
DECLARES, USES = "declares", "uses"
"""What a project does with an entity."""


class EntityRow(NamedTuple):
    """What a project declares or uses: `evidence` says where, in its files or in the user's words."""

    home: str
    kind: str
    name: str
    role: str
    origin: str
    evidence: str
    seen: str


class ContactRow(NamedTuple):
    """Whom to ask about a project: a name, `origin` (history, codeowners, hand), and for what."""

    home: str
    name: str
    origin: str
    about: str
    seen: str


class LearningRow(NamedTuple):
    """A line of the global memory: its number, its date, "" without one, its words."""

    line: int
    day: str
    text: str


def replace_entities(connection: sqlite3.Connection, home: str, rows: Sequence[EntityRow]) -> None:
    """Put what was found of a project in place of what was found before; what the user gave stays."""
    connection.execute("DELETE FROM entities WHERE home = ? AND origin = ?", (home, FOUND))
    connection.executemany("INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def save_entity(connection: sqlite3.Connection, row: EntityRow) -> None:
    """Keep one entity."""
    connection.execute("INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def delete_entity(connection: sqlite3.Connection, home: str, kind: str, name: str) -> bool:
    """Delete an entity that the user gave; return whether there was one."""
    query = "DELETE FROM entities WHERE home = ? AND kind = ? AND name = ? AND origin = ?"
    return connection.execute(query, (home, kind, name, HAND)).rowcount > 0


def list_entities(connection: sqlite3.Connection) -> list[EntityRow]:
    """Return every entity of every project."""
    query = "SELECT home, kind, name, role, origin, evidence, seen FROM entities ORDER BY kind, name, role, home"
    return [EntityRow(*row) for row in connection.execute(query)]


def replace_contacts(connection: sqlite3.Connection, home: str, rows: Sequence[ContactRow]) -> None:
    """Put the contacts that were found in place of those before; what the user gave stays."""
    connection.execute("DELETE FROM contacts WHERE home = ? AND origin != ?", (home, HAND))
    connection.executemany("INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?, ?)", rows)


def save_contact(connection: sqlite3.Connection, row: ContactRow) -> bool:
    """Keep one contact; return whether it is new."""
    query = "SELECT 1 FROM contacts WHERE home = ? AND origin = ? AND name = ?"
    known = connection.execute(query, (row.home, row.origin, row.name)).fetchone()
    connection.execute("INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?, ?)", row)
    return known is None


def delete_contact(connection: sqlite3.Connection, home: str, name: str) -> bool:
    """Delete a contact that the user gave; return whether there was one."""
    query = "DELETE FROM contacts WHERE home = ? AND name = ? AND origin = ?"
    return connection.execute(query, (home, name, HAND)).rowcount > 0


def list_contacts(connection: sqlite3.Connection) -> list[ContactRow]:
    """Return every contact, by project, those that the user gave first."""
    query = f"SELECT home, name, origin, about, seen FROM contacts ORDER BY home, origin != '{HAND}', origin, rowid"
    return [ContactRow(*row) for row in connection.execute(query)]


def find_stamp(connection: sqlite3.Connection, path: str) -> str:
    """Return which state of a file was indexed, "" for none."""
    row = connection.execute("SELECT stamp FROM sources WHERE path = ?", (path,)).fetchone()
    return str(row[0]) if row else ""


def replace_learnings(connection: sqlite3.Connection, path: str, stamp: str, rows: Sequence[LearningRow]) -> None:
    """Index the global memory as it is now."""
    connection.execute("DELETE FROM learnings")
    connection.executemany("INSERT INTO learnings VALUES (?, ?, ?)", rows)
    connection.execute("INSERT OR REPLACE INTO sources VALUES (?, ?)", (path, stamp))


def list_learnings(connection: sqlite3.Connection) -> list[LearningRow]:
    """Return what the global memory says, line by line."""
    return [LearningRow(*row) for row in connection.execute("SELECT line, day, text FROM learnings ORDER BY line")]
