"""Check the existing MEMORY.md: whether its text is carried over, kept aside, or forbids writing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from belay.core import files
from belay.core.paths import Project
from belay.memory import memory_files
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.repository.git import reflog

ABSENT, CARRIED, ASIDE, FOREIGN, REFUSED = "absent", "carried", "aside", "foreign", "refused"
_NEVER = ("is a symbolic link", "is not a file")


class ExistingFile(NamedTuple):
    """`state` as above, why in words, the text to carry over ("" unless CARRIED), and the file's bytes."""

    state: str
    why: str = ""
    text: str = ""
    data: bytes = b""


def check_existing(project: Project, environ: Mapping[str, str]) -> ExistingFile:
    """Return the state of MEMORY.md.

    A file that cannot be understood is kept aside and a new one proposed; one that came with a clone and was not
    accepted is neither shown nor replaced; links, folders, and conflicts of a merge under way are left alone.
    """
    path = project.memory_md
    if not os.path.lexists(path):
        return ExistingFile(ABSENT)
    why = memory_files.explain_refusal(project, path)
    merging = bool(project.git_dir) and reflog.is_underway(project.git_dir)
    if why in _NEVER or why.startswith("is outside") or (why and merging):
        return ExistingFile(REFUSED, why)
    data = files.read(path)
    if why:
        return ExistingFile(ASIDE, why, data=data)
    return _check_readable(project, environ, data)


def _check_readable(project: Project, environ: Mapping[str, str], data: bytes) -> ExistingFile:
    text = data.decode("utf-8", "surrogateescape")
    unclear = memory_files.explain_problem(text)
    form = read_facts(page.parse(text))["form"]
    if unclear:
        return ExistingFile(ASIDE, unclear, data=data)
    if form in ("other", "empty"):
        return ExistingFile(ASIDE, "has no section that Belay knows" if form == "other" else "is empty", data=data)
    if not memory_files.is_trusted(project, environ, project.memory_md):
        return ExistingFile(FOREIGN, "came with a clone and was not accepted; its lines are not shown", data=data)
    return ExistingFile(CARRIED, "", text, data)


def is_unchanged(project: Project, before: ExistingFile) -> bool:
    """Whether MEMORY.md still holds the bytes it held when it was looked at."""
    path = project.memory_md
    if before.state == ABSENT:
        return not os.path.lexists(path)
    return not files.explain_refusal(path).startswith(_NEVER) and files.read(path) == before.data
