"""Names of code in a query, and how a text may hold them: the parts in their order, side by side. Pure."""

from __future__ import annotations

from belay.core import terms
from belay.knowledge.search import word_parts

MOST_PARTS = 12
"""Parts of a name that are looked at: an address may have hundreds."""


def find_names(text: str) -> list[tuple[str, ...]]:
    """Return what to look for besides the parts of the names in a query, each in all its spellings.

    That is the complete name, the name of its file without the ending, and any two parts that are neighbours in it.
    """
    names = [spellings for word in dict.fromkeys(terms.words(text)) for spellings in _split_name(word)]
    return list(dict.fromkeys(names))


def _split_name(word: str) -> list[tuple[str, ...]]:
    parts = terms.parts(word)[:MOST_PARTS]
    if len(parts) < 2 or _is_prose(word, parts):
        return []
    file = terms.parts(word.rstrip("/").rpartition("/")[2].rpartition(".")[0])[:MOST_PARTS]
    pairs = [parts[at : at + 2] for at in range(len(parts) - 1)]
    return [_spell(name_parts) for name_parts in (parts, file, *pairs) if len(name_parts) > 1]


def _is_prose(word: str, parts: list[str]) -> bool:
    """Whether a word is none of code: it's, and/or; nor is one whose parts the index keeps by their characters."""
    return "'" in word or "’" in word or terms.STOP.issuperset(parts) or bool(word_parts.find_runs(word))


def _spell(parts: list[str]) -> tuple[str, ...]:
    """Return the parts apart and as one word; numbers never, 1.2 is not 12."""
    apart, joined = " ".join(parts), "".join(parts)
    return (apart, joined) if joined.isalpha() else (apart,)
