"""The ledger is the truth of the knowledge base: a change is appended there first, then folded into the database.

Whoever opens the base folds what came since. A writer killed in between, or one that found the database busy, has
lost nothing: its record is there. Kinds, each with `session` and `mark` (`belay.mark`; another's are skipped):

- `entry`: id type content reasoning tags files branch commit source confidence priority, `created` where it is older
  than the record, `of` (the captures it was made from), `what_happened` of a standard, `metadata` of an earlier tool
- `entry-more`: the same was said again: id, `seen` more times, tags, files
- `entry-set`: id and `set`, fields that change: content reasoning status priority superseded_by tags files type
- `entry-put`: an entry as another base's export and this one merged have it, with its times and counters; `foreign`
  where it stood in no base of this user before. A later change than its `updated` stays
- `entry-count`: what one session's recalls came to: `counts` {id: {recalled used helpful harmful tokens}}
- `standard-count`: id, `held` and `broken` more times
- `upstream`: a row of an earlier tool's that is no entry (`belay.knowledge.carried`): table, row, batch, once
- `import-undone`: the take-over of a `batch` was taken back
"""

from __future__ import annotations

import sqlite3
from itertools import islice

from belay import codec, journal, mark, paths
from belay.knowledge import base, entries, texts
from belay.knowledge.entries import ACTIVE, Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from belay.knowledge.nearby import Nearby

    Record = dict[str, Any]

SESSION = "terminal"
COUNTS = ("recalled", "used", "helpful", "harmful", "tokens")
SETTABLE = ("type", "content", "reasoning", "status", "priority", "superseded_by", "tags", "files")
AT_ONCE = 1000
"""Records of one write."""
BULK = 200
"""Records from which on what says the same is looked up in memory."""
NEAR_LOOKED_AT = 40
"""Entries that share words with a new one and are compared with it."""


path_of = paths.ledger_of


def append(ledger: str, environ: Mapping[str, str], kind: str, session: str = "", **fields: Any) -> Record:
    """Append one change, synced; from here on it is not lost."""
    return append_many(ledger, environ, [{"kind": kind, "session": session, **fields}])[0]


def append_many(ledger: str, environ: Mapping[str, str], records: Iterable[Record]) -> list[Record]:
    """Append changes, each with its `kind` and `session`, a thousand a synced write."""
    marks: dict[str, str] = {}
    written: list[Record] = []
    rows = iter(records)
    while part := [_marked(environ, row, marks) for row in islice(rows, AT_ONCE)]:
        written += journal.append_many(ledger, part)
    return written


def _marked(environ: Mapping[str, str], row: Record, marks: dict[str, str]) -> Record:
    session = str(row.get("session") or SESSION)
    if session not in marks:
        marks[session] = mark.of(environ, session)
    return {"kind": row["kind"], "session": session, "mark": marks[session], **_told(row)}


def _told(row: Record) -> Record:
    return {key: value for key, value in row.items() if key not in ("kind", "session", "mark")}


def catch_up(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str]) -> int:
    """Fold what came into the ledger since the base last read it, in one transaction; return how many records.

    A busy database is no error: the next one who opens it folds.
    """
    if journal.since(ledger, _place(connection))[1] == _place(connection):
        return 0
    with base.transaction(connection):
        return fold(connection, ledger, environ)


def fold(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str]) -> int:
    """Fold what came since into a base whose transaction the caller holds."""
    records, place = journal.since(ledger, _place(connection))
    many = sum(record.get("kind") == "entry" for record in records) > BULK
    nearby = _nearby(connection) if many else None
    count = sum(_applied(connection, environ, record, nearby) for record in records)
    base.put(connection, "place", codec.dumps(place))
    return count


def again(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str], ids: set[str]) -> None:
    """Apply the changes of entries that came into the base after they were folded, within the caller's transaction."""
    for record in journal.read(ledger)[0]:
        if record.get("kind") == "entry-set" and record.get("id") in ids:
            _applied(connection, environ, record, None)


