"""Rows of vectors, beside the texts of the index."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

_REPLACE = """
    INSERT OR REPLACE INTO memory_vectors (num, model, dim, vec) SELECT ?1, ?2, ?3, ?4
    WHERE EXISTS (SELECT 1 FROM memory_texts WHERE num = ?1)
"""


def write(connection: sqlite3.Connection, rows: Iterable[tuple[int, str, int, bytes]]) -> None:
    """Write vectors (number of the text, model, dimensions, bytes), unless their text went away meanwhile."""
    connection.executemany(_REPLACE, rows)


def delete_other_models(connection: sqlite3.Connection, model: str) -> None:
    """Take out the vectors that another model made."""
    connection.execute("DELETE FROM memory_vectors WHERE model <> ?", (model,))
