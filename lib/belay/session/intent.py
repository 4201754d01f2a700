"""Finds the next step in what Claude said. Words in, words out."""

from __future__ import annotations

from belay.core.plain_text import cut, split_sentences

INTENT_CHARS = 240

_AHEAD = (
    "next step", "next:", "next,", "next i", "i'll ", "i will ", "i am going to", "i'm going to", "about to",
    "let me ", "remaining", "still to", "still need", "left to do", "then i", "now i",
)  # fmt: skip


def find_intent(said: str) -> str:
    """Return the last sentence in which an answer says what comes next; "" if none does."""
    intents = [sentence for sentence in split_sentences(said) if _is_ahead(sentence)]
    return cut(intents[-1], INTENT_CHARS) if intents else ""


def _is_ahead(sentence: str) -> bool:
    lower = sentence.lower()
    return not lower.endswith("?") and any(mark in lower for mark in _AHEAD)
