"""Terms of a text: what a search, a comparison and a recall agree on. No regular expression: hot hooks load this."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

EDGES = "`'\"*_.,;:!?()[]{}<>“”‘’…|=#~-"
STOP = frozenset(
    "a about above after again all also am an and any are as at be because been before being below "
    "between both but by can cannot could did do does doing done don't down during each few for from "
    "further gets getting goes gone got gotten had has have having he her here hers herself him himself "
    "his how i if in into is isn't it its itself just let lets letting like make makes making me more "
    "most my myself no nor not now of off on once only or other our ours ourselves out over own please "
    "really same she should so some such than that the their theirs them themselves then there these they "
    "this those through to too under until up us very was we went were what when where which while who "
    "whom why will with would you your yours yourself yourselves i'm i've i'll i'd we're we've "
    "we'll you're you've you'll they're they've didn't doesn't wasn't weren't couldn't wouldn't shouldn't "
    "hasn't haven't aren't can't won't hadn't mustn't needn't he's she's he'd she'd they'd he'll she'll "
    "it'll that's there's here's let's what's who's where's how's".split()
)
"""Words that say nothing of what a text is about, in their forms. Not here: get (of HTTP), go (a language), must (a
rule), nor made, going and whose: without them a little less is found (docs/search.md)."""
NEGATIONS = frozenset(
    "no not never none without cannot nor neither don't doesn't isn't aren't won't can't shouldn't mustn't stop avoid "
    "instead except unless until".split()
)


def words(text: str) -> Iterator[str]:
    """Yield the terms of a text as they are written, in order, without what surrounds them."""
    for part in text.split():
        word = part.strip(EDGES)
        if word:
            yield word


def stem(word: str) -> str:
    """Return a word in small letters without the commonest endings; names of code and numbers stay as they are.

    Two forms of one word meet; nothing more is promised: Porter's algorithm (1980) is what the text index uses.
    """
    word = word.casefold().removesuffix("'s").removesuffix("’s")
    if len(word) < 5 or not word.isalpha() or not word.isascii():
        return word
    for end, put in _ENDINGS:
        if word.endswith(end) and len(word) - len(end) >= 3:
            return _undoubled(word[: -len(end)] + put)
    return word.removesuffix("e")


_ENDINGS = (
    ("ations", "at"), ("ation", "at"), ("ies", "y"), ("sses", "ss"), ("ings", ""), ("ing", ""), ("ied", "y"),
    ("eed", "ee"), ("ed", ""), ("ers", ""), ("er", ""), ("es", ""), ("ly", ""), ("ss", "ss"), ("us", "us"), ("s", ""),
)  # fmt: skip


def _undoubled(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word.removesuffix("e")


def informative(text: str) -> list[str]:
    """Return the distinct stems of a text that show what it is about, in order."""
    wanted = (word for word in words(text) if len(word) > 1 and word.casefold().replace("’", "'") not in STOP)
    return list(dict.fromkeys(found for word in wanted if (found := stem(word)) not in STOP))


def fixed(text: str) -> frozenset[str]:
    """Return what must agree to the letter for two texts to say the same: numbers, paths, names of code, addresses,
    negations."""
    return frozenset(word.casefold() for word in words(text) if is_name(word) or word.casefold() in NEGATIONS)


def is_name(word: str) -> bool:
    """Whether a term is a number, a path, an address or a name of code: 5432, lib/a.py, handleRefund, rate_limit."""
    if any(char.isdigit() or char in "_/@#" for char in word) or "." in word:
        return True
    return any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)


def parts(word: str) -> list[str]:
    """Return the parts of a name of code in small letters: rate_limit, handleRefund, src/a-b.ts."""
    found, start = [], 0
    for at, char in enumerate(word):
        if not char.isalnum():
            found.append(word[start:at])
            start = at + 1
        elif char.isupper() and at > start and not word[at - 1].isupper():
            found.append(word[start:at])
            start = at
    found.append(word[start:])
    return [part.casefold() for part in found if part]
