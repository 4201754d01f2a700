"""What of the knowledge base travels in git notes, and when it is written: by wrap-up, push and the consolidator.

What a project's code taught travels once it is confirmed, with what replaced it. What a person likes and notes, and
what was only heard in passing, stays here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, files, json_codec, kinds, paths
from belay.core.errors import BelayError
from belay.knowledge.entries.entries import FORGOTTEN, HEARD, is_person
from belay.knowledge.exchange import export, merge
from belay.knowledge.notes import entry_lines
from belay.knowledge.notes.entry_lines import FILES, is_news
from belay.knowledge.store import database_file
from belay.knowledge.store.store import Store
from belay.repository import projects
from belay.repository.notes import binding, consent, file_states, placing, store
from belay.repository.notes.consent import LEDGER
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.exchange.json_rows import Row
    from belay.knowledge.notes.entry_lines import Line
    from belay.repository.notes.consent import Record

_PERSONAL = (kinds.NOTE, kinds.PREFERENCE)
TRAVELLING = tuple(kind for kind in kinds.ENTRY_TYPES if kind not in _PERSONAL)


class Sent(NamedTuple):
    """How many entries were written, and how many found no room or are too long for a line."""

    written: int
    left: int


def run_step(project: Project, environ: Mapping[str, str], _: object = ()) -> int:
    """Write what is due; a step of the consolidator. Raises BelayError or OSError."""
    return send(project, environ).written


def send(project: Project, environ: Mapping[str, str]) -> Sent:
    """Write the entries that are new or changed into the notes; nothing without consent, or before the first commit.

    Raises BelayError, OSError or LockTimeout.
    """
    if not consent.is_on(project, environ) or not database_file.has_data(project.workshop):
        return Sent(0, 0)
    since, _, seen = consent.load(project, environ).get("ledger", "").partition(" ")
    if seen == _look(project):
        return Sent(0, 0)
    now = clock.now()
    sent = _send(project, environ, since)
    looked = f"{now} {_look(project)}"
    consent.change(project, environ, lambda record: _note(record, looked))
    return sent


def _note(record: Record, looked: str) -> None:
    record["ledger"] = looked


def _look(project: Project) -> str:
    """Return what changes with everything that may be new: the ledger's files, and the tip of the notes."""
    segments = journal.list_segments(paths.find_ledger(project.workshop))
    head = projects.head(project.git_dir, project.common_dir)[1]
    stamps = [[os.path.basename(path), *files.stamp(path)] for path in segments]
    return json_codec.dumps([store.find_tip(project, LEDGER), bool(head), stamps])


def _send(project: Project, environ: Mapping[str, str], since: str) -> Sent:
    head = projects.head(project.git_dir, project.common_dir)[1]
    if not head:
        return Sent(0, 0)
    with Store(project.workshop, environ) as base:
        rows = export.load_rows(base)
    lines = entry_lines.read_lines(project, environ).found
    due = _find_due(project, environ, rows, lines)
    if not due:
        return Sent(0, 0)
    made = _Writer(project, environ, head, since).make(due)
    own = [line for line in lines if line.own]
    replaced = {line.raw for line in own if str(line.row["id"]) in made}
    texts = sorted(made.values(), reverse=True)  # a line begins with its time
    written = placing.place(project, texts, replaced=replaced, droppable={line.raw for line in own})
    return Sent(written, len(due) - written)


def _find_due(project: Project, environ: Mapping[str, str], rows: Mapping[str, Row], lines: list[Line]) -> list[Row]:
    """Return the rows of the base that the notes do not have as they are."""
    scrubbed = {*consent.load(project, environ).get("scrubbed", [])}
    own = entry_lines.find_latest(line for line in lines if line.own)
    told = merge.merge_rows({}, [line.row for line in lines]).rows
    return [
        row for name, row in rows.items()
        if name not in scrubbed and travels(row, told.get(name)) and _is_due(row, own.get(name), told.get(name))
    ]  # fmt: skip


def travels(row: Row, told: Row | None) -> bool:
    """Whether an entry is one that goes into the notes; a forgotten one is taken back there, if it is in them."""
    if row.get("status") == FORGOTTEN:
        return told is not None and told.get("status") != FORGOTTEN
    return row.get("type") in TRAVELLING and row.get("status") != HEARD


def _is_due(row: Row, own: Line | None, told: Row | None) -> bool:
    """Whether a line is to be written: what this user recorded, and what he changed, by the later time."""
    if own:
        return is_news(row, own.row) and str(row.get("updated", "")) > str(own.row.get("updated", ""))
    if told is not None and (is_person(row.get("source", "")) or row.get("status") == FORGOTTEN):
        return is_news(row, told) and str(row.get("updated", "")) > str(told.get("updated", ""))
    return True


class _Writer:
    """Makes lines: what is new since the last run was said of the files as they are now, the rest of its own commit."""

    def __init__(self, project: Project, environ: Mapping[str, str], head: str, since: str) -> None:
        self.project, self.environ, self.head, self.since = project, environ, head, since
        self.who, self.root = binding.find_name(project), binding.find_root(project)

    def make(self, rows: list[Row]) -> dict[str, bytes]:
        """Return id → line; one that is too long is left out."""
        now = [row for row in rows if self._is_of_now(row)]
        blobs = file_states.read_now(self.project, [path for row in now for path in row.get("files", [])[:FILES]])
        lines = {str(row["id"]): self._line(row, self.head, blobs) for row in now}
        before = [row for row in rows if str(row["id"]) not in lines]
        wanted = [(str(row.get("commit", "")), path) for row in before for path in row.get("files", [])[:FILES]]
        past = file_states.read_at(self.project, wanted)
        known = binding.list_existing(self.project, [str(row.get("commit", "")) for row in before])
        for row in before:
            commit = str(row.get("commit", ""))
            of_row = {path: blob for (at, path), blob in past.items() if at == commit}
            lines[str(row["id"])] = self._line(row, commit if commit in known else self.head, of_row)
        return {name: line for name, line in lines.items() if line}

    def _is_of_now(self, row: Row) -> bool:
        commit = str(row.get("commit", ""))
        is_fresh = bool(self.since) and str(row.get("updated", "")) >= self.since
        return is_fresh or commit == self.head or not binding.is_commit(commit)

    def _line(self, row: Row, at: str, blobs: Mapping[str, str]) -> bytes:
        return entry_lines.make_line(self.environ, row, self.who, at, self.root, blobs)


def write_due(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Write what is due for a command; return what there is to tell."""
    try:
        sent = send(project, environ)
    except (OSError, BelayError) as error:
        return [f"No entry was written into git notes: {error}"]
    return [f"{sent.left} of the entries did not fit into git notes."] if sent.left else []
