"""The project's documents in the knowledge base: their rows, their sections, and the rules in them.

All of it is derived from files: no ledger holds it, and an index run writes it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.entries import insights
from belay.knowledge.store import database, ledger
from belay.knowledge.store.tables import document_rows
from belay.safety import labels

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Sequence

    from belay.knowledge.store.store import Store
    from belay.knowledge.store.tables.document_rows import Part

FOLDER, CODE, OUTPUT, FORM = "index_folder", "index_code", "index_output", "index_form"
"""What the base keeps about its index: its folder, what was asked for, and by which rules documents were cut."""


class Stamp(NamedTuple):
    """What shows whether a file changed: `mtime` in ns, `size` in bytes, `hash` of its bytes; `why` it was left out."""

    mtime: int
    size: int
    hash: str
    why: str = ""


class Document(NamedTuple):
    """A file as it is to be indexed; `parts` are (first line, last line, title, text).

    `rules`: those in it, tied to `folder`; "" where it is no file of rules.
    """

    path: str
    stamp: Stamp
    words: int
    parts: Sequence[Part]
    folder: str = ""
    rules: Sequence[insights.Insight] = ()


class IndexedFile(NamedTuple):
    """An indexed file as people see it."""

    path: str
    sections: int
    words: int
    size: int
    indexed: str
    why: str


def load_folder(connection: sqlite3.Connection) -> str:
    """Return the label of the folder that the documents' paths start from, "" before the first run."""
    return database.load_value(connection, FOLDER)


def find_folder(connection: sqlite3.Connection, *known: str) -> str:
    """Return that folder itself, "" before the first run; one whose label differs only if it is among the `known`."""
    return labels.find_name(load_folder(connection), known)


def load_stamps(connection: sqlite3.Connection) -> dict[str, Stamp]:
    """Return what is known of each file."""
    rows = connection.execute("SELECT path, mtime, size, hash, left_out FROM memory_files")
    return {path: Stamp(*rest) for path, *rest in rows}


def list_files(connection: sqlite3.Connection) -> list[IndexedFile]:
    """Return the indexed files by path, and those that were left out with the reason."""
    rows = connection.execute(
        "SELECT f.path, count(s.num), f.words, f.size, f.indexed, f.left_out FROM memory_files AS f "
        "LEFT JOIN sections AS s ON s.path = f.path GROUP BY f.path ORDER BY f.path"
    )
    return [IndexedFile(*row) for row in rows]


def load_choice(connection: sqlite3.Connection, key: str, value: bool | None) -> bool:
    """Return whether OUTPUT or CODE is wanted: as said now, else as last time."""
    return database.load_value(connection, key) == "1" if value is None else value


def begin_run(connection: sqlite3.Connection, values: dict[str, str], anew: bool) -> None:
    """Note the folder of a run's documents and how they are cut.

    Those of another folder are dropped; where the rules are others, or all is wanted `anew`, nothing counts as known.
    """
    stored = {key: database.load_value(connection, key) for key in values}
    if stored == values and not anew:
        return
    with database.Transaction(connection):
        if stored[FOLDER] not in ("", values[FOLDER]):
            _remove(connection, load_stamps(connection))
        elif anew or stored[FORM] != values[FORM]:
            document_rows.forget_contents(connection)
        for key, value in values.items():
            database.save_value(connection, key, value)


def write_documents(
    connection: sqlite3.Connection,
    documents: Sequence[Document],
    touched: Iterable[tuple[str, int]],
    now: str,
) -> int:
    """Write documents in place of their earlier rows, and new times (ns) on files whose bytes are as they were.

    One transaction; return how many sections were written.
    """
    with database.Transaction(connection):
        first = document_rows.next_number(connection)
        document_rows.set_times(connection, touched)
        for document in documents:
            stamp = document.stamp
            document_rows.replace_file(connection, document.path, stamp, document.words, now)
            if document.folder:
                insights.replace_rules(connection, document.path, document.folder, document.rules, now)
        sections = [(document.path, part) for document in documents for part in document.parts]
        return document_rows.add_sections(connection, first, sections)


def save_trusted(connection: sqlite3.Connection, trusted: set[str]) -> None:
    """Note which files' rules may be shown unasked."""
    if insights.load_trusted(connection) != trusted & insights.load_files(connection).keys():
        with database.Transaction(connection):
            insights.set_trusted(connection, trusted)


def replay_rules(store: Store, before: set[str]) -> None:
    """Apply the ledger's changes to rules that came after it was folded: one that was forgotten stays so."""
    new = insights.load_ids(store.connection) - before
    if new:
        with database.Transaction(store.connection):
            ledger.replay_changes(store.connection, store.ledger, store.environ, new)


def remove_files(connection: sqlite3.Connection, paths: Collection[str]) -> None:
    """Take files out of the index, in one transaction."""
    with database.Transaction(connection):
        _remove(connection, paths)


def _remove(connection: sqlite3.Connection, paths: Collection[str]) -> None:
    insights.delete_rules(connection, paths)
    for path in paths:
        document_rows.delete_file(connection, path)
