"""Choose the layer for a note: the base for decisions and what lasts, the overlay for a branch's own work

(docs/branches.md) or a nearer folder's memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import kinds
from belay.core.errors import BelayError
from belay.memory import memory_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.memory.document.page import Page
    from belay.memory.memory_files import Saved
    from belay.memory.remember.notes import Note
    from belay.session.session import Session


def find_target(session: Session, note: Note) -> tuple[str, str]:
    """Return (path, branch) of the file a note belongs to; the branch is "" where that is no overlay.

    Another file than the base is written only above a base of seed 003's form: no other form is split.
    """
    from belay.memory.branches import overlay as branches_overlay

    base = session.project.memory_md
    branch = branches_overlay.current_branch(session.project)  # "" has no overlay
    section = kinds.NOTE_SECTIONS[note.kind][0]
    if not os.path.isfile(base) or not _is_split(session):
        return base, ""
    try:
        path = branches_overlay.find_target(session.project, branch, section, session.folder)
    except BelayError:  # git does not answer: the base is the one place that is always loaded
        path = base
    return path, branch if path.startswith(session.project.overlays + os.sep) else ""


def _is_split(session: Session) -> bool:
    from belay.memory.document import page
    from belay.memory.wrapup import sections

    path = session.project.memory_md
    text = "" if memory_files.explain_refusal(session.project, path) else memory_files.read_text(path)
    return sections.detect_form(page.parse(text)) == "003"


def settle_target(session: Session, note: Note) -> tuple[str, str]:
    """Return the target of a note, an overlay under its own name; the caller holds the lock."""
    from belay.memory.branches import overlay as branches_overlay

    path, branch = find_target(session, note)
    return (
        (branches_overlay.settle_name(session.project, session.environ, branch), branch) if branch else (path, branch)
    )


def write_layer(session: Session, path: str, branch: str, change: Callable[[Page, Page | None], Page]) -> Saved:
    """Change a layer as a page, a layer above the base together with the base; the caller holds the lock."""
    from belay.memory.branches import header as note
    from belay.memory.branches import overlay as branches_overlay
    from belay.memory.document import page

    project, environ = session.project, session.environ
    base = page.parse(memory_files.read_text(project.memory_md)) if path != project.memory_md else None
    if not branch:
        return memory_files.change_page(project, environ, path, lambda old: change(old, base))

    def overlay(text: str) -> str:
        new = change(page.parse(text or note.begin_overlay(branch)), base).text
        return branches_overlay.stamp_overlay(project, branch, new) if new != text else text

    return memory_files.change_file(
        project, environ, path, overlay, refuse=memory_files.explain_problem(memory_files.read_text(path))
    )
