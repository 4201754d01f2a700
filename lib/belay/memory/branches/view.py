"""Show another branch's memory without switching git to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core import files
from belay.core.errors import mend_foreign
from belay.core.plain_text import words
from belay.core.text import composer
from belay.memory.branches import fold, merge_status, other_trees
from belay.memory.branches import overlay as branches_overlay
from belay.memory.document import template_sections
from belay.memory.document.page import split_lines
from belay.repository import row_vetting, vetting
from belay.safety.labels import make_label
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.core.paths import Project
    from belay.repository.git.branches import Tip

TOKENS = 300
"""Tokens of an overlay that a prompt that asks for it gets."""
WORKTREE, TREE = "worktree", "tree"
STATE = ("left", "active", "workstreams", "blockers")
"""Sections of another branch's MEMORY.md that say how far its work is: a branch's own ones in `layers`."""
_FOREIGN = "came with the repository"


class BranchMemory(NamedTuple):
    """The memory of a branch: its file (from the root), the text, or why that is not shown.

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
        """The file as a person reads it."""
        file = fold.clean_name(self.file)
        return f"{file} in branch {fold.clean_name(self.ref)}'s own tree" if self.source == TREE else file

    @property
    def mend(self) -> str:
        """How to make a text from elsewhere trusted, "" if it is not shown for another reason."""
        step = "switch to that branch; " if self.source == TREE else ""
        return step + mend_foreign(fold.clean_name(self.file)) if self.why == _FOREIGN else ""


def find_memory(project: Project, environ: Mapping[str, str], wanted: str) -> BranchMemory:
    """Return the memory of the branch that a name means: its overlay, here or in its own tree, else its MEMORY.md.

    A name means the branch of that name, else the only one that begins with or holds it: of those with an overlay, then
    of all.
    """
    wanted = make_label(wanted)
    if (
        not wanted
        or branches_overlay.find_overlay(project, wanted)
        or wanted == branches_overlay.current_branch(project)
    ):
        return _read_here(project, environ, wanted)
    tips = other_trees.list_tips(project)
    exact = other_trees.find_tip(project, tips, wanted)
    if exact:
        return _read_tree(project, environ, exact)
    held = other_trees.read_overlays(project, tips)
    owners = merge_status.find_owners(project)
    name = match_name([*owners, *(owner for owner in held if owner not in owners)], wanted)
    if name:
        return _read_here(project, environ, name) if name in owners else _read_tip_file(project, environ, held[name])
    first = {tip.name: tip for tip in reversed(tips)}
    name = match_name(first, wanted)
    return _read_tree(project, environ, first[name]) if name else BranchMemory(wanted)


def find_remote_overlays(project: Project) -> dict[str, other_trees.TipFile]:
    """Return branch → the overlay in its own tree, but those that the archive holds as they are."""
    held = other_trees.read_overlays(project, other_trees.list_tips(project))
    return {name: tip_file for name, tip_file in held.items() if not other_trees.is_folded(project, name, tip_file)}


def _read_here(project: Project, environ: Mapping[str, str], name: str) -> BranchMemory:
    path, text, why = branches_overlay.read_overlay(project, environ, name) if name else ("", "", "")
    return BranchMemory(name, project.relative(path), text, why, WORKTREE) if path else BranchMemory(name)


def _read_tree(project: Project, environ: Mapping[str, str], tip: Tip) -> BranchMemory:
    """Return the memory in a branch's own tree, or its overlay in the work tree if there is one."""
    if tip.ref == tip.name and branches_overlay.find_overlay(project, tip.name):
        return _read_here(project, environ, tip.name)
    held = other_trees.read_overlays(project, [tip]).get(tip.name)
    return _read_tip_file(project, environ, held) if held else _read_base(project, environ, tip)


