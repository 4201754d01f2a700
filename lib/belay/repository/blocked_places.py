"""What stands where Belay would write: links, and things that are no file. What is kept elsewhere for it, and why."""

from __future__ import annotations

import os
import stat

from belay.core import clock, paths
from belay.repository import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from belay.core.paths import Project

LINK = "is a symbolic link, and Belay writes nothing through links"
OTHER = "is no file, but a folder, a pipe or a device, and Belay needs a file there"
_FILES_ONLY = ("journal", "state", "sessions")
"""Folders of the store that hold no folders."""


def explain_moves(project: Project) -> list[str]:
    """Return one line for each folder that is kept elsewhere, because a link is in its place: which, where and why."""
    lines = []
    for top in dict.fromkeys((project.root, os.path.dirname(project.common_dir) or project.root)):
        if paths.is_linked(top) and not project.store.startswith(top + os.sep + ".claude" + os.sep):
            kept = _name(project, project.store)
            lines.append(f"{_find_link(top)} is a link, so what Belay records is kept in {kept}")
            break
    for name, own in (("memory", project.logs), ("tasks", project.tasks)):
        if paths.leads_out(project.root, project.at(name)):
            lines.append(f"{name} is a link out of this project, so its files are kept in {_name(project, own)}")
    return lines


def _find_link(top: str) -> str:
    """Return the link in the way to a tree's store, a path from the tree."""
    names = [".claude", paths.MEMORY, *(os.path.join(paths.MEMORY, name) for name in paths.INNER)]
    return next(name for name in names if os.path.islink(os.path.join(top, name)))


def _name(project: Project, path: str) -> str:
    return project.relative(path) if path.startswith(project.root + os.sep) else path


def find_blocked(project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (path, why) of each place that Belay leaves alone, because of a link or what is no file there."""
    found = [*_look_into(project), *_look_at(project), *_look_into_own(paths.data_home(environ))]
    return [(_name(project, path), why) for path, why in found]


def _look_into(project: Project) -> Iterator[tuple[str, str]]:
    """Yield what is in the store; the entries of a folder are known by what it lists, without a look at each."""
    for name in ("", *paths.INNER):
        try:
            with os.scandir(os.path.join(project.store, name)) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        yield entry.path, LINK
                    elif not entry.is_file() and (name in _FILES_ONLY or not entry.is_dir()):
                        yield entry.path, OTHER
        except OSError:
            continue


def _look_into_own(folder: str) -> Iterator[tuple[str, str]]:
    """Yield linked files in the user's own folder; a linked folder there is the user's wish."""
    for name in ("", "locks", "rows"):
        try:
            with os.scandir(os.path.join(folder, name)) as entries:
                yield from ((entry.path, LINK) for entry in entries if entry.is_symlink() and not entry.is_dir())
        except OSError:
            continue


def _look_at(project: Project) -> Iterator[tuple[str, str]]:
    own = os.path.join(project.common_dir, "belay") if project.common_dir else ""
    if own and own != project.store and not projects.own_folder(project):
        yield own, LINK
    if project.common_dir and not project.exclude:
        yield os.path.join(project.common_dir, "info"), LINK
    for name in ("evidence", "verification"):
        folder = os.path.join(project.orchestration, name)
        if os.path.islink(folder):
            yield folder, LINK
    session_context = os.path.join(project.orchestration, "session-context.md")
    today = project.daily(clock.local_date())
    for path in (project.continuation, project.buffer, today, session_context, project.exclude):
        why = _explain(path) if path else ""
        if why:
            yield path, why


def _explain(path: str) -> str:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return ""
    return LINK if stat.S_ISLNK(mode) else "" if stat.S_ISREG(mode) else OTHER
