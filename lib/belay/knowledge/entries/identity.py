"""What the id of an entry is made of. It decides nothing but ids: whether two texts are one fact says `duplicates`.

Ids of entries that exist were made so, in any clone: what this gives for a text must never change.
"""

from __future__ import annotations

from belay.core import plain_text

_QUOTES = "\"'“”‘’«»[]{}|"
_ENDS = ".,:;?!…)"
_NUMBERS = frozenset(
    "zero two three four five six seven eight nine ten eleven twelve hundred thousand million half double twice".split()
)
_ORDINALS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split(),
        strict=True,
    )
)


def identity(text: str) -> str:
    """Return the words of a text in small letters, then its numbers and names as they are written."""
    numbers, names = [], []
    ticked, before = False, ""
    for chunk in text.split():
        word = _core(chunk)
        low = word.casefold().replace("’", "'")
        if any(char.isdigit() for char in word) or low in _NUMBERS:
            numbers.append(word)
        elif low in _ORDINALS and not (low == "second" and before[:1].isdigit()):
            numbers.append(_ORDINALS[low])
        elif ticked or "`" in chunk or _is_name(word):
            names.append(word.strip("`"))
        before = word
        ticked ^= chunk.count("`") % 2 == 1
    words = plain_text.key(text)
    return "\n".join((words, *numbers, "", *names)) if numbers or names else words


def _core(chunk: str) -> str:
    """Return a chunk without quotes, brackets and the ends of sentences around it; `--force`, `C++`, `f()` stay."""
    word = chunk.replace("`", "").strip(_QUOTES)
    while word and word[-1] in _ENDS and not (word[-1] == ")" and "(" in word[1:]):
        word = word[:-1].rstrip(_QUOTES)
    return (word[1:] if word[:1] == "(" else word).strip(_QUOTES + "*")


def _is_name(word: str) -> bool:
    """Whether a word is a path, an address, a name of code, a flag, a sign, "b" as in "option b": no mere word."""
    if len(word) == 1 and word.isascii() and word.casefold() not in ("a", "i"):
        return word not in "-*&"
    if not word.replace("'", "").replace("’", "").isalpha():
        return bool(word.strip("-–—→•·&"))
    return any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)
