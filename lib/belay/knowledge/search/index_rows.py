"""Rows of the text index: entries below SECTIONS, sections of documents from there on."""

from __future__ import annotations

from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

SECTIONS = 1 << 32
"""The first number of a section."""


class Row(NamedTuple):
    """A text to be found: number, the path that a result names, its lines there, what it is called, what it says."""

    num: int
    path: str
    start: int
    end: int
    title: str
    text: str


def put(
    connection: sqlite3.Connection, num: int, path: str, lines: tuple[int, int], title: str, text: str
) -> None:
    """Put a text into the index under its number, in place of what stood there."""
    drop(connection, num)
    put_many(connection, [Row(num, path, *lines, title, text)])


def put_many(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Put texts into the index whose numbers stand nowhere in it yet."""
    from belay.knowledge.search import word_parts

    rows = list(rows)
    seen = [f"{row.path} {row.title} {row.text}" for row in rows]
    found = [word_parts.of(text) for text in seen]
    connection.executemany(
        "INSERT INTO memory_fts (rowid, path, start_line, end_line, title, text, parts) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(*row, " ".join((row.path, *hidden))) for row, (hidden, _) in zip(rows, found, strict=True)],
    )
    connection.executemany(
        "INSERT INTO memory_texts (num, path, words) VALUES (?, ?, ?)",
        [
            (row.num, row.path if row.num >= SECTIONS else "", text.count(" ") + text.count("\n"))
            for row, text in zip(rows, seen, strict=True)
        ],
    )
    _names(connection, set().union(*(names for _, names in found)))


def _names(connection: sqlite3.Connection, found: set[str]) -> None:
    """Take in names that no text had before."""
    last = connection.execute("SELECT max(num) FROM memory_names").fetchone()[0] or 0
    connection.executemany(
        "INSERT OR IGNORE INTO memory_names (name) VALUES (?)", [(name,) for name in sorted(found)]
    )
    connection.execute(
        "INSERT INTO memory_trigrams (rowid, name) SELECT num, name FROM memory_names WHERE num > ?", (last,)
    )


def drop(connection: sqlite3.Connection, num: int) -> None:
    """Take a text out of the index."""
    connection.execute("DELETE FROM memory_fts WHERE rowid = ?", (num,))
    connection.execute("DELETE FROM memory_texts WHERE num = ?", (num,))
    connection.execute("DELETE FROM memory_vectors WHERE num = ?", (num,))
