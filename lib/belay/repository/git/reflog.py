"""Git's own logs: the commits that were made on this machine, what came from elsewhere, and the last move of HEAD."""

from __future__ import annotations

import os

from belay.core import files
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ROW_BYTES = 16 * 1024
_HERE = ("commit", "commit (amend)", "commit (initial)")
_MADE = (*_HERE, "commit (merge)", "rebase (continue)", "rebase -i (continue)")
"""What a person wrote, or put right by hand."""
_REWRITTEN = ("commit (amend)", "rebase (finish)", "rebase -i (finish)")
"""Moves after which another commit stands for the one before; a branch's own log has the second and third."""
_COPIED = ("cherry-pick", "commit (cherry-pick)")
_LOG_BYTES = 256 * 1024
_LOGS = 1000
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


class Row(NamedTuple):
    """One move of a ref: commit before, commit, address of who moved it, what git did, its details."""

    old: str
    new: str
    email: str
    action: str
    details: str


class CommitOrigins:
    """What all logs of a repository say of where commits came from.

    made: ids of commits that were written here. rewritten: made here by a rebase or a merge, or were there before.
    copied: made here from another commit. patched: made of a mail.
    fetched: ids that came from another repository. pushed: ids that fetched branches have from a push of this one.
    emails: addresses of who worked here.
    """

    def __init__(self, common_dir: str) -> None:
        self.made: set[str] = set()
        self.rewritten: set[str] = set()
        self.copied: set[str] = set()
        self.patched: set[str] = set()
        self.fetched: set[str] = set()
        self.pushed: set[str] = set()
        self.emails: set[str] = set()
        for path in _list_logs(common_dir):
            note = self._note_remote if os.path.join("logs", "refs", "remotes") in path else self._note
            for row in _read_rows(path):
                note(row)
        self.fetched |= _read_fetched(common_dir)
        self.fetched = {commit for commit in self.fetched if commit.strip("0")} - self.pushed

    def _note_remote(self, row: Row) -> None:
        (self.pushed if row.action == "update by push" else self.fetched).add(row.new)
        self.fetched.add(row.old)

    def _note(self, row: Row) -> None:
        if row.action in _MADE:
            self.made.add(row.new)
            self.emails.add(row.email)
        elif row.action in _COPIED:
            self.copied.add(row.new)
        elif row.action == "am":
            self.patched.add(row.new)
        elif _is_fetched(row):
            self.fetched.add(row.new)
        elif row.action.startswith(("rebase", "pull", "merge")):
            self.rewritten.add(row.new)


def _is_fetched(row: Row) -> bool:
    """Whether a move of HEAD or a branch went to a commit of another repository: not to one that git made here."""
    verb, _, rest = row.action.partition(" ")
    is_start = "(" not in rest or "(start)" in rest
    return verb in ("clone", "fetch", "pull") and is_start and not row.details.startswith("Merge made")


def _list_logs(common_dir: str) -> list[str]:
    """Return the logs of HEAD in all work trees, of all branches and of all fetched branches."""
    found = [os.path.join(common_dir, "logs", "HEAD")]
    trees = os.path.join(common_dir, "worktrees")
    found += [os.path.join(trees, name, "logs", "HEAD") for name in files.list_names(trees)]
    for group in ("heads", "remotes"):
        for folder, _, names in os.walk(os.path.join(common_dir, "logs", "refs", group)):
            found += [os.path.join(folder, name) for name in names]
    return found[:_LOGS]


def _read_rows(path: str) -> Iterator[Row]:
    for line in files.tail(path, _LOG_BYTES).decode("utf-8", "replace").splitlines():
        head, _, text = line.partition("\t")
        action, _, details = text.partition(": ")
        ids = head.split(" ", 2)
        if len(ids) == 3:
            email = ids[2].rpartition("<")[2].partition(">")[0].lower()
            yield Row(ids[0], ids[1], email, action.rstrip(":"), details)


def _read_fetched(common_dir: str) -> set[str]:
    """Return the commits that the last fetch brought."""
    rows = files.read(os.path.join(common_dir, "FETCH_HEAD"), _LOG_BYTES).decode("utf-8", "replace").splitlines()
    return {row.partition("\t")[0] for row in rows}


def read_rewritten(common_dir: str) -> dict[str, str]:
    """Return commit → the commit that took its place, by amending or as the tip of a branch that was rebased."""
    followed: dict[str, str] = {}
    for path in _list_logs(common_dir):
        for row in _read_rows(path):
            if row.action in _REWRITTEN and row.old != row.new:
                followed[row.old] = row.new
    return {old: _follow(followed, old) for old in followed}


def _follow(followed: dict[str, str], commit: str) -> str:
    seen = {commit}
    while commit in followed and followed[commit] not in seen:
        commit = followed[commit]
        seen.add(commit)
    return commit


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
