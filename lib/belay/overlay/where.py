"""Where a branch's own memory lies, what it says where it may be told, and which file a section is written to.

On the trunk, without git and on a detached HEAD there is only the base, the MEMORY.md of the checked-out tree.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay import atomic, buffer, pages, vetting
from belay.git import branches, files
from belay.overlay import note
from belay.overlay.slug import plain, slug

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.paths import Project

ARCHIVE = "archive"
MOST = 500
"""Overlays of a project that are looked at."""


class Overlay(NamedTuple):
    """An overlay's file, and the branch it belongs to ("" where its header names none)."""

    path: str
    branch: str


def branch(project: Project) -> str:
    """Return the checked-out branch, "" on a detached HEAD and without git."""
    return files.head(project.git_dir, project.common_dir)[0] if project.git_dir else ""


def trunk(project: Project) -> str:
    """Return the default branch, "" where there is none to be told."""
    return branches.trunk(project.root, project.git_dir, project.common_dir) if project.git_dir else ""


def own(project: Project, name: str) -> str:
    """Return the path an overlay of a branch is written to."""
    return os.path.join(project.overlays, slug(name) + ".md")


def is_branch(project: Project, name: str) -> bool:
    """Whether a branch has a layer of its own: any but the trunk; none where no trunk can be told."""
    return bool(name) and trunk(project) not in ("", name)


def find(project: Project, name: str) -> str:
    """Return the overlay that stands for a branch, "" where there is none.

    Its own, else one of a name the branch had before, else one under the seed's plain name whose header names it.
    """
    if not name or not os.path.isdir(project.overlays):
        return ""
    for one in names(project, name):
        if os.path.lexists(own(project, one)):
            return own(project, one)
        legacy = os.path.join(project.overlays, plain(one) + ".md")
        if plain(one) and os.path.lexists(legacy) and named(legacy) == one:
            return legacy
    return ""


def names(project: Project, name: str) -> list[str]:
    """Return a branch's name and those it had before, the latest first, that no other branch has by now."""
    earlier = branches.earlier_names(project.common_dir, name) if project.common_dir else []
    return [name, *(old for old in earlier if not files.tip(project.common_dir, old))]


def named(path: str) -> str:
    """Return the branch that an overlay's header names, "" where the file is not to be read."""
    return "" if buffer.refusal(path) else note.branch(pages.read(path))


def read(project: Project, environ: Mapping[str, str], name: str) -> tuple[str, str, str]:
    """Return (path, text, why not) of a branch's overlay; the text is "" where it is a stranger's or unreadable.

    All are "" where the branch has none. Text that was not written or accepted here is never returned.
    """
    path = find(project, name)
    if not path:
        return "", "", ""
    shown = project.relative(path)
    why = pages.refusal(project, path)
    if why:
        return path, "", why
    known, _ = vetting.vetted(project, environ, [shown])
    return (path, known[shown], "") if shown in known else (path, "", "came with the repository")


def target(project: Project, name: str, section: str) -> str:
    """Return the file a section (canonical name) is written to while a branch is checked out."""
    from belay.memory import layers

    above = section in layers.BRANCH and is_branch(project, name)
    return own(project, name) if above else project.memory_md


def settle(project: Project, environ: Mapping[str, str], name: str) -> str:
    """Give a branch's overlay its own name before the first write; return the path to write.

    The caller holds the lock. Killed between its steps both names stand, and `find` prefers the new one.
    """
    path, target_path = find(project, name), own(project, name)
    if not path or path == target_path or pages.refusal(project, path):
        return target_path
    data = atomic.read(path)
    trusted = pages.is_trusted(project, environ, path)
    atomic.write(target_path, data)
    if trusted:
        from belay import trust

        trust.record(environ, project.root, project.relative(target_path), data)
    os.unlink(path)
    return target_path


def stamped(project: Project, name: str, text: str) -> str:
    """Return an overlay's text with where its branch stands now noted on top; unchanged where git does not tell."""
    from belay.errors import BelayError
    from belay.git import merged

    tip = files.tip(project.common_dir, name) if project.common_dir else ""
    main = files.tip(project.common_dir, trunk(project)) if tip else ""
    if not tip or not main:
        return text
    before = note.read(text)
    if before.tip == tip:
        return text
    try:
        start, patch = merged.note(project.root, tip, main)
    except BelayError:
        return text
    return note.put(text, note.Note(tip, before.start or start, patch))


def listing(project: Project) -> list[Overlay]:
    """Return the overlays that stand, by path; what is no plain file is left out."""
    try:
        found = sorted(name for name in os.listdir(project.overlays) if name.endswith(".md"))[:MOST]
    except OSError:
        return []
    paths = [os.path.join(project.overlays, name) for name in found]
    return [Overlay(path, named(path)) for path in paths if not pages.refusal(project, path)]
