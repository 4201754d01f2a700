"""Where the shared memory is, and under which names this project and this person are in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import settings as core_settings
from belay.core.errors import BadInput
from belay.core.plain_text import one_line, shown
from belay.repository.git import owners
from belay.repository.git.process import GitFailed
from belay.safety.labels import make_label
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.core import paths

NAME_CHARS = 120


class SharedPlace(NamedTuple):
    """A server's address (or a folder), the project's name there, and the person's, "" for none."""

    where: str
    project: str
    person: str

    @property
    def shown(self) -> str:
        """The address for a sentence, without name and password."""
        return shown(owners.strip_address(self.where) or self.where)


def find_place(
    project: paths.Project | None, environ: Mapping[str, str], where: str = "", name: str = ""
) -> SharedPlace:
    """Return the place that a call names, else the settings; BadInput where no server is named."""
    settings = core_settings.load_settings(project, environ) if project else core_settings.DEFAULTS
    where = where or settings["qdrant"]
    if not where:
        raise BadInput("the server", "is not known", "name it: belay sync URL, or the setting `qdrant`")
    if not where.startswith(("http://", "https://")) and os.sep not in where:
        raise BadInput(shown(where), "is no URL", "write http://… or https://…; a folder with its path")
    name = name or settings["qdrant_project"] or (find_name(project) if project else "")
    person = settings["qdrant_person"] or (_ask_git(owners.find_user, project) if project else "")
    return SharedPlace(where, _clean(name) or "project", _clean(person))


def find_name(project: paths.Project) -> str:
    """Return a project's name for everybody: its remote's host and path, else the name of its folder.

    The same in every clone, and two projects whose folders have one name stay apart.
    """
    return owners.name_repository(_ask_git(owners.find_remote, project)) or make_label(os.path.basename(project.home))


def _ask_git(question: Callable[[str], str], project: paths.Project) -> str:
    try:
        return redact(question(project.root)) if project.git_dir else ""
    except GitFailed:
        return ""


def _clean(name: str) -> str:
    return one_line("".join(char if char.isprintable() else " " for char in redact(name)), NAME_CHARS).strip("/ ")