def _place(connection: sqlite3.Connection) -> list[int]:
    try:
        place = codec.loads(base.get(connection, "place", "[]"))
    except ValueError:
        return []
    return [int(part) for part in place]


def _applied(
    connection: sqlite3.Connection, environ: Mapping[str, str], record: Record, nearby: Nearby | None
) -> bool:
    kind = str(record.get("kind"))
    own = mark.of(environ, str(record.get("session", "")))
    if kind not in _STEPS or not own or record.get("mark") != own:
        return False
    if kind == "entry":
        _entry(connection, record, nearby)
    else:
        _STEPS[kind](connection, record)
    if nearby is not None and "id" in record:
        nearby.put(entries.get(connection, str(record["id"])))
    return True


def _entry(connection: sqlite3.Connection, record: Record, nearby: Nearby | None = None) -> None:
    """Take an entry in; one of its id, or one that says the same, is counted instead."""
    entry = of(record)
    standing = entries.get(connection, entry.id)
    if standing is None:
        standing = nearby.find(entry) if nearby is not None else near(connection, entry)
    if standing is None or standing.status == entries.FORGOTTEN:
        entries.store(connection, entry)
        _standard(connection, entry.id, record)
        if record.get("metadata"):
            from belay.knowledge import carried

            carried.describe(connection, entry.id, codec.dumps(record["metadata"], spaced=True))
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
    from belay import terms

    if base.is_plain(connection):
        return _nearby(connection).find(entry)
    words = [word.replace('"', '""') for word in terms.informative(entry.content)][:24]
    if not words:
        return None
    query = " OR ".join(f'"{word}"' for word in words)
    rows = connection.execute(
        "SELECT e.num FROM memory_fts AS f JOIN entries AS e ON e.num = f.rowid "
        "WHERE memory_fts MATCH ? AND f.rowid < ? AND e.type = ? AND e.status = 'active' AND e.id NOT LIKE 'I-%' "
        "ORDER BY f.rank LIMIT ?",
        (query, texts.SECTIONS, entry.type, NEAR_LOOKED_AT),
    ).fetchall()
    others = entries.by_num(connection, [row[0] for row in rows])
    from belay.knowledge import alike

    return next((other for other in others if alike.same(other.content, entry.content)), None)


def _more(connection: sqlite3.Connection, record: Record) -> None:
    entry = entries.get(connection, str(record.get("id", "")))
    if entry is None:
        return
    entries.store(connection, entry._replace(
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
    entries.store(connection, entry._replace(**changes, updated=str(record.get("time", ""))))


def _put(connection: sqlite3.Connection, record: Record) -> None:
    updated = str(record.get("updated", ""))
    standing = entries.get(connection, str(record.get("id", "")))
    if standing and standing.updated > updated:
        return
    recalled, used, helpful, harmful, tokens = (int(record.get(key, 0)) for key in COUNTS)
    entry = of(record)._replace(updated=updated, session=str(record.get("of_session", "")))
    entries.store(connection, entry._replace(
        recalled=recalled, used=used, helpful=helpful, harmful=harmful, tokens=tokens
    ))  # fmt: skip
    _standard(connection, str(record["id"]), record)
    if record.get("foreign") and standing is None:
        metadata = codec.dumps({"imported": True}, spaced=True)
        connection.execute("UPDATE entries SET metadata = ? WHERE id = ?", (metadata, str(record["id"])))


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


def _nearby(connection: sqlite3.Connection) -> Nearby:
    from belay.knowledge.nearby import Nearby  # a search loads no more than it needs

    return Nearby(connection)


def _carried(connection: sqlite3.Connection, record: Record) -> None:
    from belay.knowledge import carried

    (carried.fold if record["kind"] == "upstream" else carried.undo)(connection, record)


_STEPS: dict[str, Callable[[sqlite3.Connection, Record], None]] = {
    "entry": _entry,
    "entry-more": _more,
    "entry-set": _set,
    "entry-put": _put,
    "entry-count": _count,
    "standard-count": _held,
    "upstream": _carried,
    "import-undone": _carried,
}
