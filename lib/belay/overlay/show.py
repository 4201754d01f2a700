"""Another branch's memory, told: git is never switched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay import compose
from belay.overlay import arrival, fold, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.paths import Project

TOKENS = 300
"""Tokens of an overlay that a prompt that asks for it gets."""


def matching(project: Project, wanted: str) -> str:
    """Return the branch with an overlay that a name means: itself, else the only one that begins with or holds it."""
    if where.find(project, wanted):
        return wanted
    names = list(arrival.owners(project))
    for means in (_is, _holds, _begins):
        found = [name for name in names if means(_bare(name), _bare(wanted))]
        if len(found) == 1:
            return found[0]
    return ""


def _is(name: str, wanted: str) -> bool:
    return name == wanted


def _holds(name: str, wanted: str) -> bool:
    return bool(wanted) and f"-{wanted}-" in f"-{name}-"


def _begins(name: str, wanted: str) -> bool:
    return bool(wanted) and f"-{wanted}" in f"-{name}"


def _bare(name: str) -> str:
    return "-".join("".join(char if char.isalnum() else " " for char in name.casefold()).split())


def told(project: Project, environ: Mapping[str, str], wanted: str) -> str:
    """Return what Claude is told of a branch that a prompt names: its overlay's lines, where they are this user's."""
    name = matching(project, wanted)
    path, text, why = where.read(project, environ, name) if name else ("", "", "")
    shown = fold.shown(name or wanted)
    if not path:
        return f"Belay has no overlay for {shown} (`.memory/branches/`); git was not switched."
    file = fold.shown(project.relative(path))
    if why or not text:
        return f"The overlay of {shown}, {file}, {why or 'is empty'}; git was not switched."
    lines = compose.fit([line for line in text.splitlines() if not line.startswith("<!-- belay:")], TOKENS)
    return f"Memory of {shown}, from {file} (git was not switched):\n{lines}"
