"""Words that recall nothing: everyday words, and words that any project uses."""

from __future__ import annotations

import os
from functools import cache

from belay.core import terms

COMMON_WORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "common.txt")
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
def load() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that say nothing, and those that any project uses, each with its stem."""
    with open(COMMON_WORDS, encoding="utf-8") as file:
        common = file.read().split()
    nothing = PLAIN | {*_GRAMMAR.split()}
    return _with_stems(nothing), _with_stems(common)


def _with_stems(words: frozenset[str] | list[str]) -> frozenset[str]:
    return frozenset({*words, *map(terms.stem, words)})
