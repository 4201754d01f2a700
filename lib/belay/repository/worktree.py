"""How folders hang together: work trees, git's pointers, links, whose a folder is; read from files, no git process."""

from __future__ import annotations

import os

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep a hook waiting


def repository(cwd: str, home: str) -> tuple[str, str] | None:
    """Return (work tree, git folder) of the nearest repository around a folder and below home, None without one."""
    for folder in _parents(cwd, home):
        dot = os.path.join(folder, ".git")
        git_dir = pointed(dot, "gitdir:") if os.path.isfile(dot) else dot
        if git_dir and os.path.exists(os.path.join(git_dir, "HEAD")):
            return folder, git_dir
    return None


def without_git(cwd: str, home: str, memory: str) -> str:
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


def pointed(path: str, key: str = "") -> str:
    """Return the folder that a pointer file of git names behind `key`, "" when there is none."""
    line = _start(path, 4096).split("\n", 1)[0].strip()
    if not line.startswith(key):
        return ""
    target = os.path.normpath(os.path.join(os.path.dirname(path), line[len(key) :].strip()))
    return target if os.path.isdir(target) else ""


def is_bare(common: str) -> bool:
    """Whether a common git folder has no main checkout beside it."""
    config = _start(os.path.join(common, "config"), 64 * 1024).replace(" ", "").lower()
    return os.path.basename(common) != ".git" or "bare=true" in config


def _start(path: str, size: int) -> str:
    try:
        with open(os.open(path, _READ), encoding="utf-8", errors="surrogateescape") as file:
            return file.read(size)
    except OSError:
        return ""


def leads_out(root: str, path: str) -> bool:
    """Whether a path is a link to something outside of the root."""
    return os.path.islink(path) and not os.path.realpath(path).startswith(root + os.sep)


def is_ours(path: str, own: tuple[str, ...]) -> bool:
    """Whether a folder of the root is absent, holds one of our files, or only Markdown, half-written too."""
    if leads_out(os.path.dirname(path), path):
        return False
    try:
        names = [name for name in os.listdir(path) if not name.startswith(".")]
    except OSError:
        return not os.path.lexists(path)
    return any(name in own for name in names) or all(
        name.endswith(".md") or (name.endswith(".tmp") and ".md." in name) for name in names
    )
