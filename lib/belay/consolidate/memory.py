"""Memory files after a session: begun wrap-ups, what was to be remembered, ended sessions, compression.

An ended session without /wrap-up updates its memory file as far as code alone can (seed 003): header, Where We Left
Off, ticks, one row of the Session Log, and decisions that were stated outright; nothing where MEMORY.md is absent,
unknown, not understood or of no known form, or where the session did no work. Each session's part is done once, under
the lock: its row carries its mark, and the record `kept` says up to where. An error stops no other session's part, and
the next run tries again.
"""

from __future__ import annotations

import os

from belay.core import clock, settings
from belay.core.constants import CAPTURE_DAYS
from belay.core.errors import BelayError
from belay.memory import memory_files
from belay.safety.trust import digest
from belay.session.session import at_its_work_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.core.paths import Project
    from belay.memory.memory_files import Saved
    from belay.memory.wrapup.audit import Audit
    from belay.memory.wrapup.form import Document
    from belay.memory.wrapup.layer_files import Layer
    from belay.memory.wrapup.sections import Entry
    from belay.session.session import Session

SECTIONS = ("left", "ticks", "decisions", "log", "header")
COUNTED = ("log", "header")
"""Sections that a session changes in which only something was remembered: it counts (seed 003's header)."""
SLACK = 60.0
"""Seconds by which a session's own last write may be later than its last sign of life."""
_DISK = "cannot be written"


def has_work(sessions: list[Session]) -> bool:
    """Whether a memory file waits for any of the sessions."""
    return any(session.state["drafted"] or is_due(session) for session in sessions)


def is_due(session: Session) -> bool:
    """Whether an ended session has work that its memory file does not have; one long ago is left alone."""
    state = session.state
    recent = clock.seconds(state["active"]) > clock.moment() - CAPTURE_DAYS * clock.DAY
    return bool(state["ended"]) and state["kept"] != state["active"] and recent


def run(project: Project, environ: Mapping[str, str], sessions: list[Session], *, ending: bool) -> int:
    """Bring the memory files up to date, the oldest session first; return how many sessions changed one.

    `ending`: a session ends, so that a memory over the limit is compressed; at a start it never is (seed 003).
    Without the parser (the environment does not exist yet) everything waits.
    """
    from belay.memory import promotion
    from belay.memory.remember import filing, requests

    if not filing.has_parser(environ):
        return 0
    own: set[str] = set()
    for session in sessions:
        _try(_finish_wrap_up, session)
    for session in filter(requests.find_pending, sessions):
        _try(lambda session: bool(filing.file_pending(at_its_work_tree(session))), session)
        session.reload()
    changed = sum(_try(lambda session: _update(session, own), row) for row in sessions if is_due(row))
    try:
        if ending and compress(project, environ):
            changed += 1
        _compile_ahead(project, environ)
        promotion.record_project(project, environ)
    except (OSError, BelayError):
        return changed
    return changed


def _try(work: Callable[[Session], bool], session: Session) -> bool:
    try:
        return work(session)
    except (OSError, BelayError):
        return False


def _finish_wrap_up(session: Session) -> bool:
    """Save the document of a wrap-up that was killed in the middle."""
    if not session.state["drafted"]:
        return False
    from belay.memory.wrapup import saving

    where = at_its_work_tree(session)
    with memory_files.lock_memory(where.project):
        session.reload()
        document = saving.find_unfinished(where)
        if document:
            saving.save_wrapup(where, document)
    session.reload()
    return document is not None


def compress(project: Project, environ: Mapping[str, str]) -> bool:
    """Compress MEMORY.md where it has more lines than the settings allow; return whether it changed."""
    from belay.memory.compression import compression
    from belay.memory.document.page import split_lines

    path = project.memory_md
    if not os.path.isfile(path) or memory_files.explain_refusal(project, path):
        return False
    lines = len(split_lines(memory_files.read_text(path)))
    if compression.check_length(lines, settings.load_settings(project, environ)) != "now":
        return False
    with memory_files.lock_memory(project):
        return compression.compress_file(project, environ).written


def _compile_ahead(project: Project, environ: Mapping[str, str]) -> None:
    """Do what the next start would wait for: compile the memory, find the branches that were merged."""
    from belay.context.start import compiled_memory
    from belay.memory.branches import offers

    compiled_memory.compile_ahead(project, environ)
    offers.find_offers(project, environ)


def _update(session: Session, own: set[str]) -> bool:
    changed = update_memory(at_its_work_tree(session), own)
    session.reload()
    return changed


