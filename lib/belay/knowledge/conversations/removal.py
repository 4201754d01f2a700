"""What must not be read any more, taken out of conversations: the text of forgotten entries, secrets of new rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FORGOTTEN = "[forgotten]"
LEAST = 8
"""Letters and digits of an entry's text below which it is no sentence that could be found again."""


def make_remover(texts: Sequence[str]) -> Callable[[str], str]:
    """Return a function that puts a mark in the place of these texts, whatever blanks and signs are between words.

    Line ends of what is removed stay, so that line numbers stay.
    """
    wanted = sorted({words for text in texts if (words := _split(text))}, key=lambda words: (-len(words), words))
    rules = [(max(words, key=len).lower(), _make_source(words)) for words in wanted]

    def remove(text: str) -> str:
        low = text.lower()
        for word, source in rules:
            if word in low:
                text = re.sub(source, _make_mark, text, flags=re.IGNORECASE)
        return text

    return remove


def find_longest(text: str) -> str:
    """Return the longest word of a text, in small letters; "" for a text that is too short to be removed."""
    return max(_split(text), key=len, default="").lower()


def _split(text: str) -> tuple[str, ...]:
    """Return the words of a text, () where they are too few to be found again."""
    words = tuple("".join(char if char.isalnum() else " " for char in text).split())
    return words if sum(map(len, words)) >= LEAST else ()


def _make_source(words: Sequence[str]) -> str:
    return r"(?<!\w)" + r"[\W_]+".join(map(re.escape, words)) + r"(?!\w)"


def _make_mark(match: re.Match[str]) -> str:
    return FORGOTTEN + "\n" * match[0].count("\n")
