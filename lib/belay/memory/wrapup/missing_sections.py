"""The sections that the form asks for once in a project: what a reader needs and nobody has written yet."""

from __future__ import annotations

from collections.abc import Collection

from belay.core import files
from belay.core.paths import Project
from belay.memory import memory_files
from belay.memory.document import edits, facts
from belay.memory.document.page import Page, parse
from belay.memory.remember import notes
from belay.memory.wrapup import form, sections
from belay.safety import shown_notices
from belay.session.session import Session


def find_missing(session: Session) -> list[str]:
    """Return which of `form.ONCE` MEMORY.md lacks and no form of this project has asked for."""
    project = session.project
    if files.explain_refusal(project.memory_md):
        return []
    empty = find_empty(parse(memory_files.read_text(project.memory_md)))
    return [name for name in empty if not shown_notices.was_shown(session.environ, _asked_key(project, name))]


def mark_asked(session: Session, names: Collection[str]) -> None:
    """Remember that a form which was saved had asked for these sections."""
    for name in names:
        shown_notices.is_new(session.environ, _asked_key(session.project, name))


def find_empty(page: Page) -> list[str]:
    """Return which of `form.ONCE` say nothing in a file of Belay's template; [] for another form."""
    if sections.detect_form(page) not in ("003", "empty"):
        return []
    return [name for name in form.ONCE if not has_text(page, name)]


def has_text(page: Page, name: str) -> bool:
    """Whether a section says something; a template's placeholder does not."""
    if name == "overview":
        return bool(facts.read_facts(page)["overview"])
    rows = edits.find_records(page, name, *notes.FILLED)
    return any(not facts.is_placeholder(row.text) for row in rows)


def _asked_key(project: Project, name: str) -> str:
    return f"{project.home} wrap-up asks for {name}"
