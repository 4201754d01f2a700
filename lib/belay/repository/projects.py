"""Find the project that a folder belongs to: its work tree and git folders, read from files without a git process."""

from __future__ import annotations

import os
import zlib

from belay.core import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep a hook waiting


def find(cwd: str, environ: Mapping[str, str]) -> paths.Project | None:
    """Return the project of a folder, or None: HOME and / are never one."""
    cwd, home = os.path.realpath(cwd), paths.home_dir(environ)
    top = work_tree(cwd, home)
    if top is None:
        root = _without_git(cwd, home, paths.MEMORY)
        spare = os.path.join(paths.data_home(environ), f"store-{zlib.crc32(os.fsencode(root)):08x}")
        return paths.Project(root, store=spare if paths.is_linked(root) else "") if root else None
    common = _pointed(os.path.join(top[1], "commondir")) or top[1]
    return paths.Project(*top, common, _store(*top, common))


def _store(root: str, git_dir: str, common: str) -> str:
    home = root
    if common != git_dir:
        home = "" if _is_bare(common) else os.path.dirname(common)
    return (
        os.path.join(home, paths.MEMORY)
        if home and not paths.is_linked(home)
        else os.path.join(common, "belay")
    )


def work_tree(cwd: str, home: str) -> tuple[str, str] | None:
    """Return (work tree, git folder) of the nearest repository around a folder and below home, None without one."""
    for folder in _parents(cwd, home):
        dot = os.path.join(folder, ".git")
        git_dir = _pointed(dot, "gitdir:") if os.path.isfile(dot) else dot
        if git_dir and os.path.exists(os.path.join(git_dir, "HEAD")):
            return folder, git_dir
    return None


def _without_git(cwd: str, home: str, memory: str) -> str:
    """Return the nearest folder around `cwd` that holds `memory`, else `cwd`; "" where that is home or above."""
    folders = _parents(cwd, home)
    if not folders or (home + os.sep).startswith(cwd + os.sep):
        return ""
    # Outside HOME a parent's folder may be anybody's, such as /tmp/.claude.
    for folder in folders if cwd.startswith(home + os.sep) else ():
        if os.path.isdir(os.path.join(folder, memory)):
            return folder
    return cwd


def _parents(folder: str, home: str) -> list[str]:
    found = []
    while folder != home and os.path.dirname(folder) != folder:
        found.append(folder)
        folder = os.path.dirname(folder)
    return found


def _pointed(path: str, key: str = "") -> str:
    """Return the folder that a pointer file of git names behind `key`, "" when there is none."""
    line = _start(path, 4096).split("\n", 1)[0].strip()
    if not line.startswith(key):
        return ""
    target = os.path.normpath(os.path.join(os.path.dirname(path), line[len(key) :].strip()))
    return target if os.path.isdir(target) else ""


def _is_bare(common: str) -> bool:
    """Whether a common git folder has no main checkout beside it."""
    config = _start(os.path.join(common, "config"), 64 * 1024).replace(" ", "").lower()
    return os.path.basename(common) != ".git" or "bare=true" in config


def _start(path: str, size: int) -> str:
    try:
        with open(os.open(path, _READ), encoding="utf-8", errors="surrogateescape") as file:
            return file.read(size)
    except OSError:
        return ""
