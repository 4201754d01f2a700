"""When the lines of a file last changed, and the tags."""

from __future__ import annotations

import time

from belay.repository.git import process
from belay.safety.labels import make_label

SINCE = "180.days"
"""How far back is looked; a line that is older counts as of then."""
TAGS = 30


def read_line_dates(root: str, path: str) -> dict[int, str]:
    """Return 1-based line → local date (YYYY-MM-DD) of its last change, today's where it is not committed.

    {} for a file that git does not keep, or whose history takes too long. Raises GitMissing and GitFailed.
    """
    return {line: _format_date(seconds) for line, seconds in line_times(root, path, SINCE).items()}


def read_line_times(root: str, path: str, since: str) -> dict[int, int]:
    """Return 1-based line → author's time of its last change in seconds."""
    answer = process.read_start(root, "blame", "--porcelain", f"--since={since}", "--no-textconv", "--", path)
    times: dict[str, int] = {}
    changed: dict[int, int] = {}
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
                changed[number] = times[commit]
    return changed


line_times = read_line_times
"""What reads a blame: this module, or GitPython where `reader` chose it."""


def _format_date(seconds: int) -> str:
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
