"""Find a branch's overlay and its text if that may be shown, and choose the file that a section is written to.

On the trunk, without git and on a detached HEAD there is only the base, the MEMORY.md of the checked-out tree, and
over it that of a nearer folder (monorepo).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files as core_files
from belay.memory import memory_files
from belay.memory.branches import header
from belay.memory.branches.slug import branch_slug, seed_slug
from belay.repository import projects, row_vetting
from belay.repository.git import branches
from belay.safety import labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

ARCHIVE = "archive"
MOST = 500
"""Overlays of a project that are looked at."""
NEARER = 8
"""Folders between the root and a session's own that are looked into."""


class Overlay(NamedTuple):
    """An overlay's file, and the branch it belongs to ("" where its header names none)."""

    path: str
    branch: str


def current_branch(project: Project) -> str:
    """Return the checked-out branch, "" on a detached HEAD and without git."""
    return projects.branch_and_commit(project)[0]


def find_trunk(project: Project) -> str:
    """Return the default branch, "" if it is unknown."""
    return branches.find_trunk(project.root, project.git_dir, project.common_dir) if project.git_dir else ""


def overlay_path(project: Project, name: str) -> str:
    """Return the path an overlay of a branch is written to."""
    return os.path.join(project.overlays, branch_slug(name) + ".md")


def has_own_layer(project: Project, name: str) -> bool:
    """Whether a branch has a layer of its own: any but the trunk; none if the trunk is unknown."""
    return bool(name) and find_trunk(project) not in ("", name)


def find_overlay(project: Project, name: str) -> str:
    """Return the overlay of a branch, "" if there is none.

    Its own, else one of a name the branch had before, else one under the seed's plain name whose header names it.
    """
    if not name or not os.path.isdir(project.overlays):
        return ""
    for branch_name in list_names(project, name):
        if os.path.lexists(overlay_path(project, branch_name)):
            return overlay_path(project, branch_name)
        legacy = os.path.join(project.overlays, seed_slug(branch_name) + ".md")
        if seed_slug(branch_name) and os.path.lexists(legacy) and read_named_branch(legacy) == branch_name:
            return legacy
    return ""


def list_names(project: Project, name: str) -> list[str]:
    """Return a branch's name and those it had before, the latest first, that no other branch has by now.

    A name that holds a secret was once written as it is: such an overlay is found, and gets its own name.
    """
    if not project.common_dir:
        return [name]
    written = projects.find_name(project.common_dir, name) if labels.is_label(name) else ""
    earlier = [written, *branches.read_earlier_names(project.common_dir, name)]
    return [name, *(old for old in earlier if old and (old == written or not projects.tip(project.common_dir, old)))]


def read_named_branch(path: str) -> str:
    """Return the branch that an overlay's header names, "" where the file is not to be read."""
    return "" if core_files.explain_refusal(path) else header.read_branch(memory_files.read_text(path))


def read_overlay(project: Project, environ: Mapping[str, str], name: str) -> tuple[str, str, str]:
    """Return (path, text, why not) of a branch's overlay; the text is "" where it is a stranger's or unreadable.

    All are "" where the branch has none. Rows that were not written or accepted here are left out: the text is to be
    read, never to be written.
    """
    path = find_overlay(project, name)
    if not path:
        return "", "", ""
    shown = project.relative(path)
    why = memory_files.explain_refusal(project, path)
    if why:
        return path, "", why
    known = row_vetting.read_known(project, environ, [shown]).texts
    return (path, known[shown], "") if shown in known else (path, "", "came with the repository")


def find_target(project: Project, name: str, section: str, folder: str = "") -> str:
    """Return the file a section (canonical name) is written to while a branch is checked out.

    A branch's own sections go to its overlay, else to the memory nearest to the session's folder (from the root).
    """
    from belay.memory.document import layers

    if section not in layers.BRANCH:
        return project.memory_md
    return overlay_path(project, name) if has_own_layer(project, name) else find_nearest(project, folder)


def list_nearer_paths(project: Project, folder: str) -> list[str]:
    """Return where the MEMORY.md of each folder between the root and this one would be, the nearest last."""
    parts = folder.split(os.sep)[:NEARER] if folder else []
    return [os.path.join(project.root, *parts[: at + 1], "MEMORY.md") for at in range(len(parts))]


def find_nearer(project: Project, folder: str) -> list[str]:
    """Return those of them that exist and are no links, the nearest first."""
    return [
        path for path in list_nearer_paths(project, folder)[::-1] if os.path.isfile(path) and not os.path.islink(path)
    ]


def find_nearest(project: Project, folder: str) -> str:
    """Return the nearest memory to a folder that has sections of a branch; the root's if none does."""
    return next(
        (path for path in find_nearer(project, folder) if _has_branch_sections(project, path)),
        project.memory_md,
    )


def _has_branch_sections(project: Project, path: str) -> bool:
    """Whether a memory has sections of a branch, or none yet in seed 003's form; one not to be read passes for it."""
    from belay.memory.document import layers, page
    from belay.memory.wrapup import sections

    if memory_files.explain_refusal(project, path):
        return True  # who writes says why it is left alone
    parsed = page.parse(memory_files.read_text(path))
    kind = sections.detect_form(parsed)
    return kind == "003" or (kind == "other" and any(map(parsed.section, layers.BRANCH)))


def settle_name(project: Project, environ: Mapping[str, str], name: str) -> str:
    """Give a branch's overlay its own name before the first write; return the path to write.

    The caller holds the lock. After a kill between its steps both names exist, and `find_overlay` prefers the new one.
    """
    path, target_path = find_overlay(project, name), overlay_path(project, name)
    if not path or path == target_path or memory_files.explain_refusal(project, path):
        return target_path
    data = core_files.read(path)
    trusted = memory_files.is_trusted(project, environ, path)
    core_files.write(target_path, data)
    if trusted:
        from belay.safety import trust

        trust.record(environ, project.root, project.relative(target_path), data)
    os.unlink(path)
    return target_path


def stamp_overlay(project: Project, name: str, text: str) -> str:
    """Return an overlay's text with the branch's commit noted on top; unchanged if git does not answer."""
    from belay.core.errors import BelayError
    from belay.repository.git import merges

    tip = projects.tip(project.common_dir, name) if project.common_dir else ""
    main = projects.tip(project.common_dir, find_trunk(project)) if tip else ""
    if not tip or not main:
        return text
    before = header.read_note(text)
    if before.tip == tip:
        return text
    try:
        start, patch = merges.describe_work(project.root, tip, main)
    except BelayError:
        return text
    return header.put_note(text, header.OverlayNote(tip, before.start or start, patch))


def list_overlays(project: Project) -> list[Overlay]:
    """Return the overlays that exist, by path; what is no plain file is left out."""
    try:
        file_names = sorted(name for name in os.listdir(project.overlays) if name.endswith(".md"))[:MOST]
    except OSError:
        return []
    paths = [os.path.join(project.overlays, name) for name in file_names]
    return [Overlay(path, read_named_branch(path)) for path in paths if not memory_files.explain_refusal(project, path)]
