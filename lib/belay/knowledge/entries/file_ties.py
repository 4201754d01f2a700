"""The files that an entry is tied to, from the project's root; a folder ends with "/"."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import paths, terms
from belay.core.errors import BadInput
from belay.core.plain_text import shown
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from belay.core.paths import Project

MOST = 8
"""Files of one text."""


def find_named(project: Project, text: str) -> list[str]:
    """Return the files and folders of the project that a text names and that exist, in order."""
    names: dict[str, None] = {}
    for word in text.split():
        name = _find_path(project, word)
        if name:
            names.setdefault(name)
    return list(names)[:MOST]


def _find_path(project: Project, word: str) -> str:
    """Return the path that a word names, "" for none: a bare word is none, `file.py:12` is its file."""
    for name in (word, word.strip(terms.EDGES), word.strip(terms.EDGES).partition(":")[0]):
        if ("/" in name or "." in name.strip(".")) and not name.startswith(("/", "~")):
            full = paths.inside(project.root, name)
            if full and full != project.root and os.path.exists(full):
                return _add_slash(os.path.normpath(name), full)
    return ""


def make_relative(project: Project, cwd: str, given: str) -> str:
    """Return a path that was given from a folder as entries hold it; BadInput where it is outside of the project."""
    if not any(map(os.path.lexists, (os.path.join(cwd, given), project.at(given)))):
        given = make_label(given)  # a path made tidy hides the URL that held a secret
    near = os.path.join(cwd, given)
    chosen = near if os.path.lexists(near) or not os.path.lexists(project.at(given)) else project.at(given)
    name, said = project.relative(chosen), shown(make_label(given))
    if not paths.inside(project.root, name) or os.path.isabs(name):
        raise BadInput(said, "is outside of this project", "tie an entry to a file of the project")
    if os.path.normpath(name) == "." or os.path.realpath(chosen) == project.root:
        raise BadInput(said, "is the project itself", "leave it out: an entry without files holds everywhere")
    return make_label(name + "/") if given.endswith("/") and not os.path.exists(chosen) else _add_slash(name, chosen)


def _add_slash(name: str, full: str) -> str:
    """Return the label of a path, a folder's with "/" behind it."""
    name = name.replace(os.sep, "/").rstrip("/")
    return make_label(name + "/" if os.path.isdir(full) else name)
