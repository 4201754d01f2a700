"""Rows of entries: written with their tags, files and text in the index. Only the ledger's steps and indexing do so."""

from __future__ import annotations

from belay.knowledge.entries import entries
from belay.knowledge.store.tables import text_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from belay.knowledge.entries.entries import Entry

_ELSEWHERE = ("tags", "files", "num")
"""Fields of an entry that are no columns to write: two have tables of their own, SQLite numbers the row."""
_COLUMNS = entries.COLUMNS.removesuffix(", num")
_SETS = _COLUMNS.replace(",", " = ?,") + " = ?"
_MARKS = ", ".join("?" * len(_COLUMNS.split(", ")))
_UPDATE = f"UPDATE entries SET {_SETS} WHERE num = ?"
_INSERT = f"INSERT INTO entries ({_COLUMNS}) VALUES ({_MARKS})"


def write(connection: sqlite3.Connection, entry: Entry, about: str = "") -> None:
    """Write an entry, its lists and its text in the index, in place of the one with its id.

    `about`: what was talked about when it was said; without it, what is known of that stays.
    """
    values = tuple(value for name, value in zip(entry._fields, entry, strict=True) if name not in _ELSEWHERE)
    row = connection.execute("SELECT num FROM entries WHERE id = ?", (entry.id,)).fetchone()
    if row:
        num = int(row[0])
        connection.execute(_UPDATE, (*values, num))
    else:
        num = int(connection.execute(_INSERT, values).lastrowid or 0)
    _replace_list(connection, "tags", "tag", entry.id, entry.tags)
    _replace_list(connection, "files", "file_path", entry.id, entry.files)
    if entry.status == entries.FORGOTTEN:
        text_index.delete_text(connection, num)
        connection.execute("DELETE FROM contexts WHERE entry_id = ?", (entry.id,))
        return
    if about:
        connection.execute("INSERT OR REPLACE INTO contexts (entry_id, text) VALUES (?, ?)", (entry.id, about))
    path = entry.files[0] if entry.files else f"workshop.db#{entry.id}"
    title = " ".join((entry.type, *entry.tags, *entry.files))
    words = "\n".join(filter(None, (entry.content, entry.reasoning)))
    known = about or (text_index.load_about(connection, num) if row else "")
    text_index.replace_text(connection, num, path, (1, 1), title, words, known)


def _replace_list(connection: sqlite3.Connection, table: str, column: str, entry: str, values: tuple[str, ...]) -> None:
    connection.execute(f"DELETE FROM {table} WHERE entry_id = ?", (entry,))
    rows = [(entry, value) for value in dict.fromkeys(values)]
    connection.executemany(f"INSERT INTO {table} (entry_id, {column}) VALUES (?, ?)", rows)


def set_metadata(connection: sqlite3.Connection, entry: str, metadata: str) -> None:
    """Keep beside an entry what is known of it besides, as JSON."""
    connection.execute("UPDATE entries SET metadata = ? WHERE id = ?", (metadata, entry))


def delete(connection: sqlite3.Connection, entry: str) -> None:
    """Take an entry and its text in the index out of the base, where it is in it."""
    row = connection.execute("SELECT num FROM entries WHERE id = ?", (entry,)).fetchone()
    if row:
        text_index.delete_text(connection, int(row[0]))
        connection.execute("DELETE FROM contexts WHERE entry_id = ?", (entry,))
        connection.execute("DELETE FROM entries WHERE id = ?", (entry,))
