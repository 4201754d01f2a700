"""The text index: texts of entries and of document sections, the words of them, and a scratch index in memory.

Entries have the numbers of their rows, below SECTIONS; sections of documents have numbers from there on.
"""

from __future__ import annotations

import sqlite3

from belay.core.tuples import NamedTuple
from belay.knowledge.store.tables import meaning_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECTIONS = 1 << 32
"""The first number of a section."""
_INSERT = """
    INSERT INTO memory_fts (rowid, path, start_line, end_line, title, text, parts) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_NAMES = "INSERT INTO memory_trigrams (rowid, name) SELECT num, name FROM memory_names WHERE num > ?"
_VOCABULARY = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_rows USING fts5vocab (main, memory_fts, row)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_spots USING fts5vocab (main, memory_fts, instance)",
)
_SCRATCH_TABLES = (
    "CREATE VIRTUAL TABLE one USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE stems USING fts5vocab ('one', 'instance')",
)
_SCRATCH: list[sqlite3.Connection] = []


class IndexedText(NamedTuple):
    """A text to be found: number, the path that a result names, its lines there, its title, its words.

    `about`: what was talked about when an entry was said. Its words count like parts of names, and are never shown.
    """

    num: int
    path: str
    start: int
    end: int
    title: str
    text: str
    about: str = ""


def replace_text(
    connection: sqlite3.Connection, num: int, path: str, lines: tuple[int, int], title: str, text: str, about: str = ""
) -> None:
    """Write a text under its number, in place of the one with that number."""
    delete_text(connection, num)
    add_texts(connection, [IndexedText(num, path, *lines, title, text, about)])


def add_texts(connection: sqlite3.Connection, texts: Iterable[IndexedText]) -> None:
    """Write texts whose numbers are not in the index yet."""
    from belay.knowledge.search import word_parts

    texts = list(texts)
    contents = [f"{text.path} {text.title} {text.text}" for text in texts]
    parts = [word_parts.split_words(content) for content in contents]
    connection.executemany(
        _INSERT,
        [
            (*text[:-1], " ".join((text.path, *hidden, text.about)))
            for text, (hidden, _) in zip(texts, parts, strict=True)
        ],
    )
    connection.executemany(
        "INSERT INTO memory_texts (num, path, words) VALUES (?, ?, ?)",
        [
            (text.num, text.path if text.num >= SECTIONS else "", content.count(" ") + content.count("\n"))
            for text, content in zip(texts, contents, strict=True)
        ],
    )
    _add_names(connection, set().union(*(names for _, names in parts)))
    meant = [(text.num, find_meant(text.num, text.title, text.text), text.about) for text in texts]
    meaning_rows.add(connection, meant)


def find_meant(num: int, title: str, text: str) -> str:
    """Return what of a text its vector is made of: a section's headings too, but not the tags and files of an entry."""
    return f"{title}\n{text}" if num >= SECTIONS else text


def load_about(connection: sqlite3.Connection, num: int) -> str:
    """Return what was talked about when an entry was said, "" where nobody knows."""
    sql = "SELECT c.text FROM contexts AS c JOIN entries AS e ON e.id = c.entry_id WHERE e.num = ?"
    row = connection.execute(sql, (num,)).fetchone()
    return str(row[0]) if row else ""


def _add_names(connection: sqlite3.Connection, names: set[str]) -> None:
    """Write the names that no text had before, and their trigrams."""
    last = connection.execute("SELECT max(num) FROM memory_names").fetchone()[0] or 0
    connection.executemany("INSERT OR IGNORE INTO memory_names (name) VALUES (?)", [(name,) for name in sorted(names)])
    connection.execute(_INSERT_NAMES, (last,))


def load_texts(connection: sqlite3.Connection, nums: Sequence[int]) -> list[str]:
    """Return texts of the index as they were written; "" where there is none."""
    marks = ", ".join("?" * len(nums))
    found = dict(connection.execute(f"SELECT rowid, text FROM memory_fts WHERE rowid IN ({marks})", nums))
    return [str(found.get(num, "")) for num in nums]


def delete_text(connection: sqlite3.Connection, num: int) -> None:
    """Take a text, with its vector, out of the index."""
    connection.execute("DELETE FROM memory_fts WHERE rowid = ?", (num,))
    connection.execute("DELETE FROM memory_texts WHERE num = ?", (num,))
    connection.execute("DELETE FROM memory_vectors WHERE num = ?", (num,))
    meaning_rows.delete(connection, num)


def open_vocabulary(connection: sqlite3.Connection) -> None:
    """Make the index's own vocabulary readable, as tables of the connection's temporary schema."""
    for statement in _VOCABULARY:
        connection.execute(statement)


def load_scratch(*texts: str) -> sqlite3.Connection:
    """Return a base in memory whose text index, `one`, holds only these texts, in rows from 1 on.

    OperationalError without FTS5.
    """
    if not _SCRATCH:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        for statement in _SCRATCH_TABLES:
            connection.execute(statement)
        _SCRATCH.append(connection)
    _SCRATCH[0].execute("DELETE FROM one")
    _SCRATCH[0].executemany("INSERT INTO one (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
    return _SCRATCH[0]
