"""The project's documents in the knowledge base: their rows, their sections, and the rules that stand in them.

All of it is derived from files: no ledger holds it, and an index run writes it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.entries import insights
from belay.knowledge.search import index_rows
from belay.knowledge.store import database, ledger

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Sequence

    from belay.knowledge.store.store import Store

    Part = tuple[int, int, str, str]

FOLDER, CODE, OUTPUT, FORM = "index_folder", "index_code", "index_output", "index_form"
"""What the base keeps about its index: where it lies, what was asked for, and by which rules it was cut."""


class Stamp(NamedTuple):
    """What tells whether a file changed: `mtime` in ns, `size` in bytes, `hash` of its bytes; `why` it was left out."""

    mtime: int
    size: int
    hash: str
    why: str = ""


class Document(NamedTuple):
    """A file as it is to stand in the index; `parts` are (first line, last line, title, text).

    `rules`: those that stand in it, tied to `folder`; "" where it is no file of rules.
    """

    path: str
    stamp: Stamp
    words: int
    parts: Sequence[Part]
    folder: str = ""
    rules: Sequence[insights.Insight] = ()


class Listed(NamedTuple):
    """An indexed file as people see it."""

    path: str
    sections: int
    words: int
    size: int
    indexed: str
    why: str


def folder(connection: sqlite3.Connection) -> str:
    """Return the folder that the documents' paths start from, "" before the first run."""
    return database.get(connection, FOLDER)


def stamps(connection: sqlite3.Connection) -> dict[str, Stamp]:
    """Return what is known of each file."""
    rows = connection.execute("SELECT path, mtime, size, hash, left_out FROM memory_files")
    return {path: Stamp(*rest) for path, *rest in rows}


def listed(connection: sqlite3.Connection) -> list[Listed]:
    """Return the indexed files by path, and those that were left out with the reason."""
    rows = connection.execute(
        "SELECT f.path, count(s.num), f.words, f.size, f.indexed, f.left_out FROM memory_files AS f "
        "LEFT JOIN sections AS s ON s.path = f.path GROUP BY f.path ORDER BY f.path"
    )
    return [Listed(*row) for row in rows]


def asked(connection: sqlite3.Connection, key: str, value: bool | None) -> bool:
    """Return whether OUTPUT or CODE is wanted: as said now, else as last time."""
    return database.get(connection, key) == "1" if value is None else value


def begin(connection: sqlite3.Connection, told: dict[str, str], anew: bool) -> None:
    """Note where a run's documents lie and how they are cut.

    Those of another folder are dropped; where the rules are others, or all is wanted `anew`, nothing counts as known.
    """
    standing = {key: database.get(connection, key) for key in told}
    if standing == told and not anew:
        return
    with database.transaction(connection):
        if standing[FOLDER] not in ("", told[FOLDER]):
            _remove(connection, stamps(connection))
        elif anew or standing[FORM] != told[FORM]:
            connection.execute("UPDATE memory_files SET mtime = -1, hash = ''")
        for key, value in told.items():
            database.put(connection, key, value)


def write(
    connection: sqlite3.Connection,
    documents: Iterable[Document],
    touched: Iterable[tuple[str, int]],
    now: str,
) -> int:
    """Put documents in place of what stood of them, and new times (ns) on files whose bytes are as they were.

    One transaction; return how many sections were written.
    """
    with database.transaction(connection):
        times = [(mtime, path) for path, mtime in touched]
        connection.executemany("UPDATE memory_files SET mtime = ? WHERE path = ?", times)
        number, rows = _next(connection), list[index_rows.Row]()
        for document in documents:
            _put(connection, document, now)
            rows += _rows(document, number + len(rows))
        connection.executemany(
            "INSERT INTO sections (num, path, start_line, end_line) VALUES (?, ?, ?, ?)",
            [row[:4] for row in rows],
        )
        index_rows.put_many(connection, rows)
    return len(rows)


def trust(connection: sqlite3.Connection, trusted: set[str]) -> None:
    """Say which files' rules may be told unasked."""
    if insights.trusted(connection) != trusted & insights.files(connection).keys():
        with database.transaction(connection):
            insights.trust(connection, trusted)


def renew(store: Store, before: set[str]) -> None:
    """Give rules that came since the ledger was folded what it holds of changes: one that was forgotten stays so."""
    new = insights.ids(store.connection) - before
    if new:
        with database.transaction(store.connection):
            ledger.again(store.connection, store.ledger, store.environ, new)


def remove(connection: sqlite3.Connection, paths: Collection[str]) -> None:
    """Take files out of the index, in one transaction."""
    with database.transaction(connection):
        _remove(connection, paths)


def _next(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT max(num) FROM sections").fetchone()
    return max(index_rows.SECTIONS, int(row[0] or 0) + 1)


def _put(connection: sqlite3.Connection, document: Document, now: str) -> None:
    _drop_sections(connection, document.path)
    connection.execute(
        "INSERT OR REPLACE INTO memory_files (path, mtime, size, hash, words, indexed, left_out) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (document.path, *document.stamp[:3], document.words, now, document.stamp.why),
    )
    if document.folder:
        insights.put(connection, document.path, document.folder, document.rules, now)


def _rows(document: Document, number: int) -> list[index_rows.Row]:
    return [index_rows.Row(num, document.path, *part) for num, part in enumerate(document.parts, number)]


def _remove(connection: sqlite3.Connection, paths: Collection[str]) -> None:
    insights.drop(connection, paths)
    for path in paths:
        _drop_sections(connection, path)
        connection.execute("DELETE FROM memory_files WHERE path = ?", (path,))


def _drop_sections(connection: sqlite3.Connection, path: str) -> None:
    rows = connection.execute("SELECT num FROM sections WHERE path = ?", (path,)).fetchall()
    for (num,) in rows:
        index_rows.drop(connection, num)
    if rows:
        connection.execute("DELETE FROM sections WHERE path = ?", (path,))
