"""A branch's name as a file name: a readable part and a short hash, so that no two branches share one (HOUSE §3).

Small letters only and never a bare reserved word: the names differ on every file system.
"""

from __future__ import annotations

from belay.safety.trust import digest

READABLE = 40
"""Letters of a branch's name that its file's name shows."""
HASH = 8
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def branch_slug(branch: str) -> str:
    """Return the name of a branch's file, without its end."""
    letters = "".join(letter if letter in _PLAIN else "-" for letter in branch.lower())
    readable = "-".join(part for part in letters.split("-") if part)[:READABLE].strip("-_")
    sha = digest(branch.encode("utf-8", "surrogateescape"))[:HASH]
    return f"{readable}-{sha}" if readable else f"branch-{sha}"


def seed_slug(branch: str) -> str:
    """Return the seed's own name of a branch's file (seed 003), which several branches may share."""
    joined = branch.lower().replace("/", "-").replace(".", "-")
    return "".join(letter for letter in joined if letter in _PLAIN)
