"""What was committed since a moment or a commit: one git process, bounded in commits, bytes and seconds.

Git stops walking where the commits get older, so a history of 50,000 commits costs no more than what is new in it.
Names and subjects are a stranger's text: whoever shows them cleans them first (docs/trust.md).
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from belay.core import clock
from belay.core import files as core_files
from belay.core.constants import FILE_BYTES
from belay.repository.git.process import read_start, run
from belay.safety.labels import make_label

COMMITS = 200
BYTES = 4 * 1024 * 1024
SECONDS = 2.0
_SUBJECT = 300
_REFS_BYTES = 1024 * 1024
_MARK = "\x1e"
_FORMAT = f"--format={_MARK}%H%x00%cI%x00%aN%x00%aE%x00%P%x00%s"
_RENAMED = "-M60%"
"""How much of a file must be the same: below that, what git takes for a rename is often another file in its place."""
_OPTIONS = (
    # Of a merge: what it changed for the branch that took it, conflicts' resolutions and older commits included.
    "-z", "--name-status", _RENAMED, "-l300", "--diff-merges=first-parent", "--no-relative", "--no-ext-diff",
    "--no-textconv", "--no-color", "--no-notes", "--ignore-submodules=dirty", _FORMAT,
)  # fmt: skip


class File(NamedTuple):
    """What one commit did to a file: status A M D R (C counts as A, T as M), path, path before a rename."""

    status: str
    path: str
    old: str = ""


class Commit(NamedTuple):
    """One commit: id, author as .mailmap has him, committer's time (ISO 8601), parents, first line, files."""

    sha: str
    time: str
    author: str
    email: str
    parents: tuple[str, ...]
    subject: str
    files: tuple[File, ...]


class Net(NamedTuple):
    """What became of a file over several commits: renames followed, `old` its first name; `commits` that touched it."""

    path: str
    status: str
    old: str
    commits: int


def read_commits(root: str, when_or_commit: str = "", limit: int = COMMITS) -> list[Commit]:
    """Return HEAD's commits after an ISO time or those a commit does not reach, newest first; "" for the last ones."""
    return read_window(root, when_or_commit, limit)[0]


def read_window(root: str, when_or_commit: str = "", limit: int = COMMITS) -> tuple[list[Commit], bool]:
    """Return the commits and whether there are more than could be read. Raises GitMissing or GitFailed."""
    begun = time.monotonic()
    place = [f"{when_or_commit}..HEAD"] if _is_commit(when_or_commit) else ["HEAD"]
    bound = [f"--since={when_or_commit}"] if when_or_commit and not _is_commit(when_or_commit) else []
    args = ("log", f"-n{limit + 1}", *bound, *_OPTIONS, *place, "--")
    text = read_start(root, *args, most=BYTES, seconds=SECONDS)
    commits = _parse_commits(text)
    cut = len(text) >= BYTES or time.monotonic() - begun >= SECONDS
    return commits[:limit], cut or len(commits) > limit


def read_file_commits(root: str, path: str, limit: int = COMMITS) -> tuple[list[Commit], bool]:
    """Return HEAD's commits that changed one file, newest first, renames followed; and whether there are more.

    Each commit names the file as it was called then. Raises GitMissing or GitFailed.
    """
    args = ("log", "--follow", f"-n{limit + 1}", *_OPTIONS, "HEAD", "--", f":(literal){path}")
    commits = _parse_commits(read_start(root, *args, most=BYTES, seconds=SECONDS))
    return commits[:limit], len(commits) > limit


