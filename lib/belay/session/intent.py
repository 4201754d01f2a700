"""Finds the task in a prompt and the next step in an answer. Words in, words out."""

from __future__ import annotations

from belay.core.plain_text import cut

TASK_CHARS = 90
INTENT_CHARS = 240

_AHEAD = (
    "next step", "next:", "next,", "next i", "i'll ", "i will ", "i am going to", "i'm going to", "about to",
    "let me ", "remaining", "still to", "still need", "left to do", "then i", "now i",
)  # fmt: skip
_ENDS = ".!?"
_FILLERS = frozenset(
    (
        "yes yep yeah ok okay sure great thanks thank you good perfect please now so and then well alright"
    ).split()
)


def find_task(prose: str) -> str:
    """Return the task of a prompt: its first sentence of three words or more that is no question; "" if none."""
    for sentence in split_sentences(prose):
        words = sentence.split()
        while words and words[0].lower().strip(",.!:") in _FILLERS:
            del words[0]
        if len(words) >= 3 and not sentence.endswith("?"):
            return cut(" ".join(words).rstrip(_ENDS), TASK_CHARS)
    return ""


def find_intent(said: str) -> str:
    """Return the last sentence in which an answer says what comes next; "" if none does."""
    intents = [sentence for sentence in split_sentences(said) if _is_ahead(sentence)]
    return cut(intents[-1], INTENT_CHARS) if intents else ""


def _is_ahead(sentence: str) -> bool:
    lower = sentence.lower()
    return not lower.endswith("?") and any(mark in lower for mark in _AHEAD)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, line by line, without list marks and blank ones."""
    sentences = []
    for line in text.splitlines():
        sentences += _split(line.strip().lstrip("-*#> ").strip())
    return [sentence for sentence in sentences if sentence]


def _split(line: str) -> list[str]:
    parts, start = [], 0
    for i, char in enumerate(line):
        if char in _ENDS and line[i + 1 : i + 2] in (" ", ""):
            parts.append(line[start : i + 1].strip())
            start = i + 1
    return [*parts, line[start:].strip()]
