"""Rows of the text index: entries below SECTIONS, sections of documents from there on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

SECTIONS = 1 << 32
"""The first number of a section."""


def put(
    connection: sqlite3.Connection, num: int, path: str, lines: tuple[int, int], title: str, text: str
) -> None:
    """Put a text into the index under its number, in place of what stood there."""
    drop(connection, num)
    connection.execute(
        "INSERT INTO memory_fts (rowid, path, start_line, end_line, title, text) VALUES (?, ?, ?, ?, ?, ?)",
        (num, path, *lines, title, text),
    )


def drop(connection: sqlite3.Connection, num: int) -> None:
    """Take a text out of the index."""
    connection.execute("DELETE FROM memory_fts WHERE rowid = ?", (num,))
    connection.execute("DELETE FROM memory_vectors WHERE num = ?", (num,))
