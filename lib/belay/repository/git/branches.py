"""Branches: which there are, which is the trunk, how they were called, where those that are gone last stood.

The hot questions are answered from git's own files; only `listing` asks a process.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from belay.core import files as core_files
from belay.repository import projects
from belay.repository.git.process import run

LISTED = 500
"""Branches that are looked at, the newest first."""
LOG_BYTES = 4 * 1024 * 1024
"""How much of a reflog's end is read."""
_TRUNKS = ("main", "master", "trunk", "develop", "default")
_RENAMED = b"Branch: renamed refs/heads/"
_MOVED = b"checkout: moving from "
_FORMAT = "%(refname:lstrip=2)%00%(objectname)%00%(committerdate:unix)%00%(upstream:track)"


class Tip(NamedTuple):
    """A branch's name, its commit, and what git calls it here: the name itself, or with its remote in front."""

    name: str
    commit: str
    ref: str


class Branch(NamedTuple):
    """A local branch: its tip, the tip's committer time (seconds), whether its upstream is gone."""

    name: str
    tip: str
    time: int
    gone: bool


def list_branches(root: str) -> list[Branch]:
    """Return the local branches, the newest tip first, at most 500; names that are no words are left out."""
    options = ("--sort=-committerdate", f"--count={LISTED}", f"--format={_FORMAT}")
    rows = [line.split("\0") for line in run(root, "for-each-ref", *options, "refs/heads").split("\n")]
    return [
        Branch(row[0], row[1], int(row[2]), "gone" in row[3])
        for row in rows
        if len(row) == 4 and row[0].isprintable() and row[2].isdigit()
    ]


def list_tips(root: str, most: int = LISTED) -> list[Tip]:
    """Return so many local branches and as many remote-tracking ones, the newest first, origin's before others."""
    local = [Tip(name, sha, name) for name, sha in _refs(root, "refs/heads", most)]
    far = [Tip(ref.partition("/")[2], sha, ref) for ref, sha in _refs(root, "refs/remotes", most)]
    named = [tip for tip in far if tip.name not in ("", "HEAD")]
    return local + sorted(named, key=lambda tip: not tip.ref.startswith("origin/"))


def _refs(root: str, folder: str, most: int) -> list[tuple[str, str]]:
    options = ("--sort=-committerdate", f"--count={most}", "--format=%(objectname) %(refname:lstrip=2)")
    rows = [line.partition(" ") for line in run(root, "for-each-ref", *options, folder).split("\n")]
    return [(name, sha) for sha, _, name in rows if name and name.isprintable()]


def find_trunk(root: str, git_dir: str, common_dir: str) -> str:
    """Return the default branch: origin's, else the well-known name that stands; the only branch before commits.

    "" where there is none to be told. `init.defaultBranch` is asked only where no well-known branch stands.
    """
    remote = projects.symbolic(common_dir, "refs/remotes/origin/HEAD").removeprefix("refs/remotes/origin/")
    if remote:
        return remote
    found = next((name for name in _TRUNKS if projects.tip(common_dir, name)), "")
    if found:
        return found
    branch, commit = projects.head(git_dir, common_dir)
    return branch if branch and not commit else _configured(root, common_dir)


def _configured(root: str, common_dir: str) -> str:
    name = run(root, "config", "--get", "init.defaultBranch", ok=(0, 1)).strip()
    return name if name and projects.tip(common_dir, name) else ""


def find_commit(common_dir: str, name: str) -> str:
    """Return the commit of a local branch, else of the branch of that name on a remote, "" where both are gone."""
    found = find_tip(common_dir, name)
    return found.commit if found else ""


def find_tip(common_dir: str, name: str) -> Tip | None:
    """Return a local branch, else the branch of that name on a remote, None where both are gone."""
    own = projects.tip(common_dir, name)
    if own:
        return Tip(name, own, name)
    far = [
        Tip(name, _remote(common_dir, remote, name), f"{remote}/{name}") for remote in _remotes(common_dir)
    ]
    return next((tip for tip in far if tip.commit), None)


def _remote(common_dir: str, remote: str, name: str) -> str:
    return projects.tip(common_dir, name, f"refs/remotes/{remote}/")


def _remotes(common_dir: str) -> list[str]:
    try:
        names = sorted(os.listdir(os.path.join(common_dir, "refs", "remotes")))
    except OSError:
        names = []
    return ["origin", *(name for name in names if name != "origin")]


def read_earlier_names(common_dir: str, name: str) -> list[str]:
    """Return what a branch was called before, the latest name first; its reflog goes with it."""
    found: list[str] = []
    for row in reversed(_log(common_dir, "refs", "heads", *name.split("/"))):
        before, after = _renamed(row)
        if before and after == (found[-1] if found else name) and before not in found:
            found.append(before)
    return found


def map_renames(common_dir: str, names: list[str]) -> dict[str, str]:
    """Return earlier name → name of today of these branches."""
    return {old: name for name in reversed(names) for old in reversed(read_earlier_names(common_dir, name))}


def list_logged(common_dir: str) -> list[str]:
    """Return the local branches that have a reflog, at most 500: those that stand, without asking a process."""
    top = os.path.join(common_dir, "logs", "refs", "heads")
    found: list[str] = []
    for folder, _, names in os.walk(top):
        inner = os.path.relpath(folder, top).replace(os.sep, "/")
        found += [name if inner == "." else f"{inner}/{name}" for name in sorted(names)]
        if len(found) >= LISTED:
            break
    return [name for name in found[:LISTED] if name.isprintable() and projects.tip(common_dir, name)]


def _renamed(row: bytes) -> tuple[str, str]:
    _, mark, told = row.partition(_RENAMED)
    before, between, after = told.partition(b" to refs/heads/")
    return (_text(before), _text(after)) if mark and between else ("", "")


def find_left_commit(git_dir: str, name: str) -> str:
    """Return the commit a branch stood on when it was last left by a checkout in this work tree, "" if never."""
    start = _MOVED + name.encode("utf-8", "surrogateescape") + b" to "
    rows = [row for row in _log(git_dir, "HEAD") if start in row]
    return projects.commit(rows[-1].split(b" ", 1)[0]) if rows else ""


def find_first_commit(git_dir: str, common_dir: str, name: str) -> str:
    """Return the commit a branch was created on, "" where that is not told or was a remote's branch of that name."""
    rows = _log(common_dir, "refs", "heads", *name.split("/"))
    first = rows[0] if rows else b""
    if b"\tbranch: Created from " in first:
        source = first.rpartition(b"\tbranch: Created from ")[2]
        return "" if source.endswith(b"/" + name.encode("utf-8", "surrogateescape")) else _after(first)
    end = b" to " + name.encode("utf-8", "surrogateescape")
    moves = [row for row in _log(git_dir, "HEAD") if _MOVED in row and row.endswith(end)]
    return _after(moves[0]) if moves and moves[0].split(b" ", 2)[:1] == moves[0].split(b" ", 2)[1:2] else ""


def _after(row: bytes) -> str:
    parts = row.split(b" ", 2)
    return projects.commit(parts[1]) if len(parts) == 3 else ""


def _log(folder: str, *names: str) -> list[bytes]:
    if any(name in ("", ".", "..") or "\0" in name or os.sep in name for name in names):
        return []
    rows = core_files.tail(os.path.join(folder, "logs", *names), LOG_BYTES).split(b"\n")
    return [row for row in rows if row]


def _text(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    return text if text.isprintable() else ""
