"""Save a wrap-up: journal first, then the memory files, each replaced in one step, then the settling mark.

A kill at any point leaves every file either old or new, and the same call again does the rest: date
and branch of a document are those of its first journal record, so a second run changes nothing.
The caller holds the lock.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from belay.core import clock, json_codec, plain_text
from belay.core import files as core_files
from belay.core.constants import CAPTURE_DAYS
from belay.core.text import word_forms
from belay.memory import memory_files, promotion
from belay.memory.memory_files import Saved
from belay.memory.wrapup import audit, form, layer_files, task_lists
from belay.memory.wrapup.form import Document
from belay.memory.wrapup.sections import Entry
from belay.repository import excludes
from belay.safety import trust
from belay.safety.labels import make_label
from belay.session import continuation_files, working_buffer
from belay.session.session import Session, find_others

if TYPE_CHECKING:
    from belay.session.state_types import Capture, State

DONE, UNDONE = "wrap-up", "unwrapped"
Description = Callable[[str, str], str] | str
_TELLING = 4
"""Letters of a word that may name a capture's subject."""


class Report(NamedTuple):
    """What a wrap-up did: files, ids of settled captures, those the document leaves out, the offers, notes."""

    files: list[Saved]
    settled: list[str]
    unmentioned: list[Capture]
    offered: list[str]
    notes: list[str]


def save_wrapup(session: Session, document: Document, *, written: bool = True, anyway: bool = False) -> Report:
    """Save a document; unless it was `written` by Claude or the user it is the audit's, which closes no capture.

    `anyway` writes MEMORY.md though it changed since the audit.
    """
    excludes.write_excludes(session.project, session.environ)
    entry = _load_entry(session, document, written)
    memories, notes = layer_files.save_memories(session, entry, anyway=anyway)
    files = [
        _save_todo(session, entry),
        _save_lessons(session, entry),
        _save_daily_log(session, entry),
        *memories,
    ]
    settled = _close_captures(session, entry) if written else []
    files += [_renew_continuation(session)] if written else []
    files.append(_save_buffer(session))
    if session.trouble:
        files.append(Saved("journal", why=session.trouble))
    unmentioned = [row for row in settled if not row.get("filed") and not _mentions(document, row["text"])]
    offered = [*document["preferences"], *document["global"]]
    files = [row for row in files if row.file]
    return Report(files, [row["id"] for row in settled], unmentioned, offered, notes)


def find_unfinished(session: Session) -> Document | None:
    """Return the document of a wrap-up that was begun and not finished, None when there is none."""
    document: Document | None = None
    for record in session.own_records():
        if record["kind"] == "wrap-up-document" and record.get("written"):
            document = cast("Document | None", record.get("document"))
        elif record["kind"] == DONE:
            document = None
    return document


def _load_entry(session: Session, document: Document, written: bool) -> Entry:
    digest = hashlib.sha256(json_codec.encode([document, written])).hexdigest()[:16]
    drafts = [row for row in session.own_records() if row["kind"] == "wrap-up-document" and row.get("digest") == digest]
    first = drafts[0] if drafts else session.log(
        "wrap-up-document", digest=digest, branch=session.branch or "no branch", folder=make_label(session.folder),
        written=written, document=document,
    )  # fmt: skip
    return build_entry(session, document, first["time"], first["branch"], digest, written)


def build_entry(
    session: Session, document: Document, stamp: str, branch: str, digest: str = "", written: bool = True
) -> Entry:
    """Return what a document brings to a memory: its texts on one line each, date, session and branch."""
    return Entry(
        form.clean_document(document, plain_text.one_line),
        clock.local_date(stamp),
        clock.local_time(stamp),
        session.name[:8],
        plain_text.one_line(branch),
        digest,
        written,
        tuple(session.state["edits"]),
        wrapped=bool(session.state["wrapped"]),
    )


def _save_todo(session: Session, entry: Entry) -> Saved:
    done, active = entry.document["completed"], entry.document["active"]
    if not active and not os.path.exists(session.project.todo):
        return Saved("")

    def describe(old: str, new: str) -> str:
        ticked = new.count("[x]") - old.count("[x]")
        added = len(task_lists.list_boxes(new)) - len(task_lists.list_boxes(old))
        return ", ".join(filter(None, (_format_count(ticked, "ticked"), _format_count(added, "added"))))

    return _change_file(
        session, session.project.todo, lambda text: task_lists.update_todos(text, done, active), describe
    )


