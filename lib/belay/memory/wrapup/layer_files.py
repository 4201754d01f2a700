"""The memory files of a session: what belongs to its branch goes to the overlay, the rest to the base (seed 003).

Where the branch has none, those sections go to the memory of a nearer folder, if it exists (`overlay.find_target`).

A base of another form than seed 003's is not layered: its workstreams, or its dated block, name the branch.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Literal, NamedTuple

from belay.core import clock, kinds
from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.core.plain_text import count
from belay.memory import memory_files, next_steps, templates
from belay.memory.branches import header, overlay
from belay.memory.document import facts
from belay.memory.document.layers import BRANCH
from belay.memory.document.page import parse
from belay.memory.memory_files import Saved
from belay.memory.wrapup import audit, memory_md, named_files
from belay.memory.wrapup import sections as wrapup_sections
from belay.memory.wrapup.sections import SECTIONS, Entry
from belay.safety.labels import make_label
from belay.session.session import Session

MEMORY = "MEMORY.md"
_COUNTED: dict[Literal["completed", "active", "blockers", "decisions", "files"], tuple[str, str]] = {
    "completed": ("completed", "completed"),
    "active": ("active", "active"),
    "blockers": (kinds.BLOCKER, "blockers"),
    "decisions": (kinds.DECISION, "decisions"),
    "files": ("key file", "key files"),
}
AUTOMATIC: tuple[Literal["next"], Literal["question"]] = ("next", "question")
"""Fields that code fills only where no person did."""
ABOVE = frozenset((*BRANCH, "ticks", "header"))
"""Sections of an overlay, or of a nearer folder's memory."""
BELOW = tuple(name for name in SECTIONS if name not in ABOVE or name == "header")
NO_BRANCH = ("", "detached", "no branch")
_HOW = {
    "003": "brought up to date",
    "004": "decisions and workstream",
    "other": "one dated block",
    "empty": "created",
}


class Layer(NamedTuple):
    """A memory file, the sections that are written there, and the branch whose overlay it is ("" for none)."""

    path: str
    sections: Collection[str]
    branch: str = ""


def find_layers(session: Session, branch: str, sections: Collection[str] = SECTIONS) -> list[Layer]:
    """Return the files that a session on this branch writes of these sections, the base first."""
    project = session.project
    path = _find_upper_file(session, branch)
    if path == project.memory_md:
        return [Layer(path, sections)]
    owner = branch if path.startswith(project.overlays + os.sep) else ""
    below = BELOW if owner else (*BELOW, "ticks")  # a box in the root's memory is ticked there
    above = Layer(path, [name for name in sections if name in ABOVE], owner)
    return [Layer(project.memory_md, [name for name in sections if name in below]), above]


def _find_upper_file(session: Session, branch: str) -> str:
    """Return the file of the branch's own sections, the base's where there is no other."""
    project = session.project
    if wrapup_sections.detect_form(parse(memory_files.read_text(project.memory_md))) not in ("003", "empty"):
        return project.memory_md
    try:
        return overlay.find_target(project, "" if branch in NO_BRANCH else branch, "left", session.folder)
    except BelayError:  # git does not answer: the base is the one place that is always loaded
        return project.memory_md


def save_memories(session: Session, entry: Entry, *, anyway: bool) -> tuple[list[Saved], list[str]]:
    """Bring the memory files up to date; return what became of each, and notes for the person. The lock is held.

    `anyway` writes MEMORY.md though it changed since the audit.
    """
    project = session.project
    seen = audit.read_seen(project, session.name)
    refuse = "" if anyway else _explain_stale(session, seen)
    saved = [
        write_layer(session, entry, layer, refuse if layer.path == project.memory_md else "")
        for layer in find_layers(session, entry.branch)
    ]
    if seen and saved[0].what:
        audit.write_seen(project, session.name, {**seen, "sha256": audit.check_memory(project)["sha256"]})
    return saved, named_files.describe_missing(project, session.environ)


def _explain_stale(session: Session, seen: dict[str, object]) -> str:
    if not seen or audit.check_memory(session.project)["sha256"] == seen["sha256"]:
        return ""
    when = clock.local_time(str(seen["time"]))
    return f"changed since the audit of {when}; run `belay wrap-up` again, then apply"


def write_layer(session: Session, entry: Entry, layer: Layer, refuse: str = "") -> Saved:
    """Write what an entry brings to one layer and read it back; the caller holds the lock."""
    project, environ = session.project, session.environ
    form, is_base = templates.load_template(project, environ, MEMORY), layer.path == project.memory_md
    path = overlay.settle_name(project, environ, layer.branch) if layer.branch else layer.path
    entry = entry if entry.written or "left" not in layer.sections else _keep_better_step(project, entry, path)

    def base(text: str) -> str:
        renamed = named_files.follow_renames(project, text)
        return memory_md.write_entry(renamed, entry, form, layer.sections, score=named_files.build_scorer(project))

    def upper(text: str) -> str:
        number = wrapup_sections.find_session_number(parse(memory_files.read_text(project.memory_md)), entry.session)
        begun = text or header.begin_overlay(layer.branch)
        new = wrapup_sections.apply_entry(parse(begun), entry, parse(form), layer.sections, number).text
        return overlay.stamp_overlay(project, layer.branch, new) if layer.branch and new != text else new

    def describe(old: str, new: str) -> str:
        return _describe_change(old, new, entry, layer, wrapup_sections.detect_form(parse(new)) if is_base else "003")

    unclear = (
        ""
        if memory_files.explain_refusal(project, path)
        else memory_files.explain_problem(memory_files.read_text(path))
    )
    if unclear:
        return Saved(make_label(project.relative(path)), why=unclear)
    saved = memory_files.change_file(project, environ, path, base if is_base else upper, describe, refuse=refuse)
    for field in AUTOMATIC if saved.what and not entry.written and "left" in layer.sections else ():
        if entry.document[field]:
            next_steps.record_step(project, path, entry.document[field], field)
    return saved


def _keep_better_step(project: Project, entry: Entry, path: str) -> Entry:
    """Return an entry of code's own without next step and question where the file's stay: they are a person's.

    A step that is done, and a question that Belay wrote down before, go in any case.
    """
    unclear = memory_files.explain_refusal(project, path)
    left = facts.read_facts(parse("" if unclear else memory_files.read_text(path)))["left"]
    finished, document = entry.document["completed"], entry.document
    is_asked, cleared = next_steps.is_own(project, path, left["question"], "question"), list[str]()
    if not next_steps.may_replace(project, path, left["next"], finished):
        document = {**document, "next": ""}
    elif next_steps.is_done(left["next"], finished):
        cleared.append("next")
    if is_asked:
        cleared.append("question")
    elif left["question"]:
        document = {**document, "question": ""}
    return entry._replace(document=document, cleared=tuple(cleared))


def _describe_change(old: str, new: str, entry: Entry, layer: Layer, kind: str) -> str:
    how = "created" if not old.strip() else _HOW[kind]
    counts = [
        count(len(entry.document[key]), *names)
        for key, names in _COUNTED.items()
        if entry.document[key] and key in layer.sections
    ]
    step = ["next step"] if entry.document["next"] and "left" in layer.sections else []
    return ", ".join([how, *step, *counts])
