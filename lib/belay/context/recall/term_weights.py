"""What the terms of an entry weigh in the index: by what they are, by how many entries have them, by how often the
project's own prompts say them.

Loaded where the index is written, never by a hook.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from belay.context.recall import common_words, lookup
from belay.core import terms
from belay.repository.manifests import alternatives

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.context.recall.prompt_words import PromptWords

OFTEN_NAME = 6
OFTEN_LEAST, OFTEN_MOST, OFTEN_SHARE = 5, 64, 0.05
"""A word of more entries than this share of them, or than 64, recalls none of them; one of up to five always does."""
TERMS_KEPT = 24
"""Terms of one entry that are kept at most, the most informative first; UNSPACED_KEPT where they are parts of words."""
UNSPACED_KEPT = 60
RARE_CHARS = 4
"""Letters of a word that recalls its entry alone, at least."""
ENGLISH = 0.4
"""Share of known words from which an entry is English: of other languages no list says which words are rare."""
COMMON, TELLING, NAME = 1, lookup.TELLING, 3
"""Places in `lookup.WEIGHTS`."""


class Count:
    """In how many entries each term is, of how many, and what the project's prompts say."""

    def __init__(self, weighed: list[tuple[int, dict[str, int]]], prompts: PromptWords) -> None:
        self.entries = len(weighed)
        self.most = max(OFTEN_LEAST, min(OFTEN_MOST, int(self.entries * OFTEN_SHARE)))
        self.often: dict[str, int] = {}
        for _, terms_of in weighed:
            for word in terms_of:
                self.often[word] = self.often.get(word, 0) + 1
        self.prompts = prompts

    def rank(self, weights: dict[str, int]) -> list[tuple[str, int]]:
        """Return the terms of an entry that may recall it, each with its weight, the most informative first."""
        english = _is_english(weights)
        final = {word: self._weigh(word, weight, english) for word, weight in weights.items()}
        kept = [(word, weight) for word, weight in final.items() if weight]
        most = TERMS_KEPT if all(map(str.isascii, weights)) else UNSPACED_KEPT
        return sorted(kept, key=lambda term: (-term[1], self.often[term[0]], term[0]))[:most]

    def _weigh(self, word: str, weight: int, english: bool) -> int:
        """Return the weight of one entry's term, 0 for one that recalls nothing."""
        often = self.often[word]
        if often > self.most or self.prompts.says_always(word):
            return 0
        if self.prompts.says_often(word):
            return min(weight, COMMON)
        if weight == NAME:
            return NAME if often <= OFTEN_NAME else TELLING
        is_rare = english and weight == TELLING and often == 1 and _is_rare(word)
        return NAME if is_rare and not self.prompts.says_sometimes(word) else weight


def _is_english(weights: Mapping[str, int]) -> bool:
    words = [word for word in weights if word.isalpha()]
    known = [word for word in words if weights[word] == COMMON or word in common_words.load_usual()]
    return bool(words) and len(known) >= ENGLISH * len(words)


def _is_rare(word: str) -> bool:
    """Whether a word is in few projects' prompts: it recalls the only entry that has it."""
    if len(word) < RARE_CHARS or not (word.isascii() and word.isalpha()):
        return False
    return word not in common_words.load_usual() and word not in _product_stems()


def weigh_terms(text: str) -> dict[str, int]:
    """Return the terms of an entry with the weight of each: its words, its names, and the files of its paths."""
    weights: dict[str, int] = {}
    for _, word in lookup.list_words(text):
        for part in (word, word.rstrip("/").rpartition("/")[2]) if "/" in word else (word,):
            stem, weight = _weigh(part)
            if weight:
                weights[stem] = max(weights.get(stem, 0), weight)
    return weights


def weigh_products(text: str) -> dict[str, int]:
    """Return the products that a decision names, and those that do the same job, as informative words.

    "Why not Postgres?" asks for the decision for SQLite, though that may never say Postgres.
    """
    return dict.fromkeys(map(terms.stem, alternatives.list_rivals(text)), TELLING)


@cache
def _product_stems() -> frozenset[str]:
    """Return the stems of products of which a project chooses one: many projects' prompts name them."""
    return frozenset(map(terms.stem, alternatives.list_spellings()))


@lru_cache(maxsize=1 << 17)
def _weigh(word: str) -> tuple[str, int]:
    """Return the stem of a word and its weight, 0 for a word that says nothing."""
    low, stem = word.casefold(), terms.stem(word)
    nothing, common = common_words.load()
    if low in terms.STOP or low in nothing or stem in nothing or not (low.isalpha() or len(low) > 2):
        return stem, 0
    if low in common or stem in common or len(stem) < 3 or _is_part(stem):
        return stem, COMMON
    return stem, NAME if _stands_alone(word, low) else TELLING


def _is_part(stem: str) -> bool:
    """Whether a term is a part of a word, of Thai to Khmer: it needs two more beside it."""
    return "\u0e00" <= stem[0] <= "\u17ff"


def _stands_alone(word: str, low: str) -> bool:
    """Whether a word is a name of code, a file or a product: handleRefund, rate_limit, src/pay.py, Prisma."""
    if not any(char.isalpha() for char in word) or low.strip("0123456789.v") == "":
        return False
    return len(word) > 3 and (terms.is_name(word) or low in _product_names())


@cache
def _product_names() -> frozenset[str]:
    from belay.repository.manifests import known_packages as known

    return frozenset(name.casefold() for name, _ in known.packages().values())
