"""Whether two texts say the same thing, or only nearly.

What differs in a number, a path, a name of code, an address or a "not" is another fact, however alike the words are
(docs/knowledge.md): a text kept twice costs a line, two facts made one cost a fact.
"""

from __future__ import annotations

from functools import lru_cache

from belay.core import plain_text, terms
from belay.core.tuples import NamedTuple

JACCARD = 0.6
"""Share of the informative stems of both that two texts have in common, at least (docs/knowledge.md)."""
REPEATED = 3
"""Informative stems that texts share to count as repeated; two do where the words are the same: "let's do it" is said
on any two days, and says nothing (docs/review.md)."""
_QUOTES = "\"'“”‘’«»[]{}|"
_ENDS = ".,:;?!…)"
_NOT = terms.NEGATIONS | frozenset(
    "nothing nobody nowhere hardly barely only before after above below under over off down out less more last least "
    "most min max minimum maximum".split()
)
"""Small words that turn a statement round."""
_NEVER = frozenset("not never no none nothing nobody nowhere neither nor cannot".split())
"""Small words that turn a statement round to the same effect."""
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
_ORDERING = frozenset(
    "not never no instead rather over than before after from to into onto with by without until above below".split()
)
"""Words that say which of two things is which: where one stands, what both texts share must stand in one order."""
_CHOOSING = frozenset("use uses using prefer choose pick adopt with via over than".split())
"""Words before what was chosen: redis and memcached are no two words for one thing, even in small letters."""
_PREFIXES = ("", "un", "dis", "non", "de", "en", "in", "im", "ex", "out", "up", "down", "a", "over", "under")
_ROOT_CHARS = 3
"""Letters that two words share behind different prefixes to be taken for opposites: enable, disable."""
_OPPOSITES = frozenset(
    frozenset(map(terms.stem, pair.split("/")))
    for pair in "add/remove allow/deny allow/forbid permit/forbid create/delete start/stop open/close accept/reject "
    "show/hide read/write push/pull grant/revoke public/private true/false old/new first/last left/right high/low "
    "fast/slow early/late client/server sender/receiver pass/fail always/sometimes attach/detach".split()
)  # fmt: skip
"""Words that say the contrary in the same place."""
_SPELLED = {"dont": "don't", "doesnt": "doesn't", "cant": "can't", "wont": "won't", "cannot": "can't"}


class Said(NamedTuple):
    """What is compared of a text: its words, numbers and names in their order, its negations, written names, stems."""

    words: str
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    turns: frozenset[str]
    written: frozenset[str]
    plain: frozenset[str]
    stems: tuple[str, ...]


@lru_cache(maxsize=1024)  # a text that is taken in is compared several times
def said(text: str) -> Said:
    """Return what is compared of a text."""
    numbers, names, turns, written, plain = [], [], set(), set(), set()
    ticked, chosen, before = False, False, ""
    for at, chunk in enumerate(text.split()):
        word = _core(chunk)
        low = word.casefold().replace("’", "'")
        plain.add(low)
        if chosen and low not in terms.STOP:
            written.add(low)
        chosen = low in _CHOOSING or (chosen and low in terms.STOP)
        turn = _turn(low)
        if any(char.isdigit() for char in word) or low in _NUMBERS:
            numbers.append(word)
        elif low in _ORDINALS and not (low == "second" and before[:1].isdigit()):
            numbers.append(_ORDINALS[low])
        elif ticked or "`" in chunk or _is_name(word):
            names.append(word.strip("`"))
        elif turn:
            turns.add(turn)
        elif (word.isupper() and len(word) > 1) or (at and word[:1].isupper()):
            written.add(low)
        before = word
        ticked ^= chunk.count("`") % 2 == 1
    stems = tuple(terms.informative(text))
    return Said(
        plain_text.key(text), tuple(numbers), tuple(names), frozenset(turns), frozenset(written),
        frozenset(plain), stems,
    )  # fmt: skip


def _core(chunk: str) -> str:
    """Return a chunk without quotes, brackets and the ends of sentences around it; `--force`, `C++`, `f()` stay."""
    word = chunk.replace("`", "").strip(_QUOTES)
    while word and word[-1] in _ENDS and not (word[-1] == ")" and "(" in word[1:]):
        word = word[:-1].rstrip(_QUOTES)
    return (word[1:] if word[:1] == "(" else word).strip(_QUOTES + "*")


