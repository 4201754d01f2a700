"""Branch and HEAD read from git's own files, for hooks that cannot afford a process."""

from __future__ import annotations

import os

from belay.core import files

LINE_BYTES = 4096
WORKTREES = 100
"""Linked worktrees of a repository that are looked at."""
_REF = b"ref: refs/heads/"
_FORBIDDEN = bytes(range(33)) + b"\x7f~^:?*[\\"


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
    try:
        names = sorted(os.listdir(folder))[:WORKTREES]
    except OSError:
        return []
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