def _save_lessons(session: Session, entry: Entry) -> Saved:
    if not entry.document["lessons"]:
        return Saved("")

    def describe(old: str, new: str) -> str:
        return _format_count(new.count("\n- ") - old.count("\n- "), "added")

    return _change_file(session, session.project.lessons, lambda text: task_lists.add_lessons(text, entry), describe)


def _save_daily_log(session: Session, entry: Entry) -> Saved:
    path = session.project.daily(entry.date)
    return _change_file(session, path, lambda text: task_lists.add_daily_block(text, entry), f"entry of {entry.time}")


def _close_captures(session: Session, entry: Entry) -> list[Capture]:
    """Close the captures that the audit listed (without one: those the document mentions); mark the session."""
    seen = audit.read_seen(session.project, session.name)
    listed = seen["captures"] if seen else ()
    open_ = [
        (owner, row)
        for owner, row in audit.find_open_captures(session)
        if (row["id"] in listed if seen else _mentions(entry.document, row["text"]))
    ]
    settling = [row for row in session.own_records() if row["kind"] in (DONE, UNDONE)]
    last = [row.get("digest") for row in settling[-1:]]
    for other in {owner.name: owner for owner, _ in open_ if owner.name != session.name}.values():
        other.log("close", ids=[row["id"] for owner, row in open_ if owner.name == other.name], how=DONE)
        other.save()
    own = [row["id"] for owner, row in open_ if owner.name == session.name]
    if own or last != [entry.digest]:
        fields = entry.document
        session.log(
            "wrap-up",
            ids=own,
            digest=entry.digest,
            task=fields["task"],
            status=fields["status"],
            next=fields["next"],
        )
    session.save()
    return [row for _, row in open_]


def _mentions(document: Mapping[str, Any], text: str) -> bool:
    """Whether the document has at least a third of a capture's long words."""
    words = {word for word in plain_text.words(text).split() if len(word) >= _TELLING} - word_forms.FILLER
    document_words = set(plain_text.words(json_codec.dumps(dict(document))).split())
    return not words or len(words & document_words) * 3 >= len(words)


def _renew_continuation(session: Session) -> Saved:
    """Let the session's own continuation, where one waits, say what the wrap-up says; without a next step it goes."""
    project = session.project
    name, before = project.relative(project.continuation), continuation_files.find_waiting(project)
    if before is None or before.session != session.name:
        return Saved("")
    continuation_files.refresh(session, always=False)
    after = continuation_files.find_waiting(project)
    if after is None:
        return Saved(name, "moved to the archive: nothing is open")
    return Saved(name, "the wrap-up's next step" if after.text != before.text else "")


def _save_buffer(session: Session) -> Saved:
    project = session.project
    name = project.relative(project.buffer)
    why = memory_files.explain_refusal(project, project.buffer)
    if why:
        return Saved(name, why=why)
    before, known = (
        core_files.read(project.buffer),
        memory_files.is_trusted(project, session.environ, project.buffer),
    )
    blocks = [(session.name, working_buffer.render(session.state)), *_read_ended_blocks(session)]
    try:
        working_buffer.update(project.buffer, project.own_lines(), blocks)
    except OSError as error:
        return Saved(name, why=f"cannot be written: {error.strerror or error}")
    after = core_files.read(project.buffer)
    if known:
        trust.record(session.environ, project.root, name, after)
    return Saved(name, "current task, status, next step" if after != before else "")


def _read_ended_blocks(session: Session) -> list[tuple[str, list[str]]]:
    """Return the blocks of ended sessions: without open captures they are taken out."""
    return [
        (ended.name, _buffer_block(ended.state)) for ended in find_others(session, CAPTURE_DAYS) if ended.state["ended"]
    ]


def _buffer_block(state: State) -> list[str]:
    return working_buffer.render(state) if state["captures"] else []


def _change_file(session: Session, path: str, change: Callable[[str], str], description: Description) -> Saved:
    return memory_files.change_file(session.project, session.environ, path, change, description)


def save_global(environ: Mapping[str, str], document: Document) -> Saved:
    """Write preferences and global entries into the user's cross-project memory; the user asked for it."""
    return promotion.save_learnings(environ, [*document["preferences"], *document["global"]])


def _format_count(number: int, what: str) -> str:
    return f"{number} {what}" if number else ""
