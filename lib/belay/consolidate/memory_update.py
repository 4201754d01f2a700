"""Without /wrap-up: what an ended session came to reaches its memory file, as far as code alone can tell (seed 003).

Header, Where We Left Off, ticks, one row of the Session Log, and decisions that were said outright; nothing else, and
nothing where MEMORY.md is absent, unknown, not understood or of no known form, or where the session did no work.
Once a session: its row carries its mark, and a record of the journal says up to where it was kept.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from belay.core import clock, kinds
from belay.core.constants import CAPTURE_DAYS
from belay.memory import memory_files
from belay.safety.trust import digest
from belay.session import working_buffer

if TYPE_CHECKING:
    from belay.memory.memory_files import Saved
    from belay.memory.wrapup.form import Decision, Document
    from belay.memory.wrapup.layer_files import Layer
    from belay.memory.wrapup.sections import Entry
    from belay.session.session import Session
    from belay.session.state_types import Capture

SECTIONS = ("left", "ticks", "decisions", "log", "header")
COUNTED = ("log", "header")
"""What a session changes that did nothing but have something remembered: it counts (seed 003's header)."""
OUTRIGHT = ("hand", "answered", "asked")
"""Origins of a capture that somebody made on purpose: the command, an answered question, "remember this"."""
SURE = 0.9
"""Confidence of a phrase that settles something by itself (triggers.classify)."""
SLACK = 60.0
"""Seconds by which a session's own last write may lie behind its last sign of life."""
_DISK = "cannot be written"


def waits(session: Session) -> bool:
    """Whether an ended session has work that no memory file was told of yet; one long ago is let be."""
    state = session.state
    recent = clock.seconds(state["active"]) > time.time() - CAPTURE_DAYS * clock.DAY
    return bool(state["ended"]) and state["kept"] != state["active"] and recent


def keep(session: Session, own: set[str]) -> bool:
    """Bring the memory files up to an ended session, once; return whether one was written.

    The session stands at the work tree it worked in. `own` holds the hashes of what this run wrote: what anybody else
    wrote after the session ended is newer than it. Raises LockTimeout or OSError where it must be tried again.
    """
    if not waits(session):
        return False
    with memory_files.lock_memory(session.project):
        session.reload()
        if not waits(session):  # another process was first
            return False
        upto, skipped = session.state["active"], _why_not(session)
        saved = [] if skipped else _written(session, own)
        if any(row.why.startswith(_DISK) for row in saved):
            return False
        why = "; ".join(filter(None, [skipped, *(f"{row.file} {row.why}" for row in saved if row.why)]))
        session.log("kept", upto=upto, files=[row.file for row in saved if row.what], skipped=why)
        session.save()
    return any(row.what for row in saved)


def _why_not(session: Session) -> str:
    """Return why nothing is written, "" where something may be."""
    from belay.memory.document import page
    from belay.memory.wrapup import sections as wrapup_sections

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
    return (
        ""
        if wrapup_sections.detect_form(page.parse(text)) in ("003", "004")
        else "MEMORY.md has no known form"
    )


def _written(session: Session, own: set[str]) -> list[Saved]:
    from belay.memory.wrapup import audit, layer_files, saving

    state, found = session.state, audit.gather_audit(session)
    said = document(session, found)
    filed = _filed(session, found["wrapped"])
    sections = SECTIONS if worked(found, said) else COUNTED if filed else ()
    if not sections:
        return []
    if sections == COUNTED:
        said = {**said, "summary": f"Saved by Belay without a written summary: {len(filed)} filed on request"}
    entry = saving.build_entry(session, said, state["active"], state["branch"] or "no branch", written=False)
    saved = []
    for layer in layer_files.find_layers(session, entry.branch, sections):
        if layer.branch and sections == COUNTED and not os.path.exists(layer.path):
            continue  # nothing of this session stands there
        saved.append(_layer(session, entry, layer, own))
        own.add(digest(memory_files.read_text(layer.path).encode("utf-8", "surrogateescape")))
    return saved


def _layer(session: Session, entry: Entry, layer: Layer, own: set[str]) -> Saved:
    from belay.memory.wrapup import layer_files

    elsewhere = not layer.branch and session.state["branch"] != session.branch
    if elsewhere or _is_newer(layer.path, session, own):
        layer = layer._replace(sections=[name for name in layer.sections if name != "left"])
        entry = entry._replace(branch="")
    refuse = "" if memory_files.is_trusted(session.project, session.environ, layer.path) else "is not trusted"
    return layer_files.write_layer(session, entry, layer, refuse)


def _is_newer(path: str, session: Session, own: set[str]) -> bool:
    """Whether somebody else wrote a file after the session's last sign of life: his word on where things are holds."""
    try:
        moment = os.stat(path).st_mtime
    except OSError:
        return False
    late = moment > clock.seconds(session.state["active"]) + SLACK
    return late and digest(memory_files.read_text(path).encode("utf-8", "surrogateescape")) not in own


def document(session: Session, found: dict[str, Any]) -> Document:
    """Return what code alone can say of a session, its decisions those that were said outright."""
    from belay.memory.wrapup import audit

    captures = [one for one in session.state["captures"].values() if is_outright(one)]
    return {**audit.build_document(found), "decisions": [_decision(one["text"]) for one in captures]}


def is_outright(capture: Capture) -> bool:
    """Whether a capture is a decision that was said outright and stands in no memory file yet."""
    kind, classes = working_buffer.main_class(capture), capture["classes"]
    if capture.get("filed") or kind not in kinds.DECIDING:
        return False
    return capture["origin"] in OUTRIGHT or (kind == kinds.DECISION and classes[kind] >= SURE)


def _decision(text: str) -> Decision:
    from belay.memory.document.template_sections import NOT_RECORDED
    from belay.memory.remember import sentences

    decision, reason = sentences.split_reason(text)
    return {"decision": decision.rstrip("."), "reason": reason or NOT_RECORDED, "affects": ""}


def _filed(session: Session, since: str) -> list[str]:
    """Return what this session brought to memory files by itself after a moment: remembered lines, milestones."""
    rows = session.state["captures"].values()
    remembered = [str(row["id"]) for row in rows if row.get("filed") and str(row["time"]) > since]
    return remembered + ([] if since else list(session.state["milestones"]))


def worked(found: dict[str, Any], said: Document) -> bool:
    """Whether a session did anything that its last wrap-up did not save: an edit, a commit, a decision."""
    since = found["wrapped"]
    edited = any(str(row["time"]) > since for row in found["files"])
    return edited or bool(said["decisions"]) or bool(found["commits"] and not since)
