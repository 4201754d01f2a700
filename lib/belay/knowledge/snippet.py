"""The few words of a text around what was asked for, marked >>so<<."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


OPEN, CLOSE, CUT = ">>", "<<", "…"
TOKENS = 28
"""Words of a snippet; CHARS where words are not told apart."""
CHARS, BEFORE = 180, 40
_SQL = (
    f"SELECT snippet(memory_fts, 4, '{OPEN}', '{CLOSE}', '{CUT}', {TOKENS}) FROM memory_fts "
    "WHERE memory_fts MATCH ? AND rowid = ?"
)


def of(connection: sqlite3.Connection, num: int, match: str, text: str, words: Sequence[str]) -> str:
    """Return the part of a text that holds most of what was asked for, hits marked, on one line.

    `match` is the query as FTS5 takes it, "" to compare the words plainly.
    """
    row = connection.execute(_SQL, (match, num)).fetchone() if match else None
    told = " ".join(row[0].split()) if row else ""
    return told if OPEN in told else cut(text, words)


def cut(text: str, words: Sequence[str]) -> str:
    """Return the same by plain comparison: fragments of names, and scripts without blanks."""
    line = " ".join(text.split())
    told = sorted((word for word in words if word), key=len, reverse=True)
    pattern = re.compile("(?:" + "|".join(map(re.escape, told)) + ")+", re.I) if told else None
    first = pattern.search(line) if pattern else None
    start = max(0, first.start() - BEFORE) if first else 0
    part = line[start : start + CHARS]
    marked = pattern.sub(lambda found: OPEN + found[0] + CLOSE, part) if pattern else part
    return (CUT if start else "") + marked + (CUT if start + CHARS < len(line) else "")
