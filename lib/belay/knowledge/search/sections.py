"""The sections of indexed documents, read from the text index."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.store.tables import text_index

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


class Section(NamedTuple):
    """One section: its document, its lines there, its headings, its text, when its file was changed (UTC)."""

    path: str
    start: int
    end: int
    title: str
    text: str
    time: str = ""


def load_sections(connection: sqlite3.Connection) -> Iterator[Section]:
    """Yield every section of every document, in order of their numbers."""
    cursor = connection.execute(
        "SELECT path, start_line, end_line, title, text, (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', mtime / 1000000000, "
        "'unixepoch') FROM memory_files AS m WHERE m.path = memory_fts.path) "
        "FROM memory_fts WHERE rowid >= ? ORDER BY rowid",
        (text_index.SECTIONS,),
    )
    return (Section(row[0], int(row[1]), int(row[2]), row[3], row[4], row[5] or "") for row in cursor)
