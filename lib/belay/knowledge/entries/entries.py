"""Entries as values, and their rows; they are written only through the ledger (`belay.knowledge.store.ledger`)."""

from __future__ import annotations

from belay.core import kinds
from belay.core.tuples import NamedTuple
from belay.knowledge.entries.states import (
    ACTIVE,
    CLAUDE,
    CURRENT,
    DONE,
    FORGOTTEN,
    HEARD,
    IS_CURRENT,
    SUPERSEDED,
    describe,
    is_person,
    join_reason,
)

try:
    from _blake2 import blake2b  # hashlib's import alone costs a fifth of a bare interpreter
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any

__all__ = [
    "ACTIVE",
    "CLAUDE",
    "CURRENT",
    "DONE",
    "FORGOTTEN",
    "HEARD",
    "IS_CURRENT",
    "SUPERSEDED",
    "describe",
    "is_person",
    "join_reason",
]
SOURCES = ("typed", "answered", "tool", "imported", "inferred", CLAUDE)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_ID_CHARS, _ID_MOST = 6, 12


class Entry(NamedTuple):
    """One fact of the knowledge base; times are UTC as in the journal."""

    id: str
    type: str
    content: str
    reasoning: str = ""
    status: str = ACTIVE
    priority: str = ""
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    branch: str = ""
    commit: str = ""
    session: str = ""
    source: str = "typed"
    confidence: float = 1.0
    superseded_by: str = ""
    created: str = ""
    updated: str = ""
    seen: int = 1
    recalled: int = 0
    used: int = 0
    helpful: int = 0
    harmful: int = 0
    tokens: int = 0
    num: int = 0

    @property
    def sure(self) -> str:
        """How sure it is, "said once, 22 Nov, not confirmed", or who else said it; "" where there is nothing to add."""
        return describe(self.status, self.created, self.seen, self.source)

    @property
    def line(self) -> str:
        """The entry as one line of prose, the reason behind it."""
        return join_reason(self.content, self.reasoning)


COLUMNS = (
    "id, type, content, reasoning, status, priority, branch, commit_hash, session, source, confidence, "
    "superseded_by, created, updated, seen, recalled, used, helpful, harmful, tokens, num"
)


def make_id(kind: str, content: str, taken: Iterable[str] = ()) -> str:
    """Return the id of an entry: D- for a decision, K- for others, and base32 of its content's hash.

    Two clones give the same words the same id. Six letters; one more for each id that other words have taken.
    """
    from belay.knowledge.entries.identity import identity  # reading needs none of it

    source = f"{kind}\n{identity(content)}".encode("utf-8", "replace")
    number = int.from_bytes(blake2b(source, digest_size=8).digest(), "big")
    letters = "".join(_LETTERS[number >> shift & 31] for shift in range(59, -1, -5))
    head, used = kinds.entry_words(kind)[0] + "-", set(taken)
    lengths = range(_ID_CHARS, _ID_MOST + 1)
    return next((head + letters[:n] for n in lengths if head + letters[:n] not in used), head + letters)


def load_entry(connection: sqlite3.Connection, entry: str) -> Entry | None:
    """Return one entry by its id, in any case of letters."""
    rows = _select(connection, "WHERE id = ?", (entry.upper(),))
    return rows[0] if rows else None


def load_by_numbers(connection: sqlite3.Connection, nums: Sequence[int]) -> list[Entry]:
    """Return entries by their numbers, in the order of the numbers given."""
    marks = ", ".join("?" * len(nums))
    by_number = {entry.num: entry for entry in _select(connection, f"WHERE num IN ({marks})", tuple(nums))}
    return [by_number[num] for num in nums if num in by_number]


def list_entries(
    connection: sqlite3.Connection,
    types: Sequence[str] = (),
    status: Sequence[str] = CURRENT,
    limit: int = 20,
    since: str = "",
    until: str = "",
    branch: str = "",
) -> list[Entry]:
    """Return entries of some types (all for none), states, times and branches, the newest first; limit -1 for all."""
    of_types = f"type IN ({', '.join('?' * len(types))}) AND " if types else ""
    where = (
        f"WHERE {of_types}status IN ({', '.join('?' * len(status))}) "
        "AND updated >= ? AND (? = '' OR updated <= ?) AND (? = '' OR branch = ?) "
        "ORDER BY updated DESC, num DESC LIMIT ?"
    )
    return _select(connection, where, (*types, *status, since, until, until, branch, branch, limit))


def load_reason(connection: sqlite3.Connection, num: int) -> str:
    """Return the reason of the entry of a number, "" for none."""
    row = connection.execute("SELECT reasoning FROM entries WHERE num = ?", (num,)).fetchone()
    return str(row[0]) if row else ""


def list_of_files(connection: sqlite3.Connection, paths: Sequence[str], limit: int = 20) -> list[Entry]:
    """Return entries that hold and are tied to any of some paths (a folder ends with "/"), the newest first."""
    marks = ", ".join("?" * len(paths))
    where = (
        f"WHERE {IS_CURRENT} AND id IN (SELECT entry_id FROM files WHERE file_path IN ({marks})) "
        "ORDER BY updated DESC, num DESC LIMIT ?"
    )
    return _select(connection, where, (*paths, limit)) if paths else []


def load_ids(connection: sqlite3.Connection) -> set[str]:
    """Return the ids of all entries, in whatever state."""
    return {str(row[0]) for row in connection.execute("SELECT id FROM entries")}


def _select(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[Entry]:
    rows = connection.execute(f"SELECT {COLUMNS} FROM entries {where}", values).fetchall()
    ids = [row[0] for row in rows]
    tags = _load_lists(connection, "tags", "tag", ids)
    files = _load_lists(connection, "files", "file_path", ids)
    return [Entry._make((*row[:6], tags.get(row[0], ()), files.get(row[0], ()), *row[6:])) for row in rows]


def _load_lists(connection: sqlite3.Connection, table: str, column: str, ids: list[str]) -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    for at in range(0, len(ids), 500):
        part = ids[at : at + 500]
        marks = ", ".join("?" * len(part))
        sql = f"SELECT entry_id, {column} FROM {table} WHERE entry_id IN ({marks}) ORDER BY rowid"
        for entry, value in connection.execute(sql, part):
            lists[entry] = (*lists.get(entry, ()), value)
    return lists
