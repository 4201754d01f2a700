"""Another branch's memory, told: git is never switched."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core import files
from belay.core.plain_text import words
from belay.core.text import composer
from belay.memory.branches import fold, merge_status, other_trees
from belay.memory.branches import overlay as branches_overlay
from belay.memory.document import template_sections
from belay.memory.document.page import split
from belay.repository import vetting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.core.paths import Project
    from belay.repository.git.branches import Tip

TOKENS = 300
"""Tokens of an overlay that a prompt that asks for it gets."""
WORKTREE, TREE = "worktree", "tree"
STATE = ("left", "active", "workstreams", "blockers")
"""Sections of another branch's MEMORY.md that tell where it stands: those of `layers` that are a branch's own."""
_FOREIGN = "came with the repository"


class Memory(NamedTuple):
    """What is known of a branch: the file (from the root) that tells, its text, or why that is not shown.

    `source` is "worktree" or "tree" (the branch's own, of the ref `ref`), "" where there is no file. Without an
    `overlay` the file is MEMORY.md, its text the sections of STATE; from "worktree" it is the one that is here too.
    """

    branch: str
    file: str = ""
    text: str = ""
    why: str = ""
    source: str = ""
    ref: str = ""
    overlay: bool = True

    @property
    def place(self) -> str:
        """The file as a person is told it."""
        file = fold.shown(self.file)
        return f"{file} in branch {fold.shown(self.ref)}'s own tree" if self.source == TREE else file

    @property
    def mend(self) -> str:
        """What makes a stranger's text one that is shown, "" where that is not what hinders."""
        step = "switch to that branch, read it, then" if self.source == TREE else "read it, then"
        return f"{step}: belay trust {fold.shown(self.file)}" if self.why == _FOREIGN else ""


def memory(project: Project, environ: Mapping[str, str], wanted: str) -> Memory:
    """Return the memory of the branch that a name means: its overlay, here or in its own tree, else its MEMORY.md.

    A name means the branch of that name, else the only one that begins with or holds it: of those with an overlay, then
    of all.
    """
    if not wanted or branches_overlay.find(project, wanted) or wanted == branches_overlay.branch(project):
        return _here(project, environ, wanted)
    tips = other_trees.tips(project)
    exact = other_trees.named(project, tips, wanted)
    if exact:
        return _there(project, environ, exact)
    held = other_trees.overlays(project, tips)
    owners = merge_status.owners(project)
    name = matching([*owners, *(one for one in held if one not in owners)], wanted)
    if name:
        return _here(project, environ, name) if name in owners else _told(project, environ, held[name])
    first = {tip.name: tip for tip in reversed(tips)}
    name = matching(first, wanted)
    return _there(project, environ, first[name]) if name else Memory(wanted)


def afar(project: Project) -> dict[str, other_trees.Held]:
    """Return branch → the overlay in its own tree, but those that the archive holds as they are."""
    held = other_trees.overlays(project, other_trees.tips(project))
    return {name: one for name, one in held.items() if not other_trees.is_folded(project, name, one)}


def _here(project: Project, environ: Mapping[str, str], name: str) -> Memory:
    path, text, why = branches_overlay.read(project, environ, name) if name else ("", "", "")
    return Memory(name, project.relative(path), text, why, WORKTREE) if path else Memory(name)


def _there(project: Project, environ: Mapping[str, str], tip: Tip) -> Memory:
    """Return what a branch's own tree tells, but its overlay of the work tree where that has one."""
    if tip.ref == tip.name and branches_overlay.find(project, tip.name):
        return _here(project, environ, tip.name)
    held = other_trees.overlays(project, [tip]).get(tip.name)
    return _told(project, environ, held) if held else _base(project, environ, tip)


def _told(project: Project, environ: Mapping[str, str], held: other_trees.Held) -> Memory:
    known = Memory(held.tip.name, held.path, source=TREE, ref=held.tip.ref)
    if held.why:
        return known._replace(why=held.why)
    if not vetting.committed(project, environ, held.path, held.blob, held.data):
        return known._replace(why=_FOREIGN)
    return known._replace(text=held.data.decode("utf-8"))


def _base(project: Project, environ: Mapping[str, str], tip: Tip) -> Memory:
    """Return what a branch's MEMORY.md says of its state; nothing is repeated of one that is the same here."""
    held = other_trees.base(project, tip) if tip.ref != branches_overlay.branch(project) else None
    if not held:
        return Memory(tip.name)
    if held.data == files.read(project.memory_md) and not held.why:
        return Memory(tip.name, held.path, source=WORKTREE, ref=tip.ref, overlay=False)
    told = _told(project, environ, held)
    return told._replace(text=state(told.text), overlay=False)


def state(text: str) -> str:
    """Return the sections of a memory file that say where its branch stands, comments and blank lines left out.

    By its headings alone: a prompt's hook loads no parser.
    """
    kept: list[str] = []
    telling, level, fence = False, 0, ""
    for line in (row.rstrip() for row in split(text)):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if mark == fence else fence or mark
        depth = len(line) - len(line.lstrip("#")) if not fence and line.startswith("#") else 0
        if 0 < depth <= (level if telling else 6):
            telling, level = template_sections.canonical(line[depth:]) in STATE, depth
        if telling and line and not line.startswith("<!--"):
            kept.append(line)
    return "\n".join(kept)


def matching(names: Iterable[str], wanted: str) -> str:
    """Return the only name that is, holds or begins with the wanted one, whatever case and signs; "" without one."""
    names = list(names)
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
    return words(name).replace(" ", "-")


def told(project: Project, environ: Mapping[str, str], wanted: str) -> str:
    """Return what Claude is told of a branch that a prompt names: its memory's lines, where they are this user's."""
    found = memory(project, environ, wanted)
    shown = fold.shown(found.branch or wanted)
    if not found.text:
        return f"{nothing(found, shown)}; git was not switched."
    lines = [line for line in found.text.splitlines() if not line.startswith("<!-- belay:")]
    kept = composer.fit(lines, TOKENS)
    return f"Memory of {shown}, from {found.place} (git was not switched):\n{kept}"


def nothing(found: Memory, shown: str) -> str:
    """Return why there is nothing to be told of a branch."""
    if found.why:
        return f"The memory of {shown}, {found.place}, {found.why}" + (
            f" ({found.mend})" if found.mend else ""
        )
    if found.file and not found.overlay and found.source == WORKTREE:
        return f"Belay has no overlay for {shown}, and its {fold.shown(found.file)} is the one here"
    if found.file and found.overlay:
        return f"The overlay of {shown}, {found.place}, is empty"
    return f"Belay has no overlay for {shown} (`.memory/branches/`)"
