"""The memory of other branches in their own trees: a tracked overlay is in no other work tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files
from belay.core.constants import FILE_BYTES
from belay.core.errors import BelayError
from belay.memory.branches import header, overlay
from belay.memory.branches.slug import branch_slug, seed_slug
from belay.repository.git import branches, status

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.repository.git.branches import Tip

MOST = 200
"""Local branches that are looked at, and as many remote-tracking ones, the newest first."""
TOTAL_BYTES = 16 * FILE_BYTES
"""What is read of all branches together."""


class TipFile(NamedTuple):
    """A file at a branch's tip: path from the root, blob id, bytes, and why it is not to be read ("" where it is)."""

    tip: Tip
    path: str
    blob: str
    data: bytes = b""
    why: str = ""


def list_tips(project: Project) -> list[Tip]:
    """Return the tips of branches, local ones first; none without git, or where git does not answer."""
    if not project.common_dir:
        return []
    try:
        return branches.list_tips(project.root, MOST)
    except BelayError:
        return []


def find_tip(project: Project, known_tips: list[Tip], name: str) -> Tip | None:
    """Return the tip that a name means exactly: a local branch, `origin/NAME`, or NAME on a remote."""
    known = next((tip for tip in known_tips if name in (tip.name, tip.ref)), None)
    return known or (branches.find_tip(project.common_dir, name) if project.common_dir else None)


def read_overlays(project: Project, tips: list[Tip]) -> dict[str, TipFile]:
    """Return branch → the overlay at its tip, of two tips of one name the first; not of the checked-out branch."""
    current = overlay.current_branch(project)
    asked = [
        (tip, owner, path) for tip in tips if tip.ref != current for owner, path in _overlay_paths(project, tip.name)
    ]
    held = _read_files(project, [(tip, path) for tip, _, path in asked])
    mine: dict[str, TipFile] = {}
    for (tip, owner, path), file in zip(asked, held, strict=True):
        if file and (_is_own(path, owner) or header.read_branch(file.data.decode("utf-8", "replace")) == owner):
            mine.setdefault(tip.name, file)
    return mine


def read_memory(project: Project, tip: Tip) -> TipFile | None:
    """Return the MEMORY.md at a branch's tip, None where it has none."""
    return _read_files(project, [(tip, project.relative(project.memory_md))])[0]


def is_folded(project: Project, name: str, held: TipFile) -> bool:
    """Whether the archive holds an overlay as it is: it was folded or pruned, and its branch still exists."""
    folder = os.path.join(project.overlays, overlay.ARCHIVE)
    try:
        names = [file_name for file_name in os.listdir(folder) if file_name.startswith(branch_slug(name) + "-")]
    except OSError:
        return False
    return any(files.read(os.path.join(folder, file_name), FILE_BYTES + 1) == held.data for file_name in names)


def _overlay_paths(project: Project, name: str) -> list[tuple[str, str]]:
    """Return (name the branch has or had, path) of every place its overlay may have, as `where.find` looks."""
    folder = project.relative(project.overlays)
    return [
        (owner, f"{folder}/{stem}.md")
        for owner in overlay.list_names(project, name)
        for stem in (branch_slug(owner), seed_slug(owner))
        if stem
    ]


def _is_own(path: str, name: str) -> bool:
    return os.path.basename(path) == branch_slug(name) + ".md"


def _read_files(project: Project, asked: list[tuple[Tip, str]]) -> list[TipFile | None]:
    """Return the files at tips in their order, None for what is not there; two processes for all."""
    try:
        sizes = status.find_sized_blobs(project.root, [f"{tip.commit}:{path}" for tip, path in asked]) if asked else []
        small = _choose_affordable(sizes)
        texts = dict(zip(small, status.read_blobs(project.root, small), strict=True)) if small else {}
    except BelayError:
        return [None] * len(asked)
    return [
        _build_tip_file(tip, path, blob, size, texts) if blob else None
        for (tip, path), (blob, size) in zip(asked, sizes, strict=True)
    ]


def _choose_affordable(sizes: list[tuple[str, int]]) -> list[str]:
    total, chosen = 0, {}
    for blob, size in sizes:
        if blob and size <= FILE_BYTES and blob not in chosen and total + size <= TOTAL_BYTES:
            chosen[blob] = size
            total += size
    return list(chosen)


def _build_tip_file(tip: Tip, path: str, blob: str, size: int, texts: dict[str, bytes]) -> TipFile:
    if blob not in texts:
        return TipFile(tip, path, blob, why="is over 1 MB" if size > FILE_BYTES else "is one of too many")
    return TipFile(tip, path, blob, texts[blob], files.flaw(texts[blob]))
