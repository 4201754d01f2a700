"""What each kind of the ledger's records does to the database (`belay.knowledge.store.ledger`), in its transaction."""

from __future__ import annotations

import sqlite3

from belay.core import json_codec
from belay.knowledge.entries import entries
from belay.knowledge.entries.entries import ACTIVE, Entry
from belay.knowledge.store import database
from belay.knowledge.store.tables import entry_rows, text_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from belay.knowledge.entries.nearby import Nearby

    Record = dict[str, Any]

COUNTS = ("recalled", "used", "helpful", "harmful", "tokens")
SETTABLE = ("type", "content", "reasoning", "status", "priority", "superseded_by", "tags", "files")
NEAR_LOOKED_AT = 40
"""Entries that share words with a new one and are compared with it."""


def take(connection: sqlite3.Connection, record: Record, among: Nearby | None = None) -> None:
    """Take an entry in; one of its id, or one that says the same, is counted instead."""
    entry = of(record)
    standing = entries.get(connection, entry.id)
    if standing is None:
        standing = among.find(entry) if among is not None else near(connection, entry)
    if standing is None or standing.status == entries.FORGOTTEN:
        entry_rows.write(connection, entry)
        _standard(connection, entry.id, record)
        if record.get("metadata"):
            metadata = json_codec.dumps(record["metadata"], spaced=True)
            entry_rows.set_metadata(connection, entry.id, metadata)
        return
    more = {"id": standing.id, "seen": 1, "tags": entry.tags, "files": entry.files, "time": entry.updated}
    _more(connection, {**more, "reasoning": entry.reasoning})
    _standard(connection, standing.id, record)


def of(record: Record) -> Entry:
    """Return the entry that a record tells of."""
    kind = str(record.get("type") or "note")
    content = str(record.get("content", ""))
    time = str(record.get("created") or record.get("time", ""))
    return Entry(
        id=str(record.get("id") or entries.name(kind, content)), type=kind, content=content,
        reasoning=str(record.get("reasoning", "")), status=str(record.get("status") or ACTIVE),
        priority=str(record.get("priority", "")), tags=_texts(record, "tags"), files=_texts(record, "files"),
        branch=str(record.get("branch", "")), commit=str(record.get("commit", "")),
        session=str(record.get("session", "")), source=str(record.get("source") or "typed"),
        confidence=float(record.get("confidence", 1.0)), superseded_by=str(record.get("superseded_by", "")),
        created=time, updated=time, seen=int(record.get("seen", 1)),
    )  # fmt: skip


def _texts(record: Record, key: str) -> tuple[str, ...]:
    values = record.get(key)
    return tuple(dict.fromkeys(map(str, values))) if isinstance(values, (list, tuple)) else ()


def near(connection: sqlite3.Connection, entry: Entry) -> Entry | None:
    """Return an active entry of the same type that says the same, None for none."""
    from belay.core import terms

    if database.is_plain(connection):
        return nearby(connection).find(entry)
    words = [word.replace('"', '""') for word in terms.informative(entry.content)][:24]
    if not words:
        return None
    query = " OR ".join(f'"{word}"' for word in words)
    rows = connection.execute(
        "SELECT e.num FROM memory_fts AS f JOIN entries AS e ON e.num = f.rowid "
        "WHERE memory_fts MATCH ? AND f.rowid < ? AND e.type = ? AND e.status = 'active' AND e.id NOT LIKE 'I-%' "
        "ORDER BY f.rank LIMIT ?",
        (query, text_index.SECTIONS, entry.type, NEAR_LOOKED_AT),
    ).fetchall()
    others = entries.by_num(connection, [row[0] for row in rows])
    from belay.knowledge.entries import similarity

    return next((other for other in others if similarity.same(other.content, entry.content)), None)


def _more(connection: sqlite3.Connection, record: Record) -> None:
    entry = entries.get(connection, str(record.get("id", "")))
    if entry is None:
        return
    entry_rows.write(connection, entry._replace(
        seen=entry.seen + int(record.get("seen", 1)), updated=max(entry.updated, str(record.get("time", ""))),
        tags=tuple(dict.fromkeys((*entry.tags, *_texts(record, "tags")))),
        files=tuple(dict.fromkeys((*entry.files, *_texts(record, "files")))),
        reasoning=entry.reasoning or str(record.get("reasoning", "")),
    ))  # fmt: skip


