"""Rows of indexed files and of their sections; the caller holds the transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.knowledge.store.tables import text_index
from belay.knowledge.store.tables.text_index import IndexedText

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    Part = tuple[int, int, str, str]
    """First line, last line, title and text of a section."""

_REPLACE_FILE = """
    INSERT OR REPLACE INTO memory_files (path, mtime, size, hash, words, indexed, left_out)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_SECTION = "INSERT INTO sections (num, path, start_line, end_line) VALUES (?, ?, ?, ?)"


def forget_contents(connection: sqlite3.Connection) -> None:
    """Let every file count as changed, so that the next run reads it again."""
    connection.execute("UPDATE memory_files SET mtime = -1, hash = ''")


def set_times(connection: sqlite3.Connection, times: Iterable[tuple[str, int]]) -> None:
    """Note new modification times (path, ns) of files whose bytes are unchanged."""
    rows = [(mtime, path) for path, mtime in times]
    connection.executemany("UPDATE memory_files SET mtime = ? WHERE path = ?", rows)


def replace_file(
    connection: sqlite3.Connection, path: str, stamp: tuple[int, int, str, str], words: int, now: str
) -> None:
    """Write the row of a file, without sections; the stamp holds mtime, size, hash and why it was left out."""
    mtime, size, digest, why = stamp
    delete_sections(connection, path)
    connection.execute(_REPLACE_FILE, (path, mtime, size, digest, words, now, why))


def next_number(connection: sqlite3.Connection) -> int:
    """Return the number for the next section.

    Ask before sections are deleted: a vector that another process makes now must not fit the text that replaces one.
    """
    highest = connection.execute("SELECT max(num) FROM sections").fetchone()[0] or 0
    return max(text_index.SECTIONS, int(highest) + 1)


def add_sections(connection: sqlite3.Connection, first: int, sections: Iterable[tuple[str, Part]]) -> int:
    """Write new sections (path, part), numbered from `first`, with their texts in the index; return how many."""
    texts = [IndexedText(num, path, *part) for num, (path, part) in enumerate(sections, first)]
    connection.executemany(_INSERT_SECTION, [text[:4] for text in texts])
    text_index.add_texts(connection, texts)
    return len(texts)


def delete_file(connection: sqlite3.Connection, path: str) -> None:
    """Take a file and its sections out of the base."""
    delete_sections(connection, path)
    connection.execute("DELETE FROM memory_files WHERE path = ?", (path,))


def delete_sections(connection: sqlite3.Connection, path: str) -> None:
    """Take a file's sections and their texts in the index out of the base."""
    for (num,) in connection.execute("SELECT num FROM sections WHERE path = ?", (path,)).fetchall():
        text_index.delete_text(connection, num)
    connection.execute("DELETE FROM sections WHERE path = ?", (path,))
