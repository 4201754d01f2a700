"""Find the branch that an overlay belongs to today, and how its work arrived on the checked-out commit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.memory import memory_files
from belay.memory.branches import header
from belay.memory.branches import overlay as branches_overlay
from belay.memory.branches.slug import branch_slug, seed_slug
from belay.repository import projects
from belay.repository.git import branches, merges, status

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.branches.overlay import Overlay
    from belay.repository.git.merges import Arrival, Known


def find_owner(project: Project, overlay: Overlay) -> str:
    """Return the branch an overlay belongs to: the one its header names, or that one's name of today; "" for none."""
    stem = os.path.basename(overlay.path)[: -len(".md")]
    named = overlay.branch
    if not named or stem not in (branch_slug(named), seed_slug(named)):
        named = _find_by_slug(project, stem) or named
    if not named or not project.common_dir or projects.tip(project.common_dir, named):
        return named
    return branches.map_renames(project.common_dir, branches.list_logged(project.common_dir)).get(named, named)


def _find_by_slug(project: Project, stem: str) -> str:
    known = branches.list_logged(project.common_dir) if project.common_dir else []
    return next((name for name in known if branch_slug(name) == stem), "")


def read_known(project: Project, name: str, text: str) -> Known:
    """Return what is known of a branch: from git if it exists, else from the reflog and from its overlay."""
    noted = header.read_note(text)
    git_dir, common = project.git_dir, project.common_dir
    if not git_dir:
        return merges.Known(())
    tip = branches.find_commit(common, name)
    tips = (
        (tip,)
        if tip
        else (branches.find_left_commit(git_dir, name), branches.find_left_commit(common, name), noted.tip)
    )
    start = noted.start or branches.find_first_commit(git_dir, common, name)
    return merges.Known(tuple(dict.fromkeys(filter(None, tips))), start, noted.patch)


def find_arrivals(project: Project, owners: dict[str, str]) -> dict[str, Arrival]:
    """Return how each branch (name → path of its overlay) arrived on the checked-out commit; GitFailed as git says."""
    head = projects.branch_and_commit(project)[1]
    known_branches = {name: read_known(project, name, memory_files.read_text(path)) for name, path in owners.items()}
    arrivals = merges.find_arrivals(project.root, head, known_branches)
    return {**arrivals, **_find_brought(project, head, owners, known_branches, arrivals)}


def _find_brought(
    project: Project,
    head: str,
    owners: dict[str, str],
    known_branches: dict[str, Known],
    arrivals: dict[str, Arrival],
) -> dict[str, Arrival]:
    """Return the arrivals that only tracked overlays show: those that the commit contains by now."""
    rest = [name for name, arrived in arrivals.items() if head and not arrived.how and not arrived.reverted]
    names = [project.relative(owners[name]) for name in rest]
    held = status.find_blobs(project.root, [f"{head}:{path}" for path in names]) if names else []
    arrived: dict[str, Arrival] = {}
    for name, path, blob in zip(rest, names, held, strict=True):
        if blob:
            tips = () if _is_lost(project, name, known_branches[name]) else known_branches[name].tips
            arrived[name] = merges.find_file_arrival(project.root, head, path, tips)
    return arrived


def _is_lost(project: Project, name: str, known: Known) -> bool:
    """Whether git knows nothing of a branch: it does not exist, was never left here, or is unchanged from a remote."""
    if branches.find_commit(project.common_dir, name):
        return not known.start
    return not branches.find_left_commit(project.git_dir, name) and not branches.find_left_commit(
        project.common_dir, name
    )


def find_owners(project: Project) -> dict[str, str]:
    """Return branch → path of its overlay, by path; of two files of one branch the one that is read."""
    paths: dict[str, str] = {}
    for overlay in branches_overlay.list_overlays(project):
        name = find_owner(project, overlay)
        if name and name not in paths:
            paths[name] = branches_overlay.find_overlay(project, name) or overlay.path
    return paths
