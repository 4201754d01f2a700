"""Branches: their names and tips, the trunk, earlier names, and the last tips of deleted ones.

The hot questions are answered from git's own files; only `listing` asks a process. Names that hold a secret are given
and taken as their labels (`safety/labels`).
"""

from __future__ import annotations

import os
from typing import NamedTuple

from belay.core import files as core_files
from belay.repository import projects
from belay.repository.git.process import run
from belay.safety import labels
from belay.safety.labels import make_label

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
        Branch(make_label(row[0]), row[1], int(row[2]), "gone" in row[3])
        for row in rows
        if len(row) == 4 and row[0].isprintable() and row[2].isdigit()
    ]


def list_tips(root: str, most: int = LISTED) -> list[Tip]:
    """Return so many local branches and as many remote-tracking ones, the newest first, origin's before others."""
    local = [Tip(make_label(name), sha, make_label(name)) for name, sha in _list_refs(root, "refs/heads", most)]
    remote = _list_refs(root, "refs/remotes", most)
    far = [Tip(make_label(ref.partition("/")[2]), sha, make_label(ref)) for ref, sha in remote]
    named = [tip for tip in far if tip.name not in ("", "HEAD")]
    return local + sorted(named, key=lambda tip: not tip.ref.startswith("origin/"))


def _list_refs(root: str, folder: str, most: int) -> list[tuple[str, str]]:
    options = ("--sort=-committerdate", f"--count={most}", "--format=%(objectname) %(refname:lstrip=2)")
    rows = [line.partition(" ") for line in run(root, "for-each-ref", *options, folder).split("\n")]
    return [(name, sha) for sha, _, name in rows if name and name.isprintable()]


def find_trunk(root: str, git_dir: str, common_dir: str) -> str:
    """Return the default branch: origin's, else the existing one with a well-known name; before commits the only one.

    "" if there is none. `init.defaultBranch` is read only if no branch has a well-known name.
    """
    remote = projects.symbolic(common_dir, "refs/remotes/origin/HEAD").removeprefix("refs/remotes/origin/")
    if remote:
        return make_label(remote)
    known = next((name for name in _TRUNKS if projects.tip(common_dir, name)), "")
    if known:
        return known
    branch, commit = projects.head(git_dir, common_dir)
    return branch if branch and not commit else _read_configured_trunk(root, common_dir)


def _read_configured_trunk(root: str, common_dir: str) -> str:
    name = run(root, "config", "--get", "init.defaultBranch", ok=(0, 1)).strip()
    return make_label(name) if name and projects.tip(common_dir, name) else ""


def find_commit(common_dir: str, name: str) -> str:
    """Return the commit of a local branch, else of the branch of that name on a remote, "" where both are gone."""
    tip = find_tip(common_dir, name)
    return tip.commit if tip else ""


def find_tip(common_dir: str, name: str) -> Tip | None:
    """Return a local branch, else the branch of that name on a remote, None where both are gone."""
    name = make_label(name)
    own = projects.tip(common_dir, name)
    if own:
        return Tip(name, own, name)
    far = [
        Tip(name, _find_remote_commit(common_dir, remote, name), f"{remote}/{name}")
        for remote in _list_remotes(common_dir)
    ]
    return next((tip for tip in far if tip.commit), None)


def _find_remote_commit(common_dir: str, remote: str, name: str) -> str:
    return projects.tip(common_dir, name, f"refs/remotes/{remote}/")


def _list_remotes(common_dir: str) -> list[str]:
    names = core_files.list_names(os.path.join(common_dir, "refs", "remotes"))
    return ["origin", *(name for name in names if name != "origin")]


def read_earlier_names(common_dir: str, name: str) -> list[str]:
    """Return what a branch was called before, the latest name first; its reflog goes with it."""
    name = projects.find_name(common_dir, name)
    names: list[str] = []
    for row in reversed(_read_log(common_dir, "refs", "heads", *name.split("/"))):
        before, after = _parse_rename(row)
        if before and after == (names[-1] if names else name) and before not in names:
            names.append(before)
    return [make_label(before) for before in names]


def map_renames(common_dir: str, names: list[str]) -> dict[str, str]:
    """Return earlier name → name of today of these branches."""
    return {old: name for name in reversed(names) for old in reversed(read_earlier_names(common_dir, name))}


def list_logged(common_dir: str) -> list[str]:
    """Return the local branches that exist and have a reflog, at most 500; starts no process."""
    top = os.path.join(common_dir, "logs", "refs", "heads")
    logged: list[str] = []
    for folder, _, names in os.walk(top):
        inner = os.path.relpath(folder, top).replace(os.sep, "/")
        logged += [name if inner == "." else f"{inner}/{name}" for name in sorted(names)]
        if len(logged) >= LISTED:
            break
    return [make_label(name) for name in logged[:LISTED] if name.isprintable() and projects.tip(common_dir, name)]


def _parse_rename(row: bytes) -> tuple[str, str]:
    _, mark, names = row.partition(_RENAMED)
    before, between, after = names.partition(b" to refs/heads/")
    return (_decode(before), _decode(after)) if mark and between else ("", "")


def find_left_commit(git_dir: str, name: str) -> str:
    """Return a branch's commit when a checkout in this work tree last left it, "" if never."""
    log = _read_log(git_dir, "HEAD")
    name = labels.find_name(name, (_decode(row.partition(_MOVED)[2].partition(b" to ")[0]) for row in log))
    start = _MOVED + name.encode("utf-8", "surrogateescape") + b" to "
    rows = [row for row in log if start in row] if name else []
    return projects.commit(rows[-1].split(b" ", 1)[0]) if rows else ""


def find_first_commit(git_dir: str, common_dir: str, name: str) -> str:
    """Return the commit a branch was created on, "" if that is unknown or was a remote's branch of that name."""
    name = projects.find_name(common_dir, name)
    rows = _read_log(common_dir, "refs", "heads", *name.split("/"))
    first = rows[0] if rows else b""
    if b"\tbranch: Created from " in first:
        source = first.rpartition(b"\tbranch: Created from ")[2]
        return "" if source.endswith(b"/" + name.encode("utf-8", "surrogateescape")) else _parse_commit_after(first)
    if not name:
        return ""
    end = b" to " + name.encode("utf-8", "surrogateescape")
    moves = [row for row in _read_log(git_dir, "HEAD") if _MOVED in row and row.endswith(end)]
    return (
        _parse_commit_after(moves[0]) if moves and moves[0].split(b" ", 2)[:1] == moves[0].split(b" ", 2)[1:2] else ""
    )


def _parse_commit_after(row: bytes) -> str:
    parts = row.split(b" ", 2)
    return projects.commit(parts[1]) if len(parts) == 3 else ""


def _read_log(folder: str, *names: str) -> list[bytes]:
    if any(name in ("", ".", "..") or "\0" in name or os.sep in name for name in names):
        return []
    rows = core_files.tail(os.path.join(folder, "logs", *names), LOG_BYTES).split(b"\n")
    return [row for row in rows if row]


def _decode(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    return text if text.isprintable() else ""
