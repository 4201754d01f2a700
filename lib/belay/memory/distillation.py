"""Distil daily logs into MEMORY.md: propose the decisions and lessons that it lacks, and write them on yes.

Seed 004: long-term memory is "periodically distilled from daily logs". Only trusted logs are read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import clock, files, kinds, plain_text, signatures
from belay.core.errors import mend_foreign
from belay.core.plain_text import cut
from belay.core.text import duplicates, statements
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.repository import vetting
from belay.safety.redaction import redact
from belay.session import captures, journal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.memory.document.page import Page
    from belay.memory.memory_facts import Facts
    from belay.memory.remember.daily_log import LogEntry
    from belay.memory.remember.notes import Note

OFFERED_FROM = 3
"""Daily logs newer than MEMORY.md from which on distilling is offered (docs/remember.md)."""
MOST_LOGS = 60
"""Logs looked at, the latest ones."""
TEXT_CHARS = 300
COMMAND = "distill"
_NOTE_KINDS = {kinds.DECISION: kinds.DECISION, kinds.NOTE: kinds.NOTE, "lesson": kinds.ISSUE}
_JUDGED = ("acknowledged", "wrap-up")


class Proposal(NamedTuple):
    """What a log says and MEMORY.md does not: id `D-ABCDEF`, kind (decision, note, lesson), where (line 1-based)."""

    id: str
    kind: str
    text: str
    reason: str
    affects: str
    date: str
    file: str
    line: int


def count_due_logs(project: Project, facts: Facts) -> int:
    """Return how many daily logs are newer than the memory whose facts these are, and than the last distilling."""
    since = max(facts["header"]["updated"], _read_stamp(project))
    return sum(date > since for date in _list_log_dates(project))


def find_proposals(project: Project, environ: Mapping[str, str]) -> list[Proposal]:
    """Return what the logs since the memory's date say that it lacks, the oldest first, each once."""
    from belay.memory.document import facts, page

    memory = page.parse(
        "" if memory_files.explain_refusal(project, project.memory_md) else memory_files.read_text(project.memory_md)
    )
    since = str(facts.read_facts(memory)["header"]["updated"])
    known_facts = _read_known_facts(project, environ, memory)
    proposals: list[Proposal] = []
    for date, file, entry in _read_entries(project, environ, since):
        text = cut(redact(plain_text.one_line(entry.text)), TEXT_CHARS)
        keys = duplicates.keys(text)
        if not any(keys <= known and duplicates.covers(other, text) for known, other in known_facts):
            known_facts.append((statements.read(text).keys, text))
            name = "D-" + captures.capture_id("", date, text)[2:]
            reason, affects = (redact(plain_text.one_line(part)) for part in (entry.reason, entry.affects))
            proposals.append(Proposal(name, entry.kind, text, reason, affects, date, file, entry.line))
    return proposals