def _read_tip_file(
    project: Project, environ: Mapping[str, str], held: other_trees.TipFile, partly: bool = True
) -> BranchMemory:
    """Return a file of a branch's own tree; of one that is not trusted the known rows, if `partly` is enough."""
    known = BranchMemory(held.tip.name, held.path, source=TREE, ref=held.tip.ref)
    if held.why:
        return known._replace(why=held.why)
    text = held.data.decode("utf-8")
    if vetting.committed(project, environ, held.path, held.data):
        return known._replace(text=text)
    part = row_vetting.keep_known(project, environ, held.path, text) if partly else ""
    return known._replace(text=part) if part else known._replace(why=_FOREIGN)


def _read_base(project: Project, environ: Mapping[str, str], tip: Tip) -> BranchMemory:
    """Return what a branch's MEMORY.md says of its state; nothing is repeated of one that is the same here."""
    held = other_trees.read_memory(project, tip) if tip.ref != branches_overlay.current_branch(project) else None
    if not held:
        return BranchMemory(tip.name)
    if held.data == files.read(project.memory_md) and not held.why:
        return BranchMemory(tip.name, held.path, source=WORKTREE, ref=tip.ref, overlay=False)
    memory = _read_tip_file(project, environ, held, partly=False)
    return memory._replace(text=extract_state(memory.text), overlay=False)


def extract_state(text: str) -> str:
    """Return the sections of a memory file with the state of its branch, without comments and blank lines.

    By its headings alone: a prompt's hook loads no parser.
    """
    rows: list[str] = []
    is_wanted, level, fence = False, 0, ""
    for line in (row.rstrip() for row in split_lines(text)):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if mark == fence else fence or mark
        depth = len(line) - len(line.lstrip("#")) if not fence and line.startswith("#") else 0
        if 0 < depth <= (level if is_wanted else 6):
            is_wanted, level = template_sections.canonical_section(line[depth:]) in STATE, depth
        if is_wanted and line and not line.startswith("<!--"):
            rows.append(line)
    return "\n".join(rows)


def match_name(names: Iterable[str], wanted: str) -> str:
    """Return the only name that is, holds or begins with the wanted one, whatever case and signs; "" without one."""
    names = list(names)
    for means in (_is_equal, _contains, _has_word_prefix):
        matches = [name for name in names if means(_normalize(name), _normalize(wanted))]
        if len(matches) == 1:
            return matches[0]
    return ""


def _is_equal(name: str, wanted: str) -> bool:
    return name == wanted


def _contains(name: str, wanted: str) -> bool:
    return bool(wanted) and f"-{wanted}-" in f"-{name}-"


def _has_word_prefix(name: str, wanted: str) -> bool:
    return bool(wanted) and f"-{wanted}" in f"-{name}"


def _normalize(name: str) -> str:
    return words(name).replace(" ", "-")


def describe_branch(project: Project, environ: Mapping[str, str], wanted: str) -> str:
    """Return the memory of a branch that a prompt names, for Claude; its lines only if they are this user's."""
    memory = find_memory(project, environ, wanted)
    shown = fold.clean_name(memory.branch or wanted)
    if not memory.text:
        return f"{explain_nothing(memory, shown)}; git was not switched."
    lines = [line for line in memory.text.splitlines() if not line.startswith("<!-- belay:")]
    text = composer.fit(redact("\n".join(lines)).split("\n"), TOKENS)
    return f"Memory of {shown}, from {memory.place} (git was not switched):\n{text}"


def explain_nothing(memory: BranchMemory, shown: str) -> str:
    """Return why nothing of a branch's memory is shown."""
    if memory.why:
        return f"The memory of {shown}, {memory.place}, {memory.why}" + (f" ({memory.mend})" if memory.mend else "")
    if memory.file and not memory.overlay and memory.source == WORKTREE:
        return f"Belay has no overlay for {shown}, and its {fold.clean_name(memory.file)} is the one here"
    if memory.file and memory.overlay:
        return f"The overlay of {shown}, {memory.place}, is empty"
    return f"Belay has no overlay for {shown} (`.memory/branches/`)"
