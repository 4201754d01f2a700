"""What a hook reads of the base when something was found in the index: a few rows, quickly, or nothing.

Opened for reading only, with a short wait; a base that is missing, damaged, busy or not this user's gives no rows, and
`why` says why. `entries` and `database` would cost three times as much to load (typing, urllib, hashlib).
"""

from __future__ import annotations

import os

from belay.core import files
from belay.knowledge.entries import recallable, states
from belay.knowledge.store import provenance
from belay.repository import foreign_database

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from typing import Any
else:
    from belay.knowledge.store.connection import sqlite3

WAIT = 0.05
"""Seconds a hook waits for a writer."""
MOST = 60
_COLUMNS = (
    "e.num, e.id, e.type, e.content, e.reasoning, e.priority, e.recalled, e.used, e.helpful, e.harmful, e.updated, "
    "e.status, e.created, e.seen, e.source, e.session"
)


class RecalledEntry:
    """The fields of an entry that a hook shows; `files` holds the path by which it was found, if any."""

    __slots__ = (
        "content", "created", "files", "harmful", "helpful", "id", "num", "priority", "reasoning", "recalled", "seen",
        "source", "session", "status", "type", "updated", "used",
    )  # fmt: skip

    def __init__(self, values: Sequence[Any], file: str = "") -> None:
        self.num, self.recalled, self.used, self.helpful, self.harmful = map(int, (values[0], *values[6:10]))
        self.id, self.type, self.content, self.reasoning, self.priority = map(str, values[1:6])
        self.updated, self.status, self.created = map(str, values[10:13])
        self.seen, self.source, self.session = int(values[13]), str(values[14]), str(values[15])
        self.files: tuple[str, ...] = (file,) if file else ()

    @property
    def line(self) -> str:
        return states.join_reason(self.content, self.reasoning)

    @property
    def spent(self) -> bool:
        return recallable.is_never_used(self.recalled, self.used, self.helpful)

    @property
    def is_doubtful(self) -> bool:
        """Whether it was shown in vain, or did harm more often than it helped."""
        return self.spent or self.harmful > self.helpful


class HookReader:
    """An open base, a context manager; without rows where it cannot be believed or read now."""

    def __init__(self, path: str, environ: Mapping[str, str]) -> None:
        self.why = ""
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = _open(path, environ)
            self.why = _find_refusal(self._connection, environ)
        except sqlite3.Error as error:
            self.why = str(error)

    def __enter__(self) -> HookReader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection:
            self._connection.close()

    def load_by_paths(self, paths: list[str]) -> list[RecalledEntry]:
        """Return the entries tied to any of some paths."""
        marks = ", ".join("?" * len(paths))
        rows = self._rows(
            f"SELECT {_COLUMNS}, e.metadata, f.file_path FROM files AS f JOIN entries AS e ON e.id = f.entry_id "
            f"WHERE f.file_path IN ({marks}) AND e.{states.IS_CURRENT} ORDER BY e.updated DESC LIMIT {MOST}",
            paths,
        )
        return [RecalledEntry(row, str(row[17])) for row in rows]

    def load_by_numbers(self, numbers: list[int]) -> list[RecalledEntry]:
        """Return the entries of some numbers, in the order of the numbers."""
        marks = ", ".join("?" * len(numbers))
        values = self._rows(
            f"SELECT {_COLUMNS}, e.metadata FROM entries AS e WHERE e.num IN ({marks}) AND e.{states.IS_CURRENT}",
            numbers,
        )
        rows = {int(row[0]): RecalledEntry(row) for row in values}
        return [rows[number] for number in numbers if number in rows]

    def load_by_ids(self, ids: list[str]) -> list[RecalledEntry]:
        """Return the entries of some ids that may be shown, in no order."""
        marks = ", ".join("?" * len(ids))
        sql = f"SELECT {_COLUMNS}, e.metadata FROM entries AS e WHERE e.id IN ({marks}) AND e.{states.IS_CURRENT}"
        return [RecalledEntry(row) for row in self._rows(sql, ids)]

    def compare(self, text: str, numbers: list[int]) -> dict[int, float]:
        """Return number → cosine of entries with a text; without vectors of this machine's table none."""
        from belay.knowledge.store.tables import meaning_rows
        from belay.knowledge.vectors import encoding

        if self._connection is None or self.why:
            return {}
        marks = ", ".join("?" * len(numbers))
        sql = f"SELECT num, vec FROM memory_meanings WHERE num IN ({marks})"
        try:
            encoder = meaning_rows.find_encoder(self._connection)
            asked = encoder.encode(text) if encoder else b""
            rows = self._connection.execute(sql, numbers).fetchall() if asked else []
        except sqlite3.Error:  # a base of an older Belay has no vectors yet
            return {}
        cosines = encoding.multiply_all(encoding.unpack(asked), [row[1] for row in rows]) if rows else []
        return dict(zip([int(row[0]) for row in rows], cosines, strict=True))

    def load_superseded(self) -> list[RecalledEntry]:
        """Return the entries that others replaced, those of late."""
        where = f"WHERE e.status = 'superseded' ORDER BY e.updated DESC LIMIT {MOST}"
        return [RecalledEntry(row) for row in self._rows(f"SELECT {_COLUMNS} FROM entries AS e {where}", [])]

    def terms(self, row: RecalledEntry) -> str:
        """Return what the index looked through of an entry: its text and reason, its tags, its files."""
        ties = self._rows(
            "SELECT tag FROM tags WHERE entry_id = ? UNION ALL SELECT file_path FROM files WHERE entry_id = ?",
            [row.id, row.id],
        )
        return " ".join((row.content, row.reasoning, *(str(tie[0]) for tie in ties)))

    def _rows(self, sql: str, values: list[Any]) -> list[Any]:
        """Return rows, those left out whose metadata keeps them from being shown (the fifteenth column)."""
        if self._connection is None or self.why:
            return []
        try:
            rows = self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self.why = str(error)
            return []
        return [row for row in rows if len(row) < 17 or not recallable.is_refused(str(row[16]))]


def _open(path: str, environ: Mapping[str, str]) -> sqlite3.Connection | None:
    head = _read_head(path)
    if not foreign_database.is_stamped(head, environ):
        path = foreign_database.locate(path, environ)
        head = _read_head(path)
        if not foreign_database.is_stamped(head, environ):
            return None
    if provenance.find_planted(path, head, environ) or _is_linked_out(path):
        return None
    from belay.knowledge.store.connection import Connection

    connection = sqlite3.connect(path, isolation_level=None, timeout=WAIT, factory=Connection)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _is_linked_out(path: str) -> bool:
    try:
        files.check_inside(path)
    except OSError:
        return True
    return False


def _read_head(path: str) -> bytes:
    return files.read(path, foreign_database.HEAD) if os.path.isfile(path) else b""


def _find_refusal(connection: sqlite3.Connection | None, environ: Mapping[str, str]) -> str:
    """Return why a base is not read, "" where it may be: a newer Belay's may mean something else."""
    if connection is None or not provenance.is_own(connection, environ):
        return "is missing or not this user's"
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    return f"has version {version}, this Belay knows up to {provenance.VERSION}" if version > provenance.VERSION else ""