def _turn(low: str) -> str:
    low = _SPELLED.get(low, low)
    return "not" if low.endswith("n't") else low if low in _NOT else ""


def _is_name(word: str) -> bool:
    """Whether a word is a path, an address, a name of code, a flag, a sign, "b" as in "option b": no mere word."""
    if len(word) == 1 and word.isascii() and word.casefold() not in ("a", "i"):
        return word not in "-*&"
    if not word.replace("'", "").replace("’", "").isalpha():
        return bool(word.strip("-–—→•·&"))
    return any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)


def agree(one: Said, other: Said) -> bool:
    """Whether two texts say the same: see `same`."""
    if not _fixed(one, other):
        return False
    if one.words == other.words:
        return True
    return _share(one, other) >= JACCARD and _ordered(one, other) and not _opposed(one, other)


def _fixed(one: Said, other: Said) -> bool:
    """Whether two texts agree in numbers, names and negations; what is named in plain letters must stand in both."""
    exact = (one.numbers, one.names, one.turns) == (other.numbers, other.names, other.turns)
    return exact and one.written <= other.plain and other.written <= one.plain


def _share(one: Said, other: Said) -> float:
    both = len(set(one.stems).intersection(other.stems))
    return both / (len(one.stems) + len(other.stems) - both) if both else 0.0


def _ordered(one: Said, other: Said) -> bool:
    if not (one.plain | other.plain) & _ORDERING and "not" not in one.turns:
        return True
    both = set(one.stems) & set(other.stems)
    return [word for word in one.stems if word in both] == [word for word in other.stems if word in both]


def _opposed(one: Said, other: Said) -> bool:
    """Whether a word of one text is the opposite of a word that only the other has."""
    mine = {terms.stem(word) for word in one.plain - other.plain}
    theirs = {terms.stem(word) for word in other.plain - one.plain}
    return any(_opposites(word, against) for word in mine - theirs for against in theirs - mine)


def _opposites(word: str, against: str) -> bool:
    return {word, against} in _OPPOSITES or not _roots(word).isdisjoint(_roots(against))


def _roots(word: str) -> set[str]:
    return {
        word[len(prefix) :]
        for prefix in _PREFIXES
        if word.startswith(prefix) and len(word) - len(prefix) >= _ROOT_CHARS
    }


def repeats(one: Said, other: Said) -> bool:
    """Whether two texts that were said on different days repeat a fact: they say the same, and they say something."""
    shared = len(set(one.stems).intersection(other.stems))
    return shared >= REPEATED - (one.words == other.words) and agree(one, other)


def same(one: str, other: str) -> bool:
    """Whether two texts of one type say the same thing.

    Jaccard of their informative stems at least JACCARD, and equal numbers, paths, names of code, addresses and
    negations, those of a kind in the same order.
    """
    return agree(said(one), said(other))


def echoes(one: str, other: str) -> bool:
    """Whether who was told one text need not be told the other (docs/recall.md): nearly its words, and no contrary.

    Numbers are the same; "not" and "never" say one thing; a name that stands in one alone says more, not another thing.
    """
    mine, theirs = said(one), said(other)
    if (
        _share(mine, theirs) < JACCARD
        or _counted(mine) != _counted(theirs)
        or _turned(mine) != _turned(theirs)
    ):
        return False
    named, written = _apart(_named(mine), _named(theirs)), _apart(mine.written, theirs.written)
    return not (named or written or _opposed(mine, theirs)) and _ordered(mine, theirs)


def _counted(text: Said) -> list[str]:
    return sorted(number for number in text.numbers if "/" not in number)


def _named(text: Said) -> frozenset[str]:
    return frozenset((*text.names, *(number for number in text.numbers if "/" in number)))


def _turned(text: Said) -> frozenset[str]:
    return frozenset("not" if turn in _NEVER else turn for turn in text.turns)


def _apart(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether each has a name that the other lacks."""
    return bool(mine - theirs) and bool(theirs - mine)


def exact(one: str, other: str) -> bool:
    """Whether two texts are the same words, but for case, blanks and punctuation that means nothing."""
    return identity(one) == identity(other)


def identity(text: str) -> str:
    """Return what two texts share if and only if `exact` finds them the same: an entry's id is made of it."""
    one = said(text)
    return "\n".join((one.words, *one.numbers, "", *one.names)) if one.numbers or one.names else one.words


def jaccard(one: str, other: str) -> float:
    """Return the share of informative stems that two texts have in common, 0 to 1."""
    return _share(said(one), said(other))