def _is_commit(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")


def _parse_commits(text: str) -> list[Commit]:
    """Return the complete commits of an answer; one that was cut off in the middle is dropped."""
    tokens, commits, at = text.split("\0"), list[Commit](), 0
    while at + 5 < len(tokens) and tokens[at].startswith(_MARK):
        sha, when, author, email, parents, subject = tokens[at : at + 6]
        files, at = _parse_files(tokens, at + 6)
        commits.append(Commit(sha[1:], when, author, email, tuple(parents.split()), subject[:_SUBJECT], files))
    return commits


def _parse_files(tokens: list[str], at: int) -> tuple[tuple[File, ...], int]:
    """Return the files of one commit and where the next one begins: no status can look like its mark."""
    changes = []
    while at + 1 < len(tokens) and not tokens[at].startswith(_MARK):
        status = tokens[at].lstrip("\n")[:1]
        if status in ("R", "C"):
            old, new = [*tokens[at + 1 : at + 3], ""][:2]
            changes.append(File("R", new, old) if status == "R" else File("A", new))
            at += 3
        else:
            changes.append(File("M" if status in ("T", "U", "X") else status, tokens[at + 1]))
            at += 2
    return tuple(file for file in changes if file.path), at


def parse_time(commit: Commit) -> float:
    """Return a commit's time as seconds since the epoch, 0.0 when it has none."""
    sign, zone = commit.time[19:20], commit.time[20:]
    if sign not in ("+", "-") or not zone.replace(":", "").isdigit():
        return clock.seconds(commit.time)
    offset = int(zone[:2]) * 3600 + int(zone[-2:]) * 60
    return clock.seconds(commit.time) - (offset if sign == "+" else -offset)


def select_beyond(commits: list[Commit], base: str) -> list[Commit]:
    """Return the commits of a window that `base`, one of them, does not reach."""
    parents = {commit.sha: commit.parents for commit in commits}
    reached, waiting = set[str](), [base]
    while waiting:
        sha = waiting.pop()
        if sha not in reached:
            reached.add(sha)
            waiting += parents.get(sha, ())
    return [commit for commit in commits if commit.sha not in reached]


def find_base(commits: list[Commit]) -> str:
    """Return the commit on which some new commits were built, by first parents; "" where they began the history."""
    parents = {commit.sha: commit.parents for commit in commits}
    sha = commits[0].sha if commits else ""
    while sha in parents:
        sha = parents[sha][0] if parents[sha] else ""
    return sha


def find_commit_before(root: str, when: str) -> str:
    """Return the commit of HEAD's first parents at an ISO time, "" where the history begins later."""
    return run(root, "rev-list", "-n1", "--first-parent", f"--before={when}", "HEAD", "--").strip()


def compare_commits(root: str, old: str, new: str) -> tuple[File, ...]:
    """Return what became of each file between two commits, renames found."""
    options = ("-r", "-z", "--name-status", _RENAMED, "-l300", "--no-ext-diff", "--no-textconv")
    return _parse_files(run(root, "diff-tree", *options, old, new, "--").split("\0"), 0)[0]


def count_authors(commits: Iterable[Commit]) -> dict[str, int]:
    """Return author → number of commits, most first, as `git shortlog -sn` counts."""
    return dict(Counter(commit.author for commit in commits).most_common())


def sum_changes(commits: list[Commit]) -> list[Net]:
    """Return what became of every file, most touched first; what was added and deleted again is left out."""
    known: dict[str, Net] = {}
    for commit in reversed(commits):
        counted = int(len(commit.parents) < 2)
        for file in commit.files:
            _apply_change(known, file, counted)
    return sorted(known.values(), key=lambda file: (-file.commits, file.path))


def _apply_change(known: dict[str, Net], file: File, counted: int) -> None:
    before = known.pop(file.old or file.path, None)
    count = (before.commits if before else 0) + counted
    if file.status == "R":
        old = (before.old if before else "") or file.old
        fresh = before is not None and before.status == "A"
        status, old = ("A", "") if fresh else ("M", "") if old == file.path else ("R", old)
        known[file.path] = Net(file.path, status, old, count)
    elif file.status != "D":
        status = "M" if before and before.status == "D" else before.status if before else file.status
        known[file.path] = Net(file.path, status, before.old if before else "", count)
    elif before is None or before.status != "A":
        name = (before.old if before else "") or file.path
        known[name] = Net(name, "D", "", count)


def map_renames(commits: list[Commit]) -> dict[str, str]:
    """Return every name that a file had → the name it has now, chains followed; of files that still are there."""
    now: dict[str, str] = {}
    called: dict[str, dict[str, None]] = {}  # name → the names it had, those taken again since included
    for commit in reversed(commits):
        for file in commit.files:
            before = file.old or file.path
            if file.status not in ("R", "D"):
                now.pop(file.path, None)
                continue
            earlier = [old for old in called.pop(before, {}) if now.get(old) == before]
            if file.status == "D":
                for old in earlier:
                    del now[old]
                continue
            names = dict.fromkeys([*earlier, before])
            now.update(dict.fromkeys(names, file.path))
            called.setdefault(file.path, {}).update(names)
    return {old: new for old, new in now.items() if old != new}


def read_texts(root: str, commit: str, paths: list[str]) -> dict[str, str]:
    """Return path → text of files as a commit has them; what it has not, or over 1 MB, is left out."""
    found = read_versions(root, [(commit, path) for path in paths])
    return {path: text for (_, path), text in found.items()}


def read_versions(root: str, places: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return (commit, path) → text of files as commits have them, in two processes; else as `read_texts`."""
    known = [place for place in places if "\n" not in place[1]]
    if not known:
        return {}
    names = [f"{commit}:{path}" for commit, path in known]
    lines = _ask_objects(root, "--batch-check=%(objectname) %(objecttype) %(objectsize)", names).split("\n")
    good = {
        place: row[0]
        for place, row in zip(known, [line.split() for line in lines], strict=False)
        if len(row) == 3 and row[1] == "blob" and row[2].isdigit() and int(row[2]) <= FILE_BYTES
    }
    bodies = _split_objects(_ask_objects(root, "--batch", sorted(set(good.values())))) if good else {}
    return {place: bodies[sha] for place, sha in good.items() if sha in bodies}


def _ask_objects(root: str, how: str, names: list[str]) -> str:
    data = "".join(name + "\n" for name in names).encode("utf-8", "surrogateescape")
    return run(root, "cat-file", how, data=data)


def _split_objects(answer: str) -> dict[str, str]:
    data, at, texts = answer.encode("utf-8", "surrogateescape"), 0, dict[str, str]()
    while at < len(data):
        end = data.index(b"\n", at)
        sha, _, size = data[at:end].decode("ascii", "replace").split(" ", 2)
        at = end + 1 + int(size) + 1
        texts[sha] = data[end + 1 : at - 1].decode("utf-8", "replace")
    return texts


def find_change_date(root: str, path: str) -> str:
    """Return the author's date YYYY-MM-DD of the last commit that changed a path, "" for none. Raises as `run`."""
    return run(root, "log", "-1", "--format=%as", "HEAD", "--", f":(literal){path}", ok=(0, 128)).strip()


def list_tags(root: str, commit: str) -> list[str]:
    """Return the tags that a commit reaches."""
    return [make_label(name) for name in run(root, "tag", "--merged", commit).split()]


def has_tag(common_dir: str, name: str) -> bool:
    """Whether the repository has a tag of this plain name, read from git's files."""
    if not name.replace(".", "").replace("-", "").isalnum() or name.startswith((".", "-")):
        return False
    if os.path.isfile(os.path.join(common_dir, "refs", "tags", name)):
        return True
    packed = core_files.read(os.path.join(common_dir, "packed-refs"), _REFS_BYTES)
    return f" refs/tags/{name}\n".encode() in packed
