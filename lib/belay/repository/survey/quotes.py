"""A stranger's words made fit to print: one line, no secret, nothing invisible, cut at a word (docs/trust.md)."""

from __future__ import annotations

import unicodedata

from belay.core.plain_text import cut, one_line
from belay.safety.redaction import redact

LOOKED = 4000
"""Characters of a text that are looked at; what a person reads comes before."""
MOST = 200


def line(text: str, most: int = MOST) -> str:
    """Return the beginning of a text on one line, redacted, at most so many characters."""
    seen = "".join(map(_shown, text[:LOOKED]))
    return cut(one_line(redact(seen), LOOKED * 2), most)


def path(name: str) -> str:
    """Return a path as it may be printed between backticks, "" for one that no sane file has."""
    sane = name.isprintable() and "`" not in name and len(name) <= 300
    return name if sane and line(name, 400) == name else ""


def _shown(char: str) -> str:
    """Return a character, a blank for a control; what is never seen (direction marks, lone surrogates) goes.

    A mark inside a secret would hide it from the redaction.
    """
    kind = unicodedata.category(char)
    return " " if kind == "Cc" else "" if kind in ("Cf", "Cs", "Co") else char
