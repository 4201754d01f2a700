"""Find the project of a folder, its branch and its HEAD: read from git's own files, without a process."""

from __future__ import annotations

import os
import zlib

from belay.core import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GIT = ".git"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep a hook waiting
LINE_BYTES = 4096
WORKTREES = 100
"""Linked worktrees of a repository that are looked at."""
_REF = b"ref: refs/heads/"
_FORBIDDEN = bytes(range(33)) + b"\x7f~^:?*[\\"


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
    return os.path.join(home, paths.MEMORY) if home and not paths.is_linked(home) else os.path.join(common, "belay")


def branch_and_commit(project: paths.Project) -> tuple[str, str]:
    """Return the branch that is checked out and its commit; "" for what there is not."""
    return head(project.git_dir, project.common_dir) if project.git_dir else ("", "")


def is_repository(folder: str) -> bool:
    """Whether a folder is the top of a work tree, a submodule's included."""
    return os.path.lexists(os.path.join(folder, GIT))


def is_linked_tree(folder: str) -> bool:
    """Whether a folder is a submodule or a linked work tree: its git folder is elsewhere."""
    return os.path.isfile(os.path.join(folder, GIT))


def own_folder(project: paths.Project) -> str:
    """Return the folder in the repository that is Belay's own, "" without a repository."""
    return os.path.join(project.common_dir, "belay") if project.common_dir else ""


def owner_and_name(remote: str) -> tuple[str, str]:
    """Return the owner and the repository that a remote's address names, "" for what it does not name."""
    parts = ["", "", *remote.rstrip("/").removesuffix(GIT).replace(":", "/").split("/")]
    return parts[-2], parts[-1]


def read_index(project: paths.Project) -> bytes:
    """Return the bytes of git's index, which names the tracked files; b"" without one."""
    return files.read(os.path.join(project.git_dir, "index")) if project.git_dir else b""


def work_tree(cwd: str, home: str) -> tuple[str, str] | None:
    """Return (work tree, git folder) of the nearest repository around a folder and below home, None without one."""
    for folder in _parents(cwd, home):
        dot = os.path.join(folder, GIT)
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
    return os.path.basename(common) != GIT or "bare=true" in config


def _start(path: str, size: int) -> str:
    try:
        with open(os.open(path, _READ), encoding="utf-8", errors="surrogateescape") as file:
            return file.read(size)
    except OSError:
        return ""


def head(git_dir: str, common_dir: str) -> tuple[str, str]:
    """Return (branch, commit); branch is "" when HEAD is detached or forged, commit "" before the first one."""
    line = _line(os.path.join(git_dir, "HEAD"))
    if not line.startswith(_REF):
        return "", commit(line)
    name = line[len(_REF) :]
    if not _is_branch(name):
        return "", ""
    return name.decode("utf-8", "replace"), _resolve(common_dir, b"refs/heads/" + name)


def _is_branch(name: bytes) -> bool:
    """Whether git allows the name (git-check-ref-format): a forged one is no text to repeat and no path to follow.

    A repository of the reftable format has "refs/heads/.invalid" here, whatever its branch.
    """
    parts = name.split(b"/")
    if b".." in name or any(not part or part.startswith(b".") or part.endswith(b".lock") for part in parts):
        return False
    # Blanks outside ASCII are allowed by git, and would make a name of a clone a sentence.
    return name.translate(None, _FORBIDDEN) == name and name.decode("utf-8", "replace").isprintable()


def tip(common_dir: str, name: str, folder: str = "refs/heads/") -> str:
    """Return the commit of a branch by its name, "" where there is none (or the repository has reftables)."""
    raw = name.encode("utf-8", "surrogateescape")
    return _resolve(common_dir, folder.encode("utf-8", "surrogateescape") + raw) if _is_branch(raw) else ""


def symbolic(common_dir: str, ref: str) -> str:
    """Return the branch ref a symbolic ref like "refs/remotes/origin/HEAD" leads to, "" where it is none."""
    mark, _, target = _line(os.path.join(common_dir, *ref.split("/"))).partition(b" ")
    known = mark == b"ref:" and _is_branch(target) and target.startswith(os.fsencode(ref.rpartition("/")[0]))
    return target.decode("utf-8", "replace") if known else ""


def worktrees(common_dir: str) -> list[str]:
    """Return the roots of a repository's linked worktrees that point back to it, at most 100: a forged one does not."""
    folder = os.path.join(common_dir, "worktrees")
    names = files.list_names(folder)[:WORKTREES]
    links = {os.fsdecode(_line(os.path.join(folder, name, "gitdir"))): name for name in names}
    return [
        os.path.realpath(os.path.dirname(link))
        for link, name in links.items()
        if os.path.isabs(link) and _points(link, os.path.join(folder, name))
    ]


def _points(link: str, folder: str) -> bool:
    mark, _, target = _line(link).partition(b"gitdir: ")
    return not mark and os.path.realpath(os.fsdecode(target)) == os.path.realpath(folder)


def _resolve(common_dir: str, ref: bytes) -> str:
    return commit(_line(os.path.join(common_dir, os.fsdecode(ref)))) or _packed(common_dir, ref)


def _packed(common_dir: str, ref: bytes) -> str:
    data = files.read(os.path.join(common_dir, "packed-refs"))
    at = data.find(b" " + ref + b"\n")
    return commit(data[data.rfind(b"\n", 0, at) + 1 : at]) if at >= 0 else ""


def _line(path: str) -> bytes:
    return files.read(path, LINE_BYTES).split(b"\n", 1)[0].rstrip()


def commit(text: bytes) -> str:
    """Return a full commit id as text, "" for anything else."""
    known = len(text) in (40, 64) and not text.translate(None, b"0123456789abcdef")
    return text.decode("ascii") if known else ""
