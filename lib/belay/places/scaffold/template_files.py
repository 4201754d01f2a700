"""Templates of memory files: the project's own, then those of Orchestre, then the plugin's."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files, paths
from belay.core.errors import BadCall, mend_foreign
from belay.repository import vetting
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

TEMPLATES = ("root", "orchestration", "feature", "component", "api", "integration")
FOLDERS = (os.path.join(".claude", "memory", "templates"), os.path.join(".orchestre", "memory-templates"))
"""Where a project keeps its own, the first one first (seed 000)."""
_END = "-memory.md"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


class Template(NamedTuple):
    """A template's text, the file that it is from ("" for the plugin's), and what the user should know of it."""

    name: str
    text: str
    file: str
    notes: list[str]


def load_template(project: Project, environ: Mapping[str, str], name: str) -> Template:
    """Return a template by its name; BadCall where there is none.

    One that came with a clone and was not accepted is not used: its text would become memory that Claude trusts.
    """
    notes: list[str] = []
    for folder in FOLDERS if _NAME.fullmatch(name) else ():
        path = os.path.join(folder, name + _END).replace(os.sep, "/")
        known, unknown = vetting.read_trusted(project, environ, [path])
        if path in known:
            return Template(name, known[path], path, notes)
        if unknown:
            label = make_label(path)
            notes.append(f"{label} came from elsewhere and is not used; {mend_foreign(label)}")
    if name not in TEMPLATES:
        raise BadCall(f"--template {name[:40]}", "there is no such template", f"take one of {', '.join(TEMPLATES)}")
    return Template(name, read_shipped(name), "", notes)


def read_shipped(name: str) -> str:
    """Return the plugin's own template."""
    return files.read(paths.resource("templates", name + _END)).decode("utf-8")


def find_own_file(project: Project, name: str) -> str:
    """Return the path of the project's own template that a section is added to: the one in use, else ours."""
    used = (project.at(folder, name + _END) for folder in FOLDERS)
    return next((path for path in used if os.path.isfile(path)), project.at(FOLDERS[0], name + _END))
