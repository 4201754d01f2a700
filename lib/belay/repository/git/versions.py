"""Every text that git holds of some paths: in any branch, stash, log or fetched branch that is gone again."""

from __future__ import annotations

import os
from typing import NamedTuple

from belay.core import files
from belay.repository.git import status
from belay.repository.git.process import read_all, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

BYTES = 16 * 1024 * 1024
"""What may be read of all texts of some paths together; with more, git's answer counts as none."""
SECONDS = 2.5
_NONE = "0" * 40
_MARK = "\x1e"
_LOG = (
    "log", "--all", "--reflog", "--ignore-missing", "--full-history", "-m", "--root", "--raw", "-z", "--no-abbrev",
    "--no-renames", "--no-relative", "--no-ext-diff", "--no-color", "--no-notes", f"--format={_MARK}%H%x00%ct %ce",
)  # fmt: skip
_SCANNED_INDEX = 8 * 1024 * 1024
"""Bytes of all packs' indexes (250,000 objects) up to which packed objects are looked through, not only loose ones."""
_LOST = 20_000
"""Commits without a name that are looked through."""


class Version(NamedTuple):
    """A commit that changed a path: its id, committer's address, the path's blob, and the blobs that its parents had.

    A blob is "" where a commit has no such file. time: its committer's, in seconds since 1970. lost: no name and no
    log leads to the commit.
    """

    commit: str
    email: str
    path: str
    blob: str
    before: tuple[str, ...]
    time: int = 0
    lost: bool = False


def list_versions(root: str, common_dir: str, paths: list[str]) -> list[Version]:
    """Return every change of some paths that git holds, commits without a name included. Raises as `read_all`."""
    answer = read_all(root, *_LOG, "--", *status.quote_paths(paths), most=BYTES, seconds=SECONDS)
    named = [version for entry in answer.split(_MARK)[1:] for version in _parse_entry(entry)]
    return [*_join_parents(named), *_list_lost(root, common_dir, paths)]


def find_time(common_dir: str, version: Version) -> float:
    """Return until when a commit was made: the time of its object's file, as long as it has one of its own."""
    written = files.written_at(os.path.join(common_dir, "objects", version.commit[:2], version.commit[2:]))
    return min(written or version.time + 1, version.time + 1)


def list_later(root: str, before: Iterable[str], paths: list[str]) -> set[str]:
    """Return the commits that changed some paths and are not among the ancestors of the commits `before`."""
    limits = [f"^{commit}" for commit in before]
    options = ("--all", "--reflog", "--ignore-missing", "--full-history", *limits)
    return set(read_all(root, "rev-list", *options, "--", *status.quote_paths(paths), most=BYTES).split())


def list_tips(root: str, limit: int) -> list[str] | None:
    """Return the commits that have a name now, HEAD's first; None for more than `limit`."""
    rows = run(root, "for-each-ref", f"--count={limit + 1}", "--format=%(objectname)").split()
    head = run(root, "rev-parse", "-q", "--verify", "HEAD", ok=(0, 1, 128)).split()
    return [*dict.fromkeys(head + rows)] if len(rows) <= limit else None


def list_fetched(root: str) -> list[str]:
    """Return the commits that the fetched branches have now."""
    return run(root, "for-each-ref", "--format=%(objectname)", "refs/remotes").split()


def find_text(root: str, data: bytes, sample: str) -> str:
    """Return the id of the blob that holds a text, "" where git has none; `sample` is any id of the repository."""
    return status.find_blobs(root, [_name_blob(data, is_sha256=len(sample) == 64)])[0]


def _name_blob(data: bytes, is_sha256: bool) -> str:
    """Return the id that git gives a blob (gitformat-pack(5))."""
    blob = b"blob %d\0" % len(data) + data
    try:
        sha1: Any = __import__("_sha1").sha1  # hashlib's import alone costs a fifth of a bare interpreter
    except ImportError:
        from hashlib import sha1
    if not is_sha256:
        return str(sha1(blob).hexdigest())
    from hashlib import sha256

    return sha256(blob).hexdigest()


def find_elsewhere(root: str, blob: str, own: set[str]) -> bool:
    """Whether a commit that is not among `own` has a blob, under whatever name. Raises as `read_all`."""
    options = ("--all", "--reflog", "--ignore-missing", f"--find-object={blob}", "-m", "--format=%H", "--no-patch")
    holders = read_all(root, "log", *options, seconds=SECONDS).split()
    return any(commit not in own for commit in holders)


def _parse_entry(entry: str) -> list[Version]:
    """Parse one commit of the log: its id and address, then a row and a path for each change."""
    commit, who, *fields = entry.split("\0")
    time, _, email = who.partition(" ")
    rows = [(row.split(" "), path) for row, path in zip(fields[0::2], fields[1::2], strict=False)]
    return [
        Version(commit, email.lower(), path, _blob(row[3]), (_blob(row[2]),), int(time))
        for row, path in rows
        if len(row) == 5
    ]


def _join_parents(rows: list[Version]) -> list[Version]:
    """Join the rows of one commit, which a merge has for each parent that it differs from."""
    joined: dict[tuple[str, str], Version] = {}
    for row in rows:
        key = (row.commit, row.path)
        before = joined[key].before if key in joined else ()
        joined[key] = row._replace(before=(*before, *row.before))
    return [*joined.values()]


def _blob(name: str) -> str:
    return name if name.strip("0") else ""


def _list_lost(root: str, common_dir: str, paths: list[str]) -> list[Version]:
    """Return the versions in commits that no name leads to: of a fetched branch that was deleted, a dropped stash."""
    commits = _find_lost_commits(root, common_dir)
    if not commits:
        return []
    emails = run(root, "log", "--no-walk=unsorted", "--format=%ce", *commits).splitlines()
    owners = [(commit, path) for commit in commits for path in paths]
    names = [f"{commit}{parent}:{path}" for commit, path in owners for parent in ("", "^1", "^2")]
    blobs = iter(status.find_blobs(root, names))
    by_commit = dict(zip(commits, emails, strict=True))
    found = [
        Version(commit, by_commit[commit].lower(), path, next(blobs), (next(blobs), next(blobs)), lost=True)
        for commit, path in owners
    ]
    return [version for version in found if version.blob and version.blob not in version.before]


def _find_lost_commits(root: str, common_dir: str) -> list[str]:
    check = ("cat-file", "--batch-check=%(objecttype) %(objectname)", "--buffer")
    if _read_index_size(common_dir) <= _SCANNED_INDEX:
        answer = read_all(root, *check, "--batch-all-objects", "--unordered", most=BYTES * 4, seconds=SECONDS)
    else:
        loose = "".join(name + "\n" for name in _list_loose(common_dir))
        answer = run(root, *check, data=loose.encode()) if loose else ""
    commits = [row[7:] for row in answer.splitlines() if row.startswith("commit ")]
    if not commits:
        return []
    named = set(read_all(root, "rev-list", "--all", "--reflog", most=BYTES * 4, seconds=SECONDS).split())
    return [commit for commit in commits if commit not in named][:_LOST]


def _read_index_size(common_dir: str) -> int:
    folder = os.path.join(common_dir, "objects", "pack")
    names = (name for name in files.list_names(folder) if name.endswith(".idx"))
    return sum(os.stat(os.path.join(folder, name)).st_size for name in names)


def _list_loose(common_dir: str) -> list[str]:
    folder = os.path.join(common_dir, "objects")
    groups = [name for name in files.list_names(folder) if len(name) == 2]
    return [group + name for group in groups for name in files.list_names(os.path.join(folder, group))]
