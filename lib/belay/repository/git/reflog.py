"""Git's own log of HEAD: the commits that were made on this machine, and the last move."""

from __future__ import annotations

import os

from belay.core import files

_ROW_BYTES = 16 * 1024
_HERE = ("commit", "commit (amend)", "commit (initial)")
_UNDERWAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


def read_size(git_dir: str) -> int:
    """Return the length of HEAD's log in bytes: what is appended later happened later."""
    try:
        return os.stat(_log_path(git_dir)).st_size
    except OSError:
        return 0


def list_local_commits(git_dir: str, offset: int) -> list[tuple[str, str]]:
    """Return (commit before, commit) of every commit made here after `offset`, oldest first.

    Pulls, merges, checkouts, rebases and cherry-picks are not among them: their text may be a stranger's.
    """
    rows = files.read(_log_path(git_dir))[offset:].decode("utf-8", "replace").splitlines()
    made = [row.split(" ", 2) for row in rows if _parse_action(row) in _HERE]
    return [(parts[0], parts[1]) for parts in made if len(parts) == 3]


def list_moves(git_dir: str) -> list[tuple[float, str]]:
    """Return (seconds since 1970, commit) of every move of HEAD that the log still holds, oldest first."""
    moves = []
    for row in files.read(_log_path(git_dir)).decode("utf-8", "replace").splitlines():
        head = row.partition("\t")[0].split(" ")
        if len(head) > 3 and head[-2].isdecimal():
            moves.append((float(head[-2]), head[1]))
    return moves


def read_last_move(git_dir: str) -> tuple[str, str]:
    """Return (action, commit) of the last move of HEAD; two "" without one."""
    rows = files.tail(_log_path(git_dir), _ROW_BYTES).decode("utf-8", "replace").splitlines()
    parts = rows[-1].split(" ", 2) if rows else []
    return (_parse_action(rows[-1]), parts[1]) if len(parts) == 3 else ("", "")


def is_underway(git_dir: str) -> bool:
    """Whether a merge, rebase, revert or cherry-pick is under way."""
    return any(os.path.exists(os.path.join(git_dir, name)) for name in _UNDERWAY)


def _parse_action(row: str) -> str:
    return row.partition("\t")[2].partition(":")[0]


def _log_path(git_dir: str) -> str:
    return os.path.join(git_dir, "logs", "HEAD")
