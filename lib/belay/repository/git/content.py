"""Questions to git about the text of the project's files as they are now, untracked ones included.

An answer counts only when it is complete: every function raises BelayError where git fails or takes too long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.repository.git.process import GitFailed, read_all

if TYPE_CHECKING:
    from collections.abc import Iterable

SECONDS = 1.0
"""What a search may take; a start of a session waits for it."""
_OPTIONS = ("grep", "--untracked", "-I", "-h", "-i")
_NOTHING_FOUND = 1
_PLACE = re.compile(r"([^\0]+)\0(\d+)[\0:](.*)")


def find_matches(root: str, pattern: str, paths: tuple[str, ...]) -> list[str]:
    """Return each piece of text that a regular expression matches in the files of some pathspecs, once.

    Case does not count, binary files are passed over.
    """
    return _search(root, pattern, paths, "-o")


def find_lines(root: str, pattern: str, paths: tuple[str, ...]) -> list[str]:
    """Return each line that holds a match, once; else as `find_matches`."""
    return _search(root, pattern, paths)


def find_places(root: str, pattern: str, paths: tuple[str, ...]) -> list[tuple[str, int, str]]:
    """Return (path, line, text) of each line that an extended regular expression matches, upper and lower case told."""
    answer = read_all(
        root, "grep", "--untracked", "-I", "-n", "-z", "-E", "-e", pattern, "--", *paths,
        ok=(0, _NOTHING_FOUND), seconds=SECONDS,
    )  # fmt: skip
    rows = (_PLACE.match(row) for row in answer.split("\n"))
    return [(row[1], int(row[2]), row[3]) for row in rows if row]


def find_files(root: str, words: Iterable[str], paths: tuple[str, ...]) -> list[str]:
    """Return the files of some pathspecs that hold one of some words, whole, whatever its case."""
    asked = [part for word in words for part in ("-e", word)]
    options = ("grep", "--untracked", "-I", "-i", "-w", "-F", "-l", "-z")
    return _split(read_all(root, *options, *asked, "--", *paths, ok=(0, _NOTHING_FOUND), seconds=SECONDS), "\0")


def find_words(root: str, words: Iterable[str], paths: tuple[str, ...]) -> set[str]:
    """Return which of some words stand in the files of some pathspecs, whole and in the same case."""
    asked = [part for word in words for part in ("-e", word)]
    options = ("grep", "--untracked", "-I", "-o", "-h", "-w", "-F", *asked)
    answer = read_all(root, *options, "--", *paths, ok=(0, _NOTHING_FOUND), seconds=SECONDS) if asked else ""
    return set(_split(answer, "\n"))


def list_files(root: str, paths: tuple[str, ...]) -> list[str]:
    """Return the files of some pathspecs that git tracks or would add."""
    return list_tracked(root, paths) + list_untracked(root, paths)


def list_tracked(root: str, paths: tuple[str, ...]) -> list[str]:
    """Return the files of some pathspecs that git tracks."""
    return _split(read_all(root, "ls-files", "-z", "--cached", "--", *paths, seconds=SECONDS), "\0")


def list_untracked(root: str, paths: tuple[str, ...]) -> list[str]:
    """Return the files of some pathspecs that git would add."""
    options = ("ls-files", "-z", "--others", "--exclude-standard")
    return _split(read_all(root, *options, "--", *paths, seconds=SECONDS), "\0")


def _search(root: str, pattern: str, paths: tuple[str, ...], *options: str) -> list[str]:
    """Return the answer by Perl's expressions, three times as fast, or by extended ones where git has none."""
    ok = (0, _NOTHING_FOUND)
    try:
        answer = read_all(root, *_OPTIONS, *options, "-P", "-e", pattern, "--", *paths, ok=ok, seconds=SECONDS)
    except GitFailed:
        answer = read_all(root, *_OPTIONS, *options, "-E", "-e", pattern, "--", *paths, ok=ok, seconds=SECONDS)
    return _split(answer, "\n")


def _split(answer: str, end: str) -> list[str]:
    return list(dict.fromkeys(row for row in answer.split(end) if row))
