"""Counts whether recalled entries were of use, without a model: was a file or a term of theirs touched afterwards?

Each session has one record in the ledger (`entry-count`); a session that goes on is counted again, and the new record
replaces the old one. The rules (docs/recall.md), each 0 or 1 a session:

- recalled: a prompt or an edit brought the entry; or a session's start did, unasked, and it was touched later.
- used: afterwards one of its files (or a file below its folder) was edited, or a command or a later prompt mentions
  it: a name of it, or two of its informative words.
- harmful: afterwards the user corrected something that concerns it: the file edited last was its own, or the correction
  mentions it.
- helpful: used, and not harmful.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.context.recall import lookup, term_weights
from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.records import RecallCounts
    from belay.knowledge.store.store import Store
    from belay.session.records import Record
    from belay.session.session import Session

    Counts = dict[str, RecallCounts]

LOOKED = "counted"
"""File with the last record of each session that was counted: without it all are counted once more."""


def count_as_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Count the recalls of the sessions, as a step of the consolidator; return how many records were written."""
    from belay.knowledge.store.store import Store

    if not os.path.lexists(project.workshop):
        return 0
    path = project.derived(LOOKED)
    seen, now = _read_counted(path), {session.name: session.state["last"] for session in sessions}
    waiting = [session for session in sessions if seen.get(session.name) != now[session.name]]
    if not waiting:
        return 0
    with Store(project.workshop, environ) as store:
        written = sum(_count_session(store, session) for session in waiting)
    files.write(path, json_codec.encode(now), sync=False)
    return written


def _read_counted(path: str) -> dict[str, object]:
    try:
        counted = json_codec.loads(files.read(path, FILE_BYTES).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return counted if isinstance(counted, dict) else {}


def _count_session(store: Store, session: Session) -> bool:
    """Count one session; return whether a record was written: none where the ledger has it already."""
    from belay.knowledge.entries import recall_counts

    records = session.own_records()
    known = {name: store.get(name) for name in _first_recalls(records) if _is_known(store, name)}
    counts = count_recalls(records, known)
    if counts == recall_counts.load_counts(store.connection, session.name):
        return False
    store.append({"kind": "entry-count", "of": session.name, "counts": counts})
    return True


def _is_known(store: Store, name: str) -> bool:
    from belay.knowledge.entries import entries

    return entries.load_entry(store.connection, name) is not None


def _first_recalls(records: Sequence[Record]) -> dict[str, int]:
    """Return id → the number of the record that recalled it first."""
    recalls: dict[str, int] = {}
    for at, record in enumerate(records):
        for name in _recalled_entries(record):
            recalls.setdefault(name, at)
    return recalls


def _recalled_entries(record: Record) -> dict[str, int]:
    return record.get("entries", {}) if record["kind"] == "recalled" else {}


def count_recalls(records: Sequence[Record], known: Mapping[str, Entry]) -> Counts:
    """Return the counts of a session's recalls by id, for the entries that are known."""
    recalls = _first_recalls(records)
    return {name: _count_entry(records, at, known[name]) for name, at in recalls.items() if name in known}


def _count_entry(records: Sequence[Record], at: int, entry: Entry) -> RecallCounts:
    terms = term_weights.weigh_terms(" ".join((entry.content, entry.reasoning, *entry.tags, *entry.files)))
    after = records[at + 1 :]
    used = any(_is_touched_by(record, entry, terms) for record in after)
    harmful = _was_corrected(records, at, entry, terms)
    recalls = [row for row in records if row["kind"] == "recalled" and entry.id in row.get("entries", {})]
    asked = any(not record.get("start") for record in recalls)
    spent = sum(record["entries"][entry.id] for record in recalls)
    return {
        "recalled": int(asked or used or harmful),
        "used": int(used),
        "helpful": int(used and not harmful),
        "harmful": int(harmful),
        "tokens": spent,
    }


def _is_touched_by(record: Record, entry: Entry, terms: dict[str, int]) -> bool:
    """Whether a record is about an entry."""
    if record["kind"] == "edit":
        return any(_is_file_of(file["path"], entry) for file in record.get("files", []))
    if record["kind"] in ("intent", "command"):
        return _mentions(record.get("command", ""), terms)
    return record["kind"] == "prompt" and _mentions(record.get("text", ""), terms)


def _is_file_of(path: str, entry: Entry) -> bool:
    """Whether a file is one of an entry's, or is below a folder of it."""
    return any(path == name or (name.endswith("/") and path.startswith(name)) for name in entry.files)


def _mentions(text: str, terms: dict[str, int]) -> bool:
    """Whether a text has a name of an entry, or two of its informative words."""
    shared = {stem for _, stem in lookup.list_stems(text)} & terms.keys()
    return sum(lookup.WEIGHTS[terms[stem]] for stem in shared) >= lookup.ENOUGH


def _was_corrected(records: Sequence[Record], at: int, entry: Entry, terms: dict[str, int]) -> bool:
    """Whether the user corrected something that concerns an entry after it was recalled."""
    last: list[str] = []
    for number, record in enumerate(records):
        if record["kind"] == "edit":
            last = [file["path"] for file in record.get("files", [])]
        if number <= at or record["kind"] != "capture" or "correction" not in record.get("classes", {}):
            continue
        if any(_is_file_of(path, entry) for path in last) or _mentions(record.get("text", ""), terms):
            return True
    return False
