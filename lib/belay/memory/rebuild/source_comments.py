"""The proposal with its sources behind the lines, as HTML comments, and taken off again."""

from __future__ import annotations

import re

from belay.memory.rebuild.proposal import NewLine

_NOTE = re.compile(r"[ \t]*<!-- from [^<>\r\n]*?, (?:high|medium|low) -->(?=[ \t]*(?:\r\n|\r|\n|\Z))")


def add_comments(text: str, lines: list[NewLine]) -> str:
    """Return the text with ` <!-- from SOURCE, CONFIDENCE -->` behind each of the lines."""
    comments = {row["line"] - 1: f"  <!-- from {row['source']}, {row['confidence']} -->" for row in lines}
    rows = text.split("\n")
    return "\n".join(row.rstrip("\r") + comments.get(at, "") for at, row in enumerate(rows))


def strip_comments(text: str) -> str:
    """Return the text without such comments, however often it was shown."""
    return _NOTE.sub("", text)
