"""The record of a session, as commands load and print it: goal, outcome, counts, what it found, what it made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from belay.cli.knowledge import base
from belay.core import clock, kinds
from belay.core.errors import BelayError
from belay.core.plain_text import count, shown
from belay.knowledge.session_records import building
from belay.knowledge.session_records.building import COMMIT, FILE
from belay.knowledge.store.tables import session_rows
from belay.session import journal
from belay.session.session import Session
from belay.session.work import preflight

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.knowledge.store.records import ReflexRow, SessionRecord, SessionRow

FILES, TEXT_CHARS = 8, 160
TERMINAL = "terminal"
_HEADINGS = {"mistake": "Mistakes", **{kind: kinds.entry_words(kind)[2] for kind in kinds.ENTRY_TYPES}}


def list_names(project: Project, beginning: str) -> list[str]:
    """Return the sessions whose names begin so, the latest first: those recorded, and those with a journal."""
    begun = [name for name in journal.list_sessions(project.journals)[::-1] if name.startswith(beginning)]
    try:
        with base.open_base() as store:
            recorded = session_rows.find_names(store.connection, beginning)
    except BelayError:
        recorded = []
    return [name for name in dict.fromkeys((*begun, *recorded)) if name != TERMINAL]


def load_rows(project: Project) -> dict[str, SessionRow]:
    """Return the recorded sessions by name; {} where there is no base that can be read."""
    try:
        with base.open_base() as store:
            return {row["id"]: row for row in session_rows.list_sessions(store.connection)}
    except BelayError:
        return {}


def load(project: Project, name: str) -> dict[str, Any] | None:
    """Return the record of a session with its entries, by its journal as far as that goes; None where it did nothing.

    A session that is at work has a record up to now.
    """
    record, entries = None, []
    try:
        with base.open_base() as store:
            record = session_rows.load_record(store.connection, name)
            entries = session_rows.list_entries_of(store.connection, name)
    except BelayError:
        pass
    record = _build_now(project, name, record) or record
    if record is None:
        return None
    rows = [{"type": kind, "id": entry, "content": content} for kind, entry, content in entries]
    parts = {key: record.get(key, []) for key in ("reflexes", "artifacts", "snapshots")}
    return {**record["row"], **parts, "entries": rows}


def _build_now(project: Project, name: str, recorded: SessionRecord | None) -> SessionRecord | None:
    """Return the record by all of a session's journal, None where there is none or it did nothing."""
    records = Session(project, name, os.environ).own_records()
    if not building.has_content(records):
        return None
    row = recorded["row"] if recorded else None
    return building.build_record(name, records, building.read_effort(row) if row else None)


def format_stated(row: SessionRow | None) -> list[str]:
    """Return the line on a session's goal and outcome in a list; [] where neither was stated."""
    if row is None or not (row["goal_stated"] or row["outcome_stated"]):
        return []
    goal = f"Goal: {shown(row['goal'], TEXT_CHARS)}" if row["goal_stated"] else ""
    return ["; ".join(filter(None, (goal, _format_outcome(row))))]


def format_lines(record: dict[str, Any]) -> list[str]:
    """Return a record as lines for people."""
    row: Any = record
    goal = f"{shown(row['goal'], 2 * TEXT_CHARS)}{'' if row['goal_stated'] else ' (inferred)'}"
    lines = [f"Goal: {goal}" if row["goal"] else "", _format_outcome(row, result=True), _format_place(row)]
    lines += [_format_counts(row), *_format_reflexes(record["reflexes"]), *_format_entries(record["entries"])]
    lines += _format_learned(record)
    return [*filter(None, lines), *_format_artifacts(record["artifacts"])]


def _format_outcome(row: SessionRow, *, result: bool = False) -> str:
    said = f": {shown(row['result'], 2 * TEXT_CHARS)}" if result and row["result"] else ""
    if not row["outcome"] and not said:
        return ""
    return f"Outcome: {row['outcome'] or 'not known'}{'' if row['outcome_stated'] else ' (inferred)'}{said}"


def _format_place(row: SessionRow) -> str:
    begun, over = map(_format_time, (row["started"], row["ended"]))
    heads = list(dict.fromkeys(filter(None, (row["head_start"][:9], row["head_end"][:9]))))
    where = " ".join(filter(None, (shown(row["branch"], 60), " to ".join(heads))))
    ended = f"ended {over} ({shown(row['reason'], 40)})" if over else "not ended"
    return "; ".join(filter(None, (f"Began {begun}" if begun else "", ended, where)))


def _format_time(stamp: str) -> str:
    return f"{clock.local_date(stamp)} {clock.local_time(stamp)}" if stamp else ""


def _format_counts(row: SessionRow) -> str:
    parts = [count(row["prompts"], "prompt"), count(row["captures"], "capture")]
    if row["investigating"] is not None and row["acting"] is not None:
        parts += [f"{row['investigating']} calls that look, {row['acting']} that act"]
    return ", ".join([*parts, *([f"{row['tokens']:,} new tokens"] if row["tokens"] is not None else [])])


def _format_reflexes(reflexes: list[ReflexRow]) -> list[str]:
    confidences = [f"{one['confidence']:.2f}" for one in reflexes if one["confidence"] is not None]
    lines = [f"Stated confidence: {', '.join(confidences)}"] if confidences else []
    last = reflexes[-1] if reflexes else None
    is_over = last is not None and last["phase"] == preflight.POSTFLIGHT
    unknowns = last["unknowns"] if last and is_over else []
    return [*lines, *([f"Stayed unknown: {shown('; '.join(unknowns), 2 * TEXT_CHARS)}"] if unknowns else [])]


def _format_learned(record: dict[str, Any]) -> list[str]:
    """Return what was learned that is no entry of this session: an earlier one had said it already."""
    said = {entry["content"] for entry in record["entries"]}
    ends = (one for one in record["reflexes"] if one["phase"] == preflight.POSTFLIGHT)
    learned = [text for one in ends for text in one["learned"] if text not in said]
    return ["Learned again:", *(f"  {shown(text, TEXT_CHARS)}" for text in learned)] if learned else []


def _format_entries(entries: list[dict[str, str]]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(entry["type"], []).append(f"  {entry['id']} {shown(entry['content'], TEXT_CHARS)}")
    order = [*_HEADINGS, *(kind for kind in groups if kind not in _HEADINGS)]
    return [line for kind in order if kind in groups for line in (f"{_HEADINGS.get(kind, kind)}:", *groups[kind])]


def _format_artifacts(artifacts: list[dict[str, Any]]) -> list[str]:
    files = [shown(row["name"], 80) for row in artifacts if row["kind"] == FILE][::-1]
    commits = [f"  {row['name'][:9]} {shown(row['about'], TEXT_CHARS)}" for row in artifacts if row["kind"] == COMMIT]
    more = f" and {len(files) - FILES} more" if len(files) > FILES else ""
    lines = [f"Files: {', '.join(files[:FILES])}{more}"] if files else []
    return [*lines, *(["Commits:", *commits] if commits else [])]
