"""What stands where MEMORY.md is to be: whether its text is carried over, kept aside, or keeps us from writing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from belay.core import files
from belay.core.paths import Project
from belay.memory import memory_files
from belay.memory.document import page
from belay.memory.document.facts import facts
from belay.repository.git import reflog

ABSENT, CARRIED, ASIDE, FOREIGN, REFUSED = "absent", "carried", "aside", "foreign", "refused"
_NEVER = ("is a symbolic link", "is not a file")


class Ground(NamedTuple):
    """`state` as above, why in words, the text to carry over ("" unless CARRIED), and the bytes that stand."""

    state: str
    why: str = ""
    text: str = ""
    data: bytes = b""


def stand(project: Project, environ: Mapping[str, str]) -> Ground:
    """Return how MEMORY.md stands.

    A file that cannot be understood is kept aside and a new one proposed; one that came with a clone and was not
    accepted is neither shown nor replaced; links, folders, and conflicts of a merge under way are left alone.
    """
    path = project.memory_md
    if not os.path.lexists(path):
        return Ground(ABSENT)
    why = memory_files.refusal(project, path)
    merging = bool(project.git_dir) and reflog.underway(project.git_dir)
    if why in _NEVER or why.startswith("lies outside") or (why and merging):
        return Ground(REFUSED, why)
    data = files.read(path)
    if why:
        return Ground(ASIDE, why, data=data)
    return _understood(project, environ, data)


def _understood(project: Project, environ: Mapping[str, str], data: bytes) -> Ground:
    text = data.decode("utf-8", "surrogateescape")
    unclear = memory_files.unclear(text)
    form = facts(page.parse(text))["form"]
    if unclear:
        return Ground(ASIDE, unclear, data=data)
    if form in ("other", "empty"):
        return Ground(ASIDE, "has no section that Belay knows" if form == "other" else "is empty", data=data)
    if not memory_files.is_trusted(project, environ, project.memory_md):
        return Ground(FOREIGN, "came with a clone and was not accepted; its lines are not shown", data=data)
    return Ground(CARRIED, "", text, data)


def same(project: Project, before: Ground) -> bool:
    """Whether MEMORY.md still holds the bytes it held when it was looked at."""
    path = project.memory_md
    if before.state == ABSENT:
        return not os.path.lexists(path)
    return not files.refusal(path).startswith(_NEVER) and files.read(path) == before.data
