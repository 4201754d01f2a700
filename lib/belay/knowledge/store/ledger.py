"""The ledger is the truth of the knowledge base: a change is appended there first, then folded into the database.

Whoever opens the base folds the records that came since. A writer that is killed in between, or that finds the database
busy, has lost nothing: its record is in the ledger. Records that another user signed (`belay.core.signatures`) are
skipped. Their kinds and fields are in `records`, what each does to the database in `ledger_steps`.
"""

from __future__ import annotations

import sqlite3
from itertools import islice

from belay.core import json_codec, signatures
from belay.knowledge.entries import entries
from belay.knowledge.store import database, ledger_copy, ledger_steps
from belay.knowledge.store.tables import meaning_rows, text_index
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from belay.knowledge.entries.nearby import Nearby
    from belay.session.journal import Line

SESSION = "terminal"
AT_ONCE = 1000
"""Records of one write."""
BULK = 200
"""From so many records on, entries that say the same are looked up in memory."""


def append(ledger: str, environ: Mapping[str, str], kind: str, session: str = "", **fields: object) -> Line:
    """Append one record, synced to the disk; return it."""
    return append_many(ledger, environ, [{"kind": kind, "session": session, **fields}])[0]


def append_many(ledger: str, environ: Mapping[str, str], records: Iterable[Mapping[str, object]]) -> list[Line]:
    """Append records, each with its `kind` and `session`, AT_ONCE in one synced write; return them."""
    marks: dict[str, str] = {}
    written: list[Line] = []
    rows = iter(records)
    names = ledger_copy.count_names(ledger, environ)
    while part := [_sign(environ, row, marks) for row in islice(rows, AT_ONCE)]:
        written += journal.append_many(ledger, part, names)
    return written


def _sign(environ: Mapping[str, str], record: Mapping[str, object], marks: dict[str, str]) -> Line:
    session = str(record.get("session") or SESSION)
    if session not in marks:
        marks[session] = signatures.sign_record(environ, session)
    head = {"kind": record["kind"], "session": session, "mark": marks[session]}
    return {**head, **{key: value for key, value in record.items() if key not in head}}


def catch_up(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str]) -> int:
    """Fold the records that came since the base was last brought up to date; return how many.

    One transaction. The database may be busy: whoever opens it next folds them.
    """
    if journal.read_since(ledger, _load_place(connection))[1] == _load_place(connection):
        return 0
    with database.Transaction(connection):
        return fold(connection, ledger, environ)


def fold(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str]) -> int:
    """Fold the records that came since, within the caller's transaction; return how many."""
    records, place = journal.read_since(ledger, _load_place(connection))
    many = sum(record.get("kind") == "entry" for record in records) > BULK
    nearby = ledger_steps.nearby(connection) if many else None
    count = sum(_apply(connection, environ, record, nearby) for record in records)
    meaning_rows.pack(connection, text_index.SECTIONS)
    database.save_value(connection, "place", json_codec.dumps(place))
    return count


def replay_changes(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str], ids: set[str]) -> None:
    """Apply the recorded changes of entries that came into the base later, within the caller's transaction."""
    for record in journal.read(ledger)[0]:
        if record.get("kind") == "entry-set" and record.get("id") in ids:
            _apply(connection, environ, record, None)


def _load_place(connection: sqlite3.Connection) -> list[int]:
    try:
        place = json_codec.loads(database.load_value(connection, "place", "[]"))
    except ValueError:
        return []
    return [int(part) for part in place]


def _apply(connection: sqlite3.Connection, environ: Mapping[str, str], record: Any, nearby: Nearby | None) -> bool:
    kind = str(record.get("kind"))
    if kind not in ledger_steps.STEPS:
        return False
    if not signatures.is_own(environ, str(record.get("session", "")), record.get("mark")):
        return False
    if kind == "entry":
        ledger_steps.add_entry(connection, record, nearby)
    else:
        ledger_steps.STEPS[kind](connection, record)
    if nearby is not None and "id" in record:
        nearby.put(entries.load_entry(connection, str(record["id"])))
    return True
