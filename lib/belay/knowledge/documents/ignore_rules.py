"""What .gitignore files leave out, for folders without git (gitignore(5)). Pure: texts and paths in, answers out."""

from __future__ import annotations

import re
from typing import NamedTuple

PATTERNS = 2000
"""Patterns of one file that are looked at."""
PATTERN_CHARS = 400


class Rule(NamedTuple):
    """One pattern of an ignore file: what it matches is left out, or taken in again; `folders`: only folders."""

    match: re.Pattern[str]
    leave: bool
    folders: bool


def rules(text: str) -> list[Rule]:
    """Return the rules of an ignore file; paths are matched from that file's folder."""
    lines = text.removeprefix("\ufeff").split("\n")[:PATTERNS]
    return [rule for line in lines if (rule := _rule(line.removesuffix("\r")))]


def _rule(line: str) -> Rule | None:
    line = _trimmed(line)
    if not line or line.startswith("#") or len(line) > PATTERN_CHARS:
        return None
    leave = not line.startswith("!")
    line = line if leave else line[1:]
    folders = line.endswith("/")
    line = line[:-1] if folders else line
    anchored = "/" in line
    pattern = _pattern(line.removeprefix("/"))
    if not line.strip("/") or pattern is None:
        return None
    return Rule(re.compile(pattern if anchored else f"(?:.*/)?{pattern}", re.DOTALL), leave, folders)


def _trimmed(line: str) -> str:
    """Return a line without the blanks at its end, unless a backslash keeps one."""
    bare = line.rstrip(" ")
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return bare + " " if escaped and bare != line else bare


def _pattern(glob: str) -> str | None:
    """Return a regular expression for a glob of gitignore; None where git would match nothing."""
    parts = glob.split("/")
    found, last = "", len(parts) - 1
    for at, part in enumerate(parts):
        if part == "**":
            found += ".*" if at == last else "(?:.*/)?"
            continue
        one = _part(part)
        if one is None:
            return None
        found += one + ("/" if at != last else "")
    return found


def _part(part: str) -> str | None:
    """Return a regular expression for what stands between two slashes."""
    found, at = "", 0
    while at < len(part):
        char = part[at]
        if char == "*":
            found += "" if found.endswith("[^/]*") else "[^/]*"
        elif char == "?":
            found += "[^/]"
        elif char == "[":
            end = _class_end(part, at)
            if end < 0:
                return None
            found += _class(part[at + 1 : end])
            at = end
        else:
            if char == "\\":
                at += 1
                if at == len(part):
                    return None
            found += re.escape(part[at])
        at += 1
    return found


def _class_end(part: str, at: int) -> int:
    """Return where the bracket that opens at a place closes, -1 for nowhere; a "]" in front is a member."""
    at += 2 if part[at + 1 : at + 2] in ("!", "^") else 1
    first = at
    while at < len(part):
        if part[at] == "]" and at > first:
            return at
        at += 2 if part[at] == "\\" else 1
    return -1


def _class(inner: str) -> str:
    negated = inner[:1] in ("!", "^")
    members = re.sub(r"(?<!\\)([\[&~|^])", r"\\\1", inner[1:] if negated else inner)
    members = "\\]" + members[1:] if members.startswith("]") else members
    pattern = f"(?!/)[{'^' if negated else ''}{members}]"
    try:
        re.compile(pattern)
    except re.error:
        return "(?!)"
    return pattern


def leaves_out(chain: list[tuple[str, list[Rule]]], path: str, folder: bool) -> bool:
    """Whether a path is left out: the last rule that matches decides, of the deepest ignore file that has one.

    `chain`: (the folder of an ignore file with "/" behind it, "" for the top; its rules), from the top down.
    Folders above the path are asked first by whoever walks: what lies below one that is left out stays out.
    """
    for base, found in reversed(chain):
        name = path[len(base) :]
        for rule in reversed(found):
            if (folder or not rule.folders) and rule.match.fullmatch(name):
                return rule.leave
    return False