def list_offers(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return one line if logs of earlier days hold what the memory lacks; today's is the wrap-up's own matter."""
    if not os.path.isfile(project.memory_md) or not _list_log_dates(project):
        return []
    number = sum(proposal.date < clock.local_date() for proposal in find_proposals(project, environ))
    what = "one thing" if number == 1 else f"{number} things"
    return [f"The daily logs hold {what} that MEMORY.md lacks: `belay distill` shows, --yes writes."] if number else []


def write_proposals(
    project: Project, environ: Mapping[str, str], chosen: list[Proposal], template: str
) -> memory_files.Saved:
    """Write proposals into MEMORY.md, made of the (filled) template where there is none; `undo` takes it back.

    Raises LockTimeout.
    """
    from belay.memory.document import page
    from belay.memory.remember import insertion as writing

    def change(old: Page) -> Page:
        for note in (_build_note(proposal) for proposal in chosen):
            old = (
                writing.insert_note(old, note, page.parse(template))
                if old.text.strip()
                else writing.create_memory(template, note)
            )
        return old

    path = project.memory_md
    with memory_files.lock_memory(project):
        why = "" if memory_files.is_trusted(project, environ, path) else "came from elsewhere and was not accepted"
        if why:
            return memory_files.Saved(project.relative(path), why=f"{why}; {mend_foreign('MEMORY.md')}")
        folder = memory_undo.begin_record(project, environ, COMMAND, [path])
        saved = memory_files.change_page(project, environ, path, change, f"{len(chosen)} added")
        memory_undo.finish_record(project, environ, folder)
    if not saved.why:
        mark_distilled(project)
    return saved


def undo_distilling(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Take the last distilling back; return the files. Raises NothingToUndo, BelayError where a file changed since."""
    with memory_files.lock_memory(project):
        return memory_undo.undo_last_change(project, environ, COMMAND)


def mark_distilled(project: Project) -> None:
    """Note that the logs up to today were gone through."""
    files.write(_stamp_path(project), clock.local_date().encode(), sync=False)


def _build_note(proposal: Proposal) -> Note:
    from belay.memory.remember.notes import Note

    return Note(_NOTE_KINDS[proposal.kind], proposal.text, proposal.date, proposal.reason, proposal.affects)


def _read_entries(project: Project, environ: Mapping[str, str], since: str) -> list[tuple[str, str, LogEntry]]:
    """Return (date, file, entry) of the logs, then of captures that only the ledger has."""
    from belay.memory.remember import daily_log

    names = [project.relative(project.daily(date)) for date in _list_log_dates(project) if date >= since][-MOST_LOGS:]
    known, _ = vetting.read_trusted(project, environ, names)
    judged, open_captures = _read_ledger(project, environ)
    rows = [
        (name[-13:-3], name, log_entry) for name in sorted(known) for log_entry in daily_log.read_entries(known[name])
    ]
    seen = {log_entry.id for _, _, log_entry in rows}
    for record in open_captures:
        date = clock.local_date(str(record["time"]))
        entry = daily_log.capture_entry(list(record["classes"]), str(record["text"]), name=str(record["id"]))
        if entry and date >= since and entry.id not in seen:
            rows.append((date, project.relative(project.ledger), entry))
    return [row for row in rows if row[2].id not in judged]


def _read_ledger(project: Project, environ: Mapping[str, str]) -> tuple[set[str], list[dict[str, Any]]]:
    """Return the ids that a person or a wrap-up has judged, and the captures of the ledger; all of this user's."""
    judged: set[str] = set()
    open_captures = []
    for record in journal.read(project.ledger)[0]:
        session = str(record.get("session", ""))
        if not signatures.is_own(environ, session, record.get("mark")):
            continue
        if record["kind"] == "capture":
            open_captures.append(record)
        elif record["kind"] == "wrap-up" or record.get("how") in _JUDGED:
            judged |= set(record.get("ids", []))
    return judged, open_captures


def _read_known_facts(project: Project, environ: Mapping[str, str], shown: Page) -> list[tuple[frozenset[str], str]]:
    """Return everything that MEMORY.md and tasks/lessons.md say, one statement each, with its keys."""
    from belay.memory.document import page, repeated_lines
    from belay.memory.remember import sentences

    name = project.relative(project.lessons)
    known, _ = vetting.read_trusted(project, environ, [name])
    rows = [*shown.records, *page.parse(known.get(name, "")).records]
    texts = [text for row in rows if row.kind != "row" for _, text in repeated_lines.statements_of(row)]
    texts += [cell for row in rows if row.kind == "row" for cell in row.cells]
    bare = [sentences.strip_date(text) for text in texts if text.strip()]
    return [(statements.read(text).keys, text) for text in bare]


def _list_log_dates(project: Project) -> list[str]:
    """Return the dates of the daily logs, the oldest first."""
    try:
        names = os.listdir(project.logs)
    except OSError:
        return []
    return sorted(name[:-3] for name in names if len(name) == 13 and name.endswith(".md") and _is_date(name))


def _is_date(name: str) -> bool:
    return name[4] == name[7] == "-" and (name[:4] + name[5:7] + name[8:10]).isdigit()


def _stamp_path(project: Project) -> str:
    return os.path.join(project.states, "distilled")


def _read_stamp(project: Project) -> str:
    return files.read(_stamp_path(project), 10).decode("ascii", "replace")
