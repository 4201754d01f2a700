"""Whether what was recalled was of use, without a model: was its file or a term of it touched afterwards?

Of each session one record in the ledger (`entry-count`); a session that goes on is counted anew, and its record takes
the place of the one before. The rules (docs/recall.md), each 0 or 1 a session:

- recalled: the entry was told by a prompt or an edit; or by a session's start, which tells unasked, and then touched.
- used: afterwards one of its files (or a file below its folder) was edited, or a command or a later prompt speaks of
  it: a name of it, or two of its telling words.
- harmful: afterwards the user corrected something that concerns it: the file edited last was its own, or the correction
  speaks of it.
- helpful: used, and not harmful.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from belay.context.recall import lookup, term_index
from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.records import RecallCounts
    from belay.knowledge.store.store import Store
    from belay.session.session import Session

    Record = dict[str, Any]
    Counts = dict[str, RecallCounts]

LOOKED = "counted"
"""Up to which sign of life each session was counted: without it all are looked through once more."""


def step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Count what the sessions' recalls came to, as a step of the consolidator; return how many records were written."""
    from belay.knowledge.store.store import Store

    if not os.path.isfile(project.workshop):
        return 0
    path = project.derived(LOOKED)
    seen, now = _looked(path), {one.name: str(one.state["last"]) for one in sessions}
    waiting = [one for one in sessions if seen.get(one.name) != now[one.name]]
    if not waiting:
        return 0
    with Store(project.workshop, environ) as store:
        written = sum(_counted(store, session) for session in waiting)
    files.write(path, json_codec.encode(now), sync=False)
    return written


def _looked(path: str) -> dict[str, Any]:
    try:
        found = json_codec.loads(files.read(path, FILE_BYTES).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _counted(store: Store, session: Session) -> bool:
    """Count one session; return whether its record was written: not where the ledger says so already."""
    from belay.knowledge.entries import recall_counts

    records = [
        record
        for record in journal.read(session.project.journal(session.name))[0]
        if record.get("mark") == session.mark
    ]
    found = of(records, {name: store.get(name) for name in _told(records) if _is_known(store, name)})
    if found == recall_counts.load_counts(store.connection, session.name):
        return False
    store.append({"kind": "entry-count", "of": session.name, "counts": found})
    return True


def _is_known(store: Store, name: str) -> bool:
    from belay.knowledge.entries import entries

    return entries.load_entry(store.connection, name) is not None


def _told(records: Sequence[Record]) -> dict[str, int]:
    """Return id → the number of the record that told it first."""
    told: dict[str, int] = {}
    for at, record in enumerate(records):
        for name in _entries(record):
            told.setdefault(name, at)
    return told


def _entries(record: Record) -> dict[str, Any]:
    found = record.get("entries") if record.get("kind") == "recalled" else None
    return found if isinstance(found, dict) else {}


def of(records: Sequence[Record], known: Mapping[str, Entry]) -> Counts:
    """Return what a session's recalls came to, by id, for the entries that are known."""
    told = {name: at for name, at in _told(records).items() if name in known}
    return {name: _one(records, at, known[name]) for name, at in told.items()}


def _one(records: Sequence[Record], at: int, entry: Entry) -> RecallCounts:
    terms = term_index.telling(" ".join((entry.content, *entry.tags, *entry.files)))
    after = records[at + 1 :]
    used = any(_touches(record, entry, terms) for record in after)
    harmful = _corrected(records, at, entry, terms)
    telling = [record for record in records if entry.id in _entries(record)]
    asked = any(not record.get("start") for record in telling)
    spent = sum(int(_entries(record)[entry.id]) for record in telling)
    return {
        "recalled": int(asked or used or harmful),
        "used": int(used),
        "helpful": int(used and not harmful),
        "harmful": int(harmful),
        "tokens": spent,
    }


def _touches(record: Record, entry: Entry, terms: dict[str, int]) -> bool:
    """Whether what a record tells of touches an entry."""
    kind = record.get("kind")
    if kind == "edit":
        return any(_concerns(str(file.get("path", "")), entry) for file in record.get("files", ()))
    said = {"intent": "command", "command": "command", "prompt": "text"}.get(str(kind))
    return bool(said) and _speaks(str(record.get(said or "", "")), terms)


def _concerns(path: str, entry: Entry) -> bool:
    """Whether a file is one of an entry's, or lies below a folder of it."""
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in entry.files)


def _speaks(text: str, terms: dict[str, int]) -> bool:
    """Whether a text has a name of an entry, or two of its telling words."""
    shared = {stem for _, stem in lookup.stems(text)} & terms.keys()
    return sum(lookup.WEIGHTS[terms[stem]] for stem in shared) >= lookup.ENOUGH


def _corrected(records: Sequence[Record], at: int, entry: Entry, terms: dict[str, int]) -> bool:
    """Whether the user corrected, after an entry was told, something that concerns it."""
    last: list[str] = []
    for number, record in enumerate(records):
        if record.get("kind") == "edit":
            last = [str(file.get("path", "")) for file in record.get("files", ())]
        if (
            number <= at
            or record.get("kind") != "capture"
            or "correction" not in (record.get("classes") or ())
        ):
            continue
        if any(_concerns(path, entry) for path in last) or _speaks(str(record.get("text", "")), terms):
            return True
    return False
