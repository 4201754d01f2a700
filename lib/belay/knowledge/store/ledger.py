"""The ledger is the truth of the knowledge base: a change is appended there first, then folded into the database.

Whoever opens the base folds what came since. A writer killed in between, or one that found the database busy, has
lost nothing: its record is there. Kinds, each with `session` and `mark` (`belay.core.signatures`; a stranger's
are skipped); what each does stands in `belay.knowledge.store.ledger_steps`:

- `entry`: id type content reasoning tags files branch commit source confidence priority, `created` where it is older
  than the record, `of` (the captures it was made from), `what_happened` of a standard, `metadata` of an earlier tool
- `entry-more`: the same was said again: id, `seen` more times, tags, files
- `entry-set`: id and `set`, fields that change: content reasoning status priority superseded_by tags files type
- `entry-put`: an entry as another base's export and this one merged have it, with its times and counters; `foreign`
  where it stood in no base of this user before. A later change than its `updated` stays
- `entry-count`: what one session's recalls came to: `counts` {id: {recalled used helpful harmful tokens}}
- `standard-count`: id, `held` and `broken` more times
- `upstream`: a row of an earlier tool's that is no entry (`.carried_tables`): table, row, batch, once
- `import-undone`: the take-over of a `batch` was taken back
"""

from __future__ import annotations

import sqlite3
from itertools import islice

from belay.core import json_codec, paths, signatures
from belay.knowledge.entries import entries
from belay.knowledge.store import database, ledger_steps
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from belay.knowledge.entries.nearby import Nearby

    Record = dict[str, Any]

SESSION = "terminal"
COUNTS, SETTABLE = ledger_steps.COUNTS, ledger_steps.SETTABLE
AT_ONCE = 1000
"""Records of one write."""
BULK = 200
"""Records from which on what says the same is looked up in memory."""

path_of = paths.ledger_of
of, near = ledger_steps.of, ledger_steps.near


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
        marks[session] = signatures.of(environ, session)
    return {"kind": row["kind"], "session": session, "mark": marks[session], **_told(row)}


def _told(row: Record) -> Record:
    return {key: value for key, value in row.items() if key not in ("kind", "session", "mark")}


def catch_up(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str]) -> int:
    """Fold what came into the ledger since the base last read it, in one transaction; return how many records.

    A busy database is no error: the next one who opens it folds.
    """
    if journal.since(ledger, _place(connection))[1] == _place(connection):
        return 0
    with database.transaction(connection):
        return fold(connection, ledger, environ)


def fold(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str]) -> int:
    """Fold what came since into a base whose transaction the caller holds."""
    records, place = journal.since(ledger, _place(connection))
    many = sum(record.get("kind") == "entry" for record in records) > BULK
    nearby = ledger_steps.nearby(connection) if many else None
    count = sum(_applied(connection, environ, record, nearby) for record in records)
    database.put(connection, "place", json_codec.dumps(place))
    return count


def again(connection: sqlite3.Connection, ledger: str, environ: Mapping[str, str], ids: set[str]) -> None:
    """Apply the changes of entries that came into the base after they were folded, within the caller's transaction."""
    for record in journal.read(ledger)[0]:
        if record.get("kind") == "entry-set" and record.get("id") in ids:
            _applied(connection, environ, record, None)


def _place(connection: sqlite3.Connection) -> list[int]:
    try:
        place = json_codec.loads(database.get(connection, "place", "[]"))
    except ValueError:
        return []
    return [int(part) for part in place]


def _applied(
    connection: sqlite3.Connection, environ: Mapping[str, str], record: Record, nearby: Nearby | None
) -> bool:
    kind = str(record.get("kind"))
    own = signatures.of(environ, str(record.get("session", "")))
    if kind not in ledger_steps.STEPS or not own or record.get("mark") != own:
        return False
    if kind == "entry":
        ledger_steps.take(connection, record, nearby)
    else:
        ledger_steps.STEPS[kind](connection, record)
    if nearby is not None and "id" in record:
        nearby.put(entries.get(connection, str(record["id"])))
    return True
