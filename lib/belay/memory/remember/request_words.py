"""Words without which no sentence asks to remember something: a quick look, before the patterns are compiled."""

from __future__ import annotations

_WORDS = ("remember", "memor", "note", "forget")


def may_be_request(text: str) -> bool:
    """Whether a sentence has a word of "remember this", "note that", "don't forget" or "add to memory"."""
    lowered = text.lower()
    return any(word in lowered for word in _WORDS)
