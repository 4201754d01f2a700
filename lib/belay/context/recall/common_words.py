"""Words that recall nothing: everyday words, and words that any project uses."""

from __future__ import annotations

import os
from functools import cache

from belay.core import terms

_FOLDER = os.path.dirname(os.path.abspath(__file__))
COMMON_WORDS, USUAL_WORDS = os.path.join(_FOLDER, "common.txt"), os.path.join(_FOLDER, "usual.txt")
FUNCTION_WORDS = os.path.join(_FOLDER, "function_words.txt")
"""Words of any sentence in German, French, Spanish, Portuguese, Italian and Dutch; terms of any prompt in Chinese,
Japanese and Korean, cut as `core/text/unspaced` cuts them."""
PLAIN = frozenset(
    "add added adding after again all also and any are but can code could did does done each file for from "
    "function get give had has have here how into its just let like line look made make more move name need "
    "new not now off old one only open other our out over page please project put run same see set should show "
    "some still such test than that the them then there these they this those too two update use used user "
    "using want was way well were what when where which while why will with work would write you your change "
    "check create fix implement feature issue bug".split()
)
"""Words of everyday work: they recall no row and no entry."""
_GRAMMAR = (
    "always actually because don't dont every instead must never our with "
    "already although among another anybody anymore anyone anything anyway besides beyond earlier even "
    "ever everybody everyone everything except feel hello hence hey hi itself lately later little many "
    "may maybe might much myself nobody nothing often ok okay ourselves perhaps quite recently seem since "
    "somebody somehow someone something sometimes somewhat soon thank thanks themselves therefore third "
    "though thus today tomorrow toward upon usually whatever whether within yeah yep yes yesterday "
    "yourself"
)
"""More words of any sentence, for prompts only: none says what an entry is about."""


@cache
def load_usual() -> frozenset[str]:
    """Return stems that are no everyday words, yet stand in prompts of two or more of 226 public projects."""
    return frozenset(_read(USUAL_WORDS))


@cache
def load() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that say nothing, and those that any project uses, each with its stem."""
    nothing = PLAIN | {*_GRAMMAR.split(), *_read(FUNCTION_WORDS)}
    return _with_stems(nothing), _with_stems(_read(COMMON_WORDS))


def _read(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().split()


def _with_stems(words: frozenset[str] | list[str]) -> frozenset[str]:
    return frozenset({*words, *map(terms.stem, words)})
