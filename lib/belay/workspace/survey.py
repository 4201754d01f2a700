"""What a session's end reads of its project for the workspace: its row, its entities, its contacts; one transaction.

What is read comes from files and history, before the file is locked: a slow disk holds up nobody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.knowledge.store.tables import workspace_entities, workspace_rows
from belay.repository import projects
from belay.repository.git import owners
from belay.repository.git.process import GitFailed
from belay.repository.survey import files
from belay.workspace import contacts, entities, registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core import paths


def record_project(project: paths.Project, environ: Mapping[str, str], last: str) -> None:
    """List a project with what its files declare and whom to ask about it; `last` is when it was worked in (UTC)."""
    home, remote = projects.make_label(project.home), registry.find_remote(project)
    found = entities.find_entities(project, home, remote, _list_paths(project))
    people = _find_contacts(project, home)
    with workspace_rows.open_workspace(registry.find_file(environ), create=True) as connection:
        if connection is None:
            return
        registry.save_project(connection, project, last)
        workspace_entities.replace_entities(connection, home, found)
        workspace_entities.replace_contacts(connection, home, people)


def _list_paths(project: paths.Project) -> list[str]:
    """Return the project's own files: what git tracks, else what is at its top."""
    try:
        tracked = owners.list_files(project.root) if project.git_dir else []
    except GitFailed:
        tracked = []
    return tracked or files.names(project.root)


def _find_contacts(project: paths.Project, home: str) -> list[workspace_entities.ContactRow]:
    try:
        return contacts.find_contacts(project, home)
    except GitFailed:
        return []
