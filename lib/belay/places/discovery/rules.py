"""Which rules of `.claude/rules/` hold for which paths (HOST §4: `paths:` in the head of the file)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.knowledge.documents import ignore_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_INLINE = re.compile(r"^paths:[ \t]*(.*)$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*-[ \t]+(.+)$", re.MULTILINE)
MOST = 20_000
"""Paths that are tried."""


def read_globs(text: str) -> list[str]:
    """Return the patterns of a rule's head, [] for a rule that holds everywhere."""
    front = _FRONT.match(text)
    inline = _INLINE.search(front[1]) if front else None
    if not front or not inline:
        return []
    listed = inline[1].strip()
    rows = re.split(r",\s*(?![^{]*\})", listed.strip("[]")) if listed else _ITEM.findall(front[1][inline.end() :])
    return [row.strip().strip("\"'") for row in rows if row.strip().strip("\"'")]


def find_match(globs: list[str], paths: Iterable[str]) -> str:
    """Return the first path that one of some patterns matches, "" for none."""
    parsed = ignore_rules.parse_rules(
        "\n".join(f"/{pattern.lstrip('/')}" for glob in globs for pattern in _expand(glob))
    )
    for number, path in enumerate(paths):
        if number < MOST and ignore_rules.is_left_out([("", parsed)], path, False):
            return path
    return ""


def _expand(glob: str) -> list[str]:
    """Return the patterns that one with braces stands for: `a.{ts,tsx}` is two."""
    found = re.search(r"\{([^{}]*)\}", glob)
    if not found:
        return [glob]
    return [one for part in found[1].split(",") for one in _expand(glob[: found.start()] + part + glob[found.end() :])]
