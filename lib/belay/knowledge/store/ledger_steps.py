"""What each kind of ledger record does to the database; the caller (`ledger`) holds the transaction."""

from __future__ import annotations

import sqlite3

from belay.core import json_codec
from belay.knowledge.entries import entries
from belay.knowledge.entries.entries import ACTIVE, HEARD, Entry
from belay.knowledge.store import database
from belay.knowledge.store.tables import entry_rows, text_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from belay.knowledge.entries.nearby import Nearby
    from belay.knowledge.store.records import (
        ChangeRecord,
        CountRecord,
        EntryRecord,
        MergedRecord,
        RepeatRecord,
        RuleRecord,
        SessionRecord,
        UndoneRecord,
        UpstreamRecord,
    )

COUNTS = ("recalled", "used", "helpful", "harmful", "tokens")
SETTABLE = ("type", "content", "reasoning", "status", "priority", "superseded_by", "tags", "files")
NEAR_LOOKED_AT = 40
"""Entries that share words with a new one and are compared with it."""
_COUNTS = ", ".join(COUNTS)
_COUNTED = f"SELECT {_COUNTS} FROM counted WHERE session = ? AND entry_id = ?"
_REPLACE_COUNTED = f"INSERT OR REPLACE INTO counted (session, entry_id, {_COUNTS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_ADD_COUNTS = f"UPDATE entries SET {', '.join(f'{key} = {key} + ?' for key in COUNTS)} WHERE id = ?"
_INSERT_RULE = "INSERT OR IGNORE INTO standards (entry_id, what_happened, rule) VALUES (?, ?, ?)"
_COUNT_RULE = "UPDATE standards SET held = held + ?, broken = broken + ? WHERE entry_id = ?"


def add_entry(connection: sqlite3.Connection, record: EntryRecord, among: Nearby | None = None) -> None:
    """Add an entry; where one has its id or says the same, that one is counted once more.

    What was heard once is confirmed where it is recorded, or heard again in another session.
    """
    entry = parse_entry(record)
    standing = entries.load_entry(connection, entry.id)
    if standing is None:
        standing = among.find(entry) if among is not None else near(connection, entry)
    if standing is None or standing.status == entries.FORGOTTEN:
        entry_rows.write(connection, entry, str(record.get("about", "")))
        _add_rule(connection, entry.id, record)
        if record.get("metadata"):
            metadata = json_codec.dumps(record["metadata"], spaced=True)
            entry_rows.set_metadata(connection, entry.id, metadata)
        _supersede(connection, record, entry.id)
        return
    standing = _with_reason(connection, standing, entry)
    _repeat_entry(connection, {
        "kind": "entry-more", "id": standing.id, "seen": 1, "tags": entry.tags, "files": entry.files,
        "time": entry.updated, "reasoning": entry.reasoning,
        "confirms": entry.status != HEARD or entry.session != standing.session,
    })  # fmt: skip
    _add_rule(connection, standing.id, record)
    _supersede(connection, record, standing.id)


def _supersede(connection: sqlite3.Connection, record: EntryRecord, by: str) -> None:
    """Mark what a new entry takes the place of; where that had taken its own place, it holds again."""
    names, time = _parse_texts(record.get("supersedes")), str(record.get("time", ""))
    for old in (entries.load_entry(connection, name) for name in names if name != by):
        if old and old.status in entries.CURRENT:
            replaced = old._replace(status=entries.SUPERSEDED, superseded_by=by, updated=time)
            entry_rows.write(connection, replaced)
    entry = entries.load_entry(connection, by)
    if entry and entry.status == entries.SUPERSEDED and entry.superseded_by in names:
        entry_rows.write(connection, entry._replace(status=str(record.get("status") or ACTIVE), superseded_by=""))


def _with_reason(connection: sqlite3.Connection, standing: Entry, entry: Entry) -> Entry:
    """Return the entry that is kept, in the new words where those give a reason of the same fact and it does not."""
    from belay.core.text import duplicates

    one, other = entry.content, standing.content  # of one id, yet it may have been edited since
    if duplicates.says_more(one, other) and duplicates.same(one, other):
        standing = standing._replace(content=one)
        entry_rows.write(connection, standing)
    return standing


def parse_entry(record: EntryRecord | MergedRecord) -> Entry:
    """Return the entry that a record holds."""
    kind = str(record.get("type") or "note")
    content = str(record.get("content", ""))
    time = str(record.get("created") or record.get("time", ""))
    return Entry(
        id=str(record.get("id") or entries.make_id(kind, content)), type=kind, content=content,
        reasoning=str(record.get("reasoning", "")), status=str(record.get("status") or ACTIVE),
        priority=str(record.get("priority", "")),
        tags=_parse_texts(record.get("tags")), files=_parse_texts(record.get("files")),
        branch=str(record.get("branch", "")), commit=str(record.get("commit", "")),
        session=str(record.get("session", "")), source=str(record.get("source") or "typed"),
        confidence=float(record.get("confidence", 1.0)), superseded_by=str(record.get("superseded_by", "")),
        created=time, updated=time, seen=int(record.get("seen", 1)),
    )  # fmt: skip


def _parse_texts(values: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, values))) if isinstance(values, (list, tuple)) else ()


