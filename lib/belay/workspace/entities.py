"""Services, APIs, repositories and packages of the projects, each with its evidence; nothing is guessed.

A package counts only where one known project makes it and another depends on it. A service belongs to one project:
two projects that both call one `db` do not share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock
from belay.core.errors import BadInput
from belay.core.plain_text import one_line, shown
from belay.knowledge.store.tables import workspace_entities, workspace_rows
from belay.knowledge.store.tables.workspace_entities import DECLARES, FOUND, HAND, USES, EntityRow
from belay.repository.git import owners
from belay.repository.manifests import dependencies, package_names, stack
from belay.repository.survey import declared, quotes
from belay.safety.redaction import find_secrets
from belay.workspace import registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.core import paths
    from belay.knowledge.store.tables.workspace_rows import ProjectRow

NAME_CHARS, EVIDENCE_CHARS = 120, 200
MOST_PACKAGES = 2000
"""Packages of one project that are compared with what other projects make."""


class Entity(NamedTuple):
    """A service, API, repository or package, and what which project has to do with it."""

    kind: str
    name: str
    ties: list[EntityRow]


def find_entities(project: paths.Project, home: str, remote: str, tracked: Sequence[str]) -> list[EntityRow]:
    """Return what the project's files declare and use; the texts are cleaned, for they come with clones."""
    found = declared.find_declared(project.root, tracked)
    name = owners.name_repository(remote)
    if name:
        found.append(declared.Declared(declared.REPOSITORY, name, f"remote {remote}"))
    now = clock.now()
    rows = [EntityRow(home, one.kind, one.name, DECLARES, FOUND, _clean(one.evidence), now) for one in found]
    return rows + [EntityRow(home, declared.PACKAGE, *row, now) for row in _find_packages(project.root)]


def _find_packages(root: str) -> list[tuple[str, str, str, str]]:
    """Return (name, role, origin, evidence) of the packages that the manifests make and use."""
    made: dict[str, str] = {}
    used: dict[str, str] = {}
    for path in stack.manifests(root):
        text = stack.text(root, path)
        name = package_names.read_package_name(path, text)
        if name and quotes.line(name, NAME_CHARS) == name:
            made.setdefault(name, path)
        for other, version in dependencies.dependencies(path, text).items():
            used.setdefault(other, f"{path}: {version or 'any version'}")
    rows = [(name, DECLARES, FOUND, _clean(path)) for name, path in made.items()]
    outside = [name for name in used if name not in made and quotes.line(name, NAME_CHARS) == name]
    return rows + [(name, USES, FOUND, _clean(used[name])) for name in outside[:MOST_PACKAGES]]


def _clean(text: str) -> str:
    return quotes.line(text, EVIDENCE_CHARS)


def list_entities(environ: Mapping[str, str]) -> list[Entity]:
    """Return the entities of all known projects; a package only where projects share it."""
    with workspace_rows.open_workspace(registry.find_file(environ)) as connection:
        rows = workspace_entities.list_entities(connection) if connection else []
    groups: dict[tuple[str, str, str], list[EntityRow]] = {}
    for row in rows:
        own = row.home if row.kind == declared.SERVICE else ""
        groups.setdefault((row.kind, row.name, own), []).append(row)
    return [Entity(key[0], key[1], ties) for key, ties in groups.items() if _is_shown(ties)]


def _is_shown(ties: list[EntityRow]) -> bool:
    if ties[0].kind != declared.PACKAGE or any(row.origin == HAND for row in ties):
        return True
    makers = {row.home for row in ties if row.role == DECLARES}
    return bool(makers) and any(row.home not in makers for row in ties)


def add_entity(environ: Mapping[str, str], project: ProjectRow, kind: str, name: str, words: str) -> None:
    """Note an entity of a project in the user's words; BadInput for a secret and for no name."""
    name, words = one_line(name, NAME_CHARS), one_line(words, EVIDENCE_CHARS)
    if not name:
        raise BadInput("the name", "is empty", f"say which {kind} it is")
    if find_secrets(f"{name} {words}"):
        raise BadInput("the text", "holds a secret", "leave it out")
    row = EntityRow(project["home"], kind, name, DECLARES, HAND, words, clock.now())
    with workspace_rows.open_workspace(registry.find_file(environ), create=True) as connection:
        if connection:
            workspace_entities.save_entity(connection, row)


def remove_entity(environ: Mapping[str, str], project: ProjectRow, kind: str, name: str) -> None:
    """Take back what the user noted; BadInput where that is nothing: what files declare goes when they do."""
    with workspace_rows.open_workspace(registry.find_file(environ)) as connection:
        if connection and workspace_entities.delete_entity(
            connection, project["home"], kind, one_line(name, NAME_CHARS)
        ):
            return
    raise BadInput(shown(name, 80), f"is no {kind} that you noted", "belay workspace entities shows where each is from")
