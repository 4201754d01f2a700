"""What must not be read any more, taken out of conversations: the text of forgotten entries, secrets of new rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.core import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FORGOTTEN = "[forgotten]"
LEAST = 8
"""Letters and digits of an entry's text below which it is no sentence that could be found again."""


def make_remover(texts: Sequence[str]) -> Callable[[str], str]:
    """Return a function that puts a mark in the place of these texts, whatever blanks and signs are between words.

    Line ends of what is removed stay, so that line numbers stay.
    """
    wanted = sorted({words for text in texts if len(words := plain_text.words(text)) >= LEAST}, key=len, reverse=True)
    rules = [(max(words.split(), key=len), _make_source(words)) for words in wanted]

    def remove(text: str) -> str:
        low = text.casefold()
        for word, source in rules:
            if word in low:
                text = re.sub(source, _make_mark, text, flags=re.IGNORECASE)
        return text

    return remove


def _make_source(words: str) -> str:
    return r"(?<!\w)" + r"[\W_]+".join(map(re.escape, words.split())) + r"(?!\w)"


def _make_mark(match: re.Match[str]) -> str:
    return FORGOTTEN + "\n" * match[0].count("\n")
