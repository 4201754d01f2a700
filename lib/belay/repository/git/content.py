"""Questions to git about the text of the project's files as they are now, untracked ones included."""

from __future__ import annotations

import time

from belay.core.errors import BelayError
from belay.repository.git.process import read_start

SECONDS = 1.0
"""What a search may take; a start of a session waits for it."""
BYTES = 4 * 1024 * 1024


class Unknown(BelayError):
    """Git could not look at all files in time."""


def find_matches(root: str, pattern: str, paths: tuple[str, ...]) -> list[str]:
    """Return each piece of text that an extended regular expression matches in the files of some pathspecs, once.

    Case does not count, binary files are passed over. Raises Unknown where not everything could be read.
    """
    return _read(root, "grep", "--untracked", "-I", "-h", "-i", "-o", "-E", "-e", pattern, "--", *paths)


def find_lines(root: str, pattern: str, paths: tuple[str, ...]) -> list[str]:
    """Return each line that holds a match, once; else as `find_matches`."""
    return _read(root, "grep", "--untracked", "-I", "-h", "-i", "-E", "-e", pattern, "--", *paths)


def list_files(root: str, paths: tuple[str, ...]) -> list[str]:
    """Return the files of some pathspecs that git tracks or would add. Raises Unknown as `find_matches`."""
    return _read(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths, end="\0")


def _read(root: str, *args: str, end: str = "\n") -> list[str]:
    begun = time.monotonic()
    answer = read_start(root, *args, most=BYTES, seconds=SECONDS)
    if len(answer) >= BYTES or time.monotonic() - begun >= SECONDS:
        raise Unknown(root, "git took too long to search the project", "try again")
    return list(dict.fromkeys(row for row in answer.split(end) if row))