def update_memory(session: Session, own: set[str]) -> bool:
    """Bring the memory files up to date with an ended session, once; return whether one was written.

    The session is at the work tree it worked in. `own` holds the hashes of what this run wrote: what anybody else
    wrote after the session ended is newer than it. Raises LockTimeout or OSError where it must be tried again.
    """
    if not is_due(session):
        return False
    with memory_files.lock_memory(session.project):
        session.reload()
        if not is_due(session):  # another process was first
            return False
        upto, skipped = session.state["active"], _why_not(session)
        saved = [] if skipped else _write_layers(session, own)
        if any(row.why.startswith(_DISK) for row in saved):
            return False
        why = "; ".join(filter(None, [skipped, *(f"{row.file} {row.why}" for row in saved if row.why)]))
        session.log("kept", upto=upto, files=[row.file for row in saved if row.what], skipped=why)
        session.save()
    return any(row.what for row in saved)


def _why_not(session: Session) -> str:
    """Return why nothing is written, "" where something may be."""
    from belay.memory.document import page
    from belay.memory.wrapup import sections

    project, path = session.project, session.project.memory_md
    if not os.path.exists(path):
        return "MEMORY.md is absent"
    why = memory_files.explain_refusal(project, path)
    if why:
        return f"MEMORY.md {why}"
    if not memory_files.is_trusted(project, session.environ, path):
        return "MEMORY.md is not trusted"
    text = memory_files.read_text(path)
    if memory_files.explain_problem(text):
        return f"MEMORY.md {memory_files.explain_problem(text)}"
    has_form = sections.detect_form(page.parse(text)) in ("003", "004")
    return "" if has_form else "MEMORY.md has no known form"


def _write_layers(session: Session, own: set[str]) -> list[Saved]:
    from belay.memory.wrapup import audit, automatic_document, layer_files, saving

    state, facts = session.state, audit.gather_audit(session)
    document = automatic_document.build_document(session, facts, own=True)
    sections: tuple[str, ...] = SECTIONS
    if not did_work(facts, document):
        sections = COUNTED
        document = {**document, "summary": automatic_document.summarize_filed(_list_filed(session, facts["wrapped"]))}
    if not document["summary"]:
        sections = tuple(name for name in sections if name not in COUNTED)
    if not sections:
        return []
    branch = state["branch"] or "no branch"
    entry = saving.build_entry(session, document, state["active"], branch, written=False)
    saved = []
    for layer in layer_files.find_layers(session, entry.branch, sections):
        if layer.branch and sections == COUNTED and not os.path.exists(layer.path):
            continue  # nothing of this session is there
        saved.append(_write_layer(session, entry, layer, own))
        own.add(digest(memory_files.read_text(layer.path).encode("utf-8", "surrogateescape")))
    return saved


def _write_layer(session: Session, entry: Entry, layer: Layer, own: set[str]) -> Saved:
    from belay.memory.wrapup import layer_files

    elsewhere = not layer.branch and session.state["branch"] != session.branch
    if elsewhere or _is_newer(layer.path, session, own):
        layer = layer._replace(sections=[name for name in layer.sections if name != "left"])
        entry = entry._replace(branch=layer.branch)
    refuse = "" if memory_files.is_trusted(session.project, session.environ, layer.path) else "is not trusted"
    return layer_files.write_layer(session, entry, layer, refuse)


def _is_newer(path: str, session: Session, own: set[str]) -> bool:
    """Whether somebody else wrote a file after the session's last sign of life: then Where We Left Off is theirs."""
    try:
        written = os.stat(path).st_mtime
    except OSError:
        return False
    late = written > clock.seconds(session.state["active"]) + SLACK
    return late and digest(memory_files.read_text(path).encode("utf-8", "surrogateescape")) not in own


def _list_filed(session: Session, since: str) -> list[str]:
    """Return the texts that this session brought into memory files itself after a moment, on request."""
    captures = session.state["captures"].values()
    return [row["text"] for row in captures if row.get("filed") and row["time"] > since]


def did_work(facts: Audit, document: Document) -> bool:
    """Whether a session did anything that its last wrap-up did not save: an edit, a commit, a decision."""
    since = facts["wrapped"]
    edited = any(row["time"] > since for row in facts["files"])
    committed = any(str(row["time"]) > since for row in facts["made"]) or bool(facts["commits"] and not since)
    return edited or committed or bool(document["decisions"])
