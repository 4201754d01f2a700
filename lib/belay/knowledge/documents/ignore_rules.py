"""What .gitignore files leave out, for folders without git: pathspec reads the patterns, deeper files go first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    Chain = list[tuple[str, GitIgnoreSpec]]

PATTERNS = 2000
"""Patterns of one file that are looked at."""
PATTERN_CHARS = 400


def parse_rules(text: str) -> GitIgnoreSpec:
    """Return the rules of an ignore file; paths are matched from that file's folder.

    A pattern that is no pattern matches nothing, as in git.
    """
    from pathspec import GitIgnoreSpec  # takes 20 ms to load, and git itself lists most folders

    lines = text.removeprefix("\ufeff").split("\n")[:PATTERNS]
    short = (line.removesuffix("\r") for line in lines if len(line) <= PATTERN_CHARS)
    return GitIgnoreSpec(pattern for line in short if (pattern := _parse_pattern(line)))


def _parse_pattern(line: str) -> GitIgnoreSpecPattern | None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        regex, leave = GitIgnoreSpecPattern.pattern_to_regex(line)
        if not regex or not line.removeprefix("!").strip("/ "):
            return None
        # Unlike git, pathspec lets a class of "anything but" match a slash.
        return GitIgnoreSpecPattern(re.compile(re.sub(r"\[\^(?!/\])", "(?!/)[^", regex)), leave)
    except (ValueError, re.error):
        return None


def is_left_out(chain: Chain, path: str, folder: bool) -> bool:
    """Whether a path is left out: the last rule that matches decides, of the deepest ignore file that has one.

    `chain`: (the folder of an ignore file with "/" behind it, "" for the top; its rules), from the top down.
    Folders above the path are asked first by whoever walks: what is below one that is left out stays out.
    """
    for base, rules in reversed(chain):
        name = path[len(base) :] + "/" * folder
        for rule in reversed(rules.patterns):  # pathspec's own check lets "!*" win over a later "a" that names a folder
            if rule.include is not None and rule.match_file(name):
                return rule.include
    return False
