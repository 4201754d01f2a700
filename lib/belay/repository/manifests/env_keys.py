"""Key names of a .env-like file; a value is never kept, returned or shown."""

from __future__ import annotations

import re

_KEY = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*)")


def keys(text: str, filled: bool = False) -> list[str]:
    """Return the key names in their order, each once; with `filled` only those whose value is not empty."""
    found: dict[str, bool] = {}
    quote = ""
    for line in text.replace("\r", "\n").split("\n"):
        if quote:  # inside a value of several lines
            quote = "" if _closes(line, quote) else quote
            continue
        row = _KEY.match(line)
        if row:
            value = row[2].strip()
            found[row[1]] = _says(value)
            quote = value[:1] if value[:1] in ("'", '"', "`") and not _closes(value[1:], value[:1]) else ""
    return [key for key, full in found.items() if full or not filled]


def _says(value: str) -> bool:
    """Whether a value is more than empty quotes and a comment."""
    return not value.startswith("#") and bool(value.partition(" #")[0].strip("\"' \t"))


def _closes(text: str, quote: str) -> bool:
    return re.search(rf"(?<!\\){quote}", text) is not None
