"""The memory files of a wrap-up: what belongs to the branch goes to its overlay, everything else to the base."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from belay import clock, pages
from belay.memory import facts
from belay.memory.page import Page, parse
from belay.memory.update import SECTIONS, Entry
from belay.pages import Saved
from belay.session import Session
from belay.wrapup import audit, memory, template

MEMORY = "MEMORY.md"
TOLD = {
    "completed": "completed",
    "active": "active",
    "blockers": "blocked",
    "decisions": "decided",
    "files": "key files",
}


class Layer(NamedTuple):
    """A memory file and the sections that are written there."""

    path: str
    sections: Collection[str]


def of(session: Session, branch: str) -> list[Layer]:
    """Return the files that a session on this branch writes, the base first."""
    return [Layer(session.project.memory_md, SECTIONS)]


def save(session: Session, entry: Entry, *, anyway: bool) -> tuple[list[Saved], list[str]]:
    """Bring the memory files up to date; return what became of each, and notes for the person.

    `anyway` writes MEMORY.md though it changed since the audit.
    """
    project = session.project
    seen = audit.kept(project, session.name)
    now = audit.memory_state(project)
    refuse = now["why"]
    if not anyway and seen and now["sha256"] != seen["sha256"]:
        when = clock.local_time(str(seen["time"]))
        refuse = f"changed since the audit of {when}; run `belay wrap-up` again, then apply"
    saved = [_write(session, entry, layer, refuse) for layer in of(session, entry.branch)]
    if seen and saved[0].what:
        audit.note(project, session.name, {**seen, "sha256": audit.memory_state(project)["sha256"]})
    return saved, []


def _write(session: Session, entry: Entry, layer: Layer, refuse: str) -> Saved:
    project, environ = session.project, session.environ
    form = template.load(project, environ, MEMORY)

    def change(text: str) -> str:
        return memory.written(text, entry, form, layer.sections)

    def told(old: str, new: str) -> str:
        return _told(old, parse(new), entry)

    return pages.change(project, environ, layer.path, change, told, refuse=refuse)


def _told(old: str, new: Page, entry: Entry) -> str:
    hows = {"003": "brought up to date", "004": "decisions and workstream", "other": "one dated block"}
    how = hows[facts.form_of(new)] if old.strip() else "created"
    counts = [f"{len(entry.document[key])} {name}" for key, name in TOLD.items() if entry.document[key]]
    return ", ".join([how, *(["next step"] if entry.document["next"] else []), *counts])
