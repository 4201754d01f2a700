"""Whom to ask about which project: CODEOWNERS, who committed, and whom the user named. Names, no addresses.

An address is kept only in what the user typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import clock, plain_text
from belay.core.errors import BadInput
from belay.core.plain_text import one_line, shown
from belay.knowledge.store.tables import workspace_entities, workspace_rows
from belay.knowledge.store.tables.workspace_entities import HAND, ContactRow
from belay.repository import projects
from belay.repository.git import owners
from belay.repository.survey import code_owners, quotes
from belay.safety.redaction import find_secrets
from belay.workspace import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core import paths

DAYS = 365
PEOPLE, OWNERS, PATTERNS = 12, 40, 3
"""People by commits, owners, and patterns of an owner that are kept."""
TEXT_CHARS = 200
NAME_CHARS = 80


def find_contacts(project: paths.Project, home: str) -> list[ContactRow]:
    """Return who committed in twelve months and whom CODEOWNERS names; the names are cleaned."""
    now = clock.now()
    people = owners.list_people(project.root, clock.days_before(now, DAYS)[:10]) if project.git_dir else []
    rows = [
        ContactRow(home, _clean(person.name), "history", _describe_commits(person), now)
        for person in people[:PEOPLE]
        if _is_name(person.name)
    ]
    owned: dict[str, list[str]] = {}
    name, rules = code_owners.read_code_owners(project.root)
    for pattern, who in rules:
        for owner in who:
            if owner.startswith("@") and quotes.path(pattern) and _clean(owner) == owner:
                owned.setdefault(owner, []).append(pattern)
    rows += [
        ContactRow(home, owner, "codeowners", _describe_patterns(patterns, name), now)
        for owner, patterns in list(owned.items())[:OWNERS]
    ]
    return rows


def _describe_commits(person: owners.Person) -> str:
    return f"{plain_text.count(person.commits, 'commit')} in twelve months, last {person.last}"


def _describe_patterns(patterns: list[str], name: str) -> str:
    more = f" and {len(patterns) - PATTERNS} more" if len(patterns) > PATTERNS else ""
    return f"owns {', '.join(patterns[:PATTERNS])}{more} ({name})"


def _is_name(name: str) -> bool:
    """Whether an author's name is a name and no address."""
    return "@" not in name and bool(_clean(name))


def _clean(name: str) -> str:
    return quotes.line(name, NAME_CHARS)


def list_contacts(environ: Mapping[str, str]) -> list[ContactRow]:
    """Return the contacts of all known projects, those that the user gave first."""
    with workspace_rows.open_workspace(registry.find_file(environ)) as connection:
        return workspace_entities.list_contacts(connection) if connection else []


def list_named(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Return what the user said of whom to ask about a project."""
    home = projects.make_label(project.home)
    return [row.name for row in list_contacts(environ) if row.home == home and row.origin == HAND]


def add_contact(project: paths.Project, environ: Mapping[str, str], text: str) -> bool:
    """Keep a contact of a project in the user's words; return whether it is new. BadInput for a secret."""
    text = one_line(text, TEXT_CHARS)
    if find_secrets(text):
        raise BadInput("the text", "holds a secret", "leave it out")
    row = ContactRow(projects.make_label(project.home), text, HAND, "", clock.now())
    with workspace_rows.open_workspace(registry.find_file(environ), create=True) as connection:
        if connection is None:
            return False
        registry.save_project(connection, project, clock.now())
        return workspace_entities.save_contact(connection, row)


def remove_contact(project: paths.Project, environ: Mapping[str, str], text: str) -> None:
    """Take back a contact that the user gave: its text, or the beginning of only one."""
    home, wanted = projects.make_label(project.home), one_line(text, TEXT_CHARS)
    named = [row.name for row in list_contacts(environ) if row.home == home and row.origin == HAND]
    found = [name for name in named if name == wanted] or [name for name in named if name.startswith(wanted)]
    if len(found) == 1:
        with workspace_rows.open_workspace(registry.find_file(environ)) as connection:
            if connection and workspace_entities.delete_contact(connection, home, found[0]):
                return
    what = f"begins {len(found)} contacts" if found else "is no contact that you gave"
    raise BadInput(shown(text, 80), what, "belay workspace contacts shows them")
