"""When the lines of a file last changed, what changed in other files since, where a file went, and the tags."""

from __future__ import annotations

import time
from typing import NamedTuple

from belay.repository.git import history, process
from belay.safety.labels import make_label

SINCE = "180.days"
"""How far back is looked; a line that is older counts as of then."""
TAGS = 30


class LineOrigin(NamedTuple):
    """The commit that a line is from ("" where it is not committed yet) and its author's time in seconds."""

    commit: str
    time: int


class Change(NamedTuple):
    """A commit and its author's date (YYYY-MM-DD)."""

    commit: str
    date: str


class Removal(NamedTuple):
    """The commit that took a file away, its date (YYYY-MM-DD), and the file's name since, "" where it was deleted."""

    commit: str
    date: str
    new: str


def read_line_dates(root: str, path: str) -> dict[int, str]:
    """Return 1-based line → local date (YYYY-MM-DD) of its last change, today's where it is not committed.

    {} for a file that git does not keep, or whose history takes too long. Raises GitMissing and GitFailed.
    """
    return {line: format_date(seconds) for line, seconds in line_times(root, path, SINCE).items()}


def read_line_times(root: str, path: str, since: str) -> dict[int, int]:
    """Return 1-based line → author's time of its last change in seconds."""
    answer = process.read_start(root, "blame", "--porcelain", f"--since={since}", "--no-textconv", "--", path)
    return {line: origin.time for line, origin in _parse_porcelain(answer).items()}


def read_line_origins(root: str, path: str) -> dict[int, LineOrigin]:
    """Return 1-based line → the commit that last changed more than its blanks; lines that only moved count as kept.

    {} for a file that git does not keep. Raises GitMissing and GitFailed.
    """
    return _parse_porcelain(process.read_start(root, "blame", "--porcelain", "-w", "-M", "--no-textconv", "--", path))


def _parse_porcelain(answer: str) -> dict[int, LineOrigin]:
    times: dict[str, int] = {}
    changed: dict[int, LineOrigin] = {}
    commit, number, is_head = "", 0, True
    for line in answer.split("\n"):
        words = line.split(" ")
        if is_head and len(words) >= 3 and words[2].isdigit():
            commit, number, is_head = words[0], int(words[2]), False
        elif not is_head and line.startswith("author-time ") and words[1].isdigit():
            times[commit] = int(words[1])
        elif not is_head and line.startswith("\t"):
            is_head = True
            if commit in times:
                changed[number] = LineOrigin(commit if commit.strip("0") else "", times[commit])
    return changed


def list_changes_since(root: str, commit: str, path: str) -> list[Change]:
    """Return the commits of HEAD that a commit does not reach and that changed a file or folder, newest first.

    With "" for the commit only the last one is returned. Raises GitMissing and GitFailed, also for an answer in part.
    """
    place = [f"{commit}..HEAD"] if commit else ["-1", "HEAD"]
    answer = process.read_all(
        root, "log", "--no-merges", "-z", "--format=%H%x1f%as", *place, "--", f":(literal){path}", ok=(0, 128)
    )
    return [Change(*row.split("\x1f")) for row in process.split_fields(answer)]


def find_removal(root: str, path: str) -> Removal | None:
    """Return the last commit that took a file away, and its new name ("" for none); None where history has neither."""
    format_ = ("-1", "--diff-filter=D", "--no-renames", "--format=%H%x1f%as%x1f%P")
    answer = process.read_all(root, "log", *format_, "HEAD", "--", f":(literal){path}", ok=(0, 128)).strip()
    if not answer:
        return None
    sha, date, parents = answer.split("\x1f")
    rows = history.compare_commits(root, parents.split()[0], sha) if parents else ()
    new = next((row.path for row in rows if row.status == "R" and row.old == path), "")
    return Removal(sha, date, new)


line_times = read_line_times
"""What reads a blame: this module, or GitPython where `reader` chose it."""


def format_date(seconds: int) -> str:
    """Return seconds since the epoch as a local date YYYY-MM-DD, "" for a time that no calendar has."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):  # a commit may claim any time
        return ""


def list_tags(root: str, most: int = TAGS) -> list[tuple[str, str]]:
    """Return (name, date YYYY-MM-DD) of the newest tags, oldest first; names are foreign text."""
    form = "%(creatordate:short)%09%(refname:lstrip=2)"
    answer = process.read_start(
        root, "for-each-ref", "--sort=-creatordate", f"--count={most}", f"--format={form}", "refs/tags"
    )
    rows = [line.partition("\t") for line in answer.split("\n")]
    return [(make_label(name), date) for date, mark, name in reversed(rows) if mark and name]