def _set(connection: sqlite3.Connection, record: Record) -> None:
    entry = entries.get(connection, str(record.get("id", "")))
    fields = record.get("set")
    if entry is None or not isinstance(fields, dict):
        return
    changes = {key: fields[key] for key in SETTABLE if key in fields}
    for key in ("tags", "files"):
        if key in changes:
            changes[key] = _texts(changes, key)
    entry_rows.write(connection, entry._replace(**changes, updated=str(record.get("time", ""))))


def _put(connection: sqlite3.Connection, record: Record) -> None:
    updated = str(record.get("updated", ""))
    standing = entries.get(connection, str(record.get("id", "")))
    if standing and standing.updated > updated:
        return
    recalled, used, helpful, harmful, tokens = (int(record.get(key, 0)) for key in COUNTS)
    entry = of(record)._replace(updated=updated, session=str(record.get("of_session", "")))
    entry_rows.write(connection, entry._replace(
        recalled=recalled, used=used, helpful=helpful, harmful=harmful, tokens=tokens
    ))  # fmt: skip
    _standard(connection, str(record["id"]), record)
    if record.get("foreign") and standing is None:
        metadata = json_codec.dumps({"imported": True}, spaced=True)
        entry_rows.set_metadata(connection, str(record["id"]), metadata)


def _count(connection: sqlite3.Connection, record: Record) -> None:
    """Put a session's counts in place of what was counted of it before."""
    counts = record.get("counts")
    for entry, told in counts.items() if isinstance(counts, dict) else ():
        of_session = (str(record.get("of") or record.get("session", "")), str(entry))
        before = connection.execute(
            f"SELECT {', '.join(COUNTS)} FROM counted WHERE session = ? AND entry_id = ?", of_session
        ).fetchone() or (0,) * len(COUNTS)
        now = tuple(int(told.get(key, 0)) for key in COUNTS)
        marks = ", ".join("?" * (2 + len(COUNTS)))
        connection.execute(
            f"INSERT OR REPLACE INTO counted (session, entry_id, {', '.join(COUNTS)}) VALUES ({marks})",
            (*of_session, *now),
        )
        sets = ", ".join(f"{key} = {key} + ?" for key in COUNTS)
        moved = (after - old for after, old in zip(now, before, strict=True))
        connection.execute(f"UPDATE entries SET {sets} WHERE id = ?", (*moved, str(entry)))


def _standard(connection: sqlite3.Connection, entry: str, record: Record) -> None:
    if "what_happened" in record:
        connection.execute(
            "INSERT OR IGNORE INTO standards (entry_id, what_happened, rule) VALUES (?, ?, ?)",
            (entry, str(record["what_happened"]), str(record.get("content", ""))),
        )


def _held(connection: sqlite3.Connection, record: Record) -> None:
    connection.execute(
        "UPDATE standards SET held = held + ?, broken = broken + ? WHERE entry_id = ?",
        (int(record.get("held", 0)), int(record.get("broken", 0)), str(record.get("id", ""))),
    )


def nearby(connection: sqlite3.Connection) -> Nearby:
    """Return what entries say, in memory: for many records at once."""
    from belay.knowledge.entries.nearby import Nearby  # a search loads no more than it needs

    return Nearby(connection)


def _carried(connection: sqlite3.Connection, record: Record) -> None:
    from belay.knowledge.store.tables import carried_tables

    (carried_tables.fold if record["kind"] == "upstream" else carried_tables.undo)(connection, record)


STEPS: dict[str, Callable[[sqlite3.Connection, Record], None]] = {
    "entry": take,
    "entry-more": _more,
    "entry-set": _set,
    "entry-put": _put,
    "entry-count": _count,
    "standard-count": _held,
    "upstream": _carried,
    "import-undone": _carried,
}