def near(connection: sqlite3.Connection, entry: Entry) -> Entry | None:
    """Return an entry of the same type that holds and says the same, None for none."""
    from belay.core import terms

    if database.is_plain(connection):
        return nearby(connection).find(entry)
    words = [word.replace('"', '""') for word in terms.informative(entry.content)][:24]
    if not words:
        return None
    query = " OR ".join(f'"{word}"' for word in words)
    rows = connection.execute(
        "SELECT e.num FROM memory_fts AS f JOIN entries AS e ON e.num = f.rowid "
        f"WHERE memory_fts MATCH ? AND f.rowid < ? AND e.type = ? AND e.{entries.IS_CURRENT} AND e.id NOT LIKE 'I-%' "
        "ORDER BY f.rank LIMIT ?",
        (query, text_index.SECTIONS, entry.type, NEAR_LOOKED_AT),
    ).fetchall()
    others = entries.load_by_numbers(connection, [row[0] for row in rows])
    from belay.core.text import duplicates

    return next((other for other in others if duplicates.same(other.content, entry.content)), None)


def _repeat_entry(connection: sqlite3.Connection, record: RepeatRecord) -> None:
    entry = entries.load_entry(connection, str(record.get("id", "")))
    if entry is None:
        return
    entry_rows.write(connection, entry._replace(
        seen=entry.seen + int(record.get("seen", 1)), updated=max(entry.updated, str(record.get("time", ""))),
        tags=tuple(dict.fromkeys((*entry.tags, *_parse_texts(record.get("tags"))))),
        files=tuple(dict.fromkeys((*entry.files, *_parse_texts(record.get("files"))))),
        reasoning=entry.reasoning or str(record.get("reasoning", "")),
        status=ACTIVE if entry.status == HEARD and record.get("confirms") else entry.status,
    ))  # fmt: skip


def _change_entry(connection: sqlite3.Connection, record: ChangeRecord) -> None:
    entry = entries.load_entry(connection, str(record.get("id", "")))
    fields: object = record.get("set")
    if entry is None or not isinstance(fields, dict):
        return
    changes = {key: fields[key] for key in SETTABLE if key in fields}
    changes |= {key: _parse_texts(changes[key]) for key in ("tags", "files") if key in changes}
    entry_rows.write(connection, entry._replace(**changes, updated=str(record.get("time", ""))))


def _merge_entry(connection: sqlite3.Connection, record: MergedRecord) -> None:
    updated = str(record.get("updated", ""))
    standing = entries.load_entry(connection, str(record.get("id", "")))
    if standing and standing.updated > updated:
        return
    entry_rows.write(connection, parse_entry(record)._replace(
        updated=updated, session=str(record.get("of_session", "")),
        recalled=int(record.get("recalled", 0)), used=int(record.get("used", 0)),
        helpful=int(record.get("helpful", 0)), harmful=int(record.get("harmful", 0)),
        tokens=int(record.get("tokens", 0)),
    ))  # fmt: skip
    _add_rule(connection, str(record["id"]), record)
    if record.get("foreign") and standing is None:
        metadata = json_codec.dumps({"imported": True}, spaced=True)
        entry_rows.set_metadata(connection, str(record["id"]), metadata)


def _set_counts(connection: sqlite3.Connection, record: CountRecord) -> None:
    """Write a session's counts in place of those that it had before."""
    session = str(record.get("of") or record.get("session", ""))
    counts: object = record.get("counts")
    for entry, values in counts.items() if isinstance(counts, dict) else ():
        before = connection.execute(_COUNTED, (session, str(entry))).fetchone() or (0,) * len(COUNTS)
        now = tuple(int(values.get(key, 0)) for key in COUNTS)
        connection.execute(_REPLACE_COUNTED, (session, str(entry), *now))
        differences = (after - old for after, old in zip(now, before, strict=True))
        connection.execute(_ADD_COUNTS, (*differences, str(entry)))


def _add_rule(connection: sqlite3.Connection, entry: str, record: EntryRecord | MergedRecord) -> None:
    if "what_happened" in record:
        rule = (entry, str(record["what_happened"]), str(record.get("content", "")))
        connection.execute(_INSERT_RULE, rule)


def _count_rule(connection: sqlite3.Connection, record: RuleRecord) -> None:
    counts = (int(record.get("held", 0)), int(record.get("broken", 0)), str(record.get("id", "")))
    connection.execute(_COUNT_RULE, counts)


def nearby(connection: sqlite3.Connection) -> Nearby:
    """Return what entries say, in memory: for many records at once."""
    from belay.knowledge.entries.nearby import Nearby  # a search loads no more than it needs

    return Nearby(connection)


def _add_carried(connection: sqlite3.Connection, record: UpstreamRecord) -> None:
    from belay.knowledge.store.tables import carried_tables

    carried_tables.add_record(connection, record)


def _undo_import(connection: sqlite3.Connection, record: UndoneRecord) -> None:
    from belay.knowledge.store.tables import carried_tables

    carried_tables.undo_import(connection, record)


def _put_session(connection: sqlite3.Connection, record: SessionRecord) -> None:
    from belay.knowledge.store.tables import session_rows

    session_rows.put_record(connection, record)


STEPS: dict[str, Callable[[sqlite3.Connection, Any], None]] = {
    "entry": add_entry,
    "entry-more": _repeat_entry,
    "entry-set": _change_entry,
    "entry-put": _merge_entry,
    "entry-count": _set_counts,
    "standard-count": _count_rule,
    "session": _put_session,
    "upstream": _add_carried,
    "import-undone": _undo_import,
}
"""What each kind of record does; the kinds and their fields are in `records`."""
