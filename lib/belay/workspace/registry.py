"""The projects that this user works in, kept in workspace.db: a session's end lists its own.

What a session's end reads of the project itself (entities, contacts) comes from `survey`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import paths
from belay.core.errors import BadInput
from belay.core.plain_text import one_line, shown
from belay.knowledge.store.tables import workspace_rows
from belay.memory import promotion
from belay.repository import projects
from belay.repository.git import owners
from belay.repository.git.process import GitFailed
from belay.safety.redaction import find_secrets, redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.knowledge.store.connection import Connection
    from belay.knowledge.store.tables.workspace_rows import ProjectRow

HOW_CHARS = 120
"""Characters of what a link is called."""
SHOWN_NAMES = 5


def record_project(project: paths.Project, environ: Mapping[str, str], last: str) -> None:
    """List a project, or bring its row up to date; `last` is when it was worked in (UTC)."""
    with workspace_rows.open_workspace(find_file(environ), create=True) as connection:
        if connection:
            save_project(connection, project, last)


def save_project(connection: Connection, project: paths.Project, last: str) -> None:
    """Write a project's row within a transaction."""
    home = projects.make_label(project.home)
    row: ProjectRow = {
        "name": os.path.basename(home), "home": home, "roots": [], "remote": find_remote(project), "first": last,
        "last": last, "links": [],
    }  # fmt: skip
    workspace_rows.save_project(connection, row, projects.make_label(project.root))


def find_file(environ: Mapping[str, str]) -> str:
    """Return where workspace.db is."""
    return os.path.join(paths.data_home(environ), "workspace.db")


def find_remote(project: paths.Project) -> str:
    """Return the address of a project's remote, without name and password."""
    try:
        return redact(owners.find_remote(project.root)) if project.git_dir else ""
    except GitFailed:
        return ""


def list_projects(environ: Mapping[str, str]) -> list[ProjectRow]:
    """Return the known projects, the one worked in last first."""
    with workspace_rows.open_workspace(find_file(environ)) as connection:
        return workspace_rows.list_projects(connection) if connection else []


def is_gone(row: ProjectRow) -> bool:
    """Whether a project's folder is not there any more: deleted, moved, or on a disk that is not mounted."""
    return not os.path.isdir(row["home"])


def find_project(rows: list[ProjectRow], given: str, environ: Mapping[str, str]) -> ProjectRow:
    """Return the project that a name or a folder means. BadInput for none, and for a name of several."""
    named = [row for row in rows if given in (row["name"], row["home"])]
    folder = projects.find(os.path.abspath(given), environ) if not named and os.path.isdir(given) else None
    label = projects.make_label(folder.home) if folder else ""
    found = named or [row for row in rows if label and row["home"] == label]
    if len(found) == 1:
        return found[0]
    if found:
        homes = ", ".join(shown(row["home"], 200) for row in found[:SHOWN_NAMES])
        raise BadInput(shown(given, 80), f"is the name of {len(found)} projects", f"name the folder: {homes}")
    raise BadInput(shown(given, 80), "is not a known project", "belay workspace list shows them; a session adds one")


def link(environ: Mapping[str, str], one: ProjectRow, other: ProjectRow, how: str) -> None:
    """Link two projects in the user's words. BadInput for a project with itself, and for a secret."""
    how = one_line(how, HOW_CHARS)
    if one["home"] == other["home"]:
        raise BadInput(shown(one["name"], 80), "cannot be linked with itself", "name two projects")
    if find_secrets(how):
        raise BadInput("the text", "holds a secret", "leave it out")
    with workspace_rows.open_workspace(find_file(environ), create=True) as connection:
        if connection:
            workspace_rows.save_link(connection, one["home"], other["home"], how)


def unlink(environ: Mapping[str, str], one: ProjectRow, other: ProjectRow) -> None:
    """Take a link back. BadInput where there is none."""
    with workspace_rows.open_workspace(find_file(environ)) as connection:
        if connection and workspace_rows.delete_link(connection, one["home"], other["home"]):
            return
    raise BadInput(
        f"{shown(one['name'], 80)} and {shown(other['name'], 80)}", "are not linked", "belay workspace list shows links"
    )


def forget(environ: Mapping[str, str], rows: list[ProjectRow]) -> None:
    """Forget projects and the learnings that were noted of them; their own files stay as they are."""
    with workspace_rows.open_workspace(find_file(environ)) as connection:
        for row in rows:
            if connection:
                workspace_rows.delete_project(connection, row["home"])
    for row in rows:
        promotion.forget_project(environ, row["home"])
