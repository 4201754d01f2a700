"""Whether two texts state the same fact: the one place that decides it (docs/duplicates.md).

Two texts state different facts where each has a telling word that the other lacks, or where they differ in a number, a
name, a negation or another small word that turns a statement. So a fact that is kept twice costs a line; two facts made
one would cost a fact. `same` is for what is merged, `covers` for what need not be said or offered again, `replaces` for
a correction that takes the place of what was said before.
"""

from __future__ import annotations

from belay.core.text import statements, word_forms
from belay.core.text.statements import Statement, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    Row = TypeVar("Row")

_TURNED_MOST = 64
REPEATED = 3
"""Telling words of a text that counts when it is said again; two are enough where the wording is the same."""
_REASONS = ("because", "due to", "so that", "since it", "since they", "since we", "as it", "as they", "as we")
"""Words that begin a reason: a text that only adds one states the same fact."""


def same(one: str, other: str) -> bool:
    """Whether two texts state the same fact; one of them may add its reason."""
    if wording(one) == wording(other):
        return True
    if _agree(statements.read(one), statements.read(other)):
        return True
    (mine, why), (theirs, reason) = _reasoned(one), _reasoned(other)
    return bool(why) != bool(reason) and _agree(statements.read(mine), statements.read(theirs))


def says_more(one: str, other: str) -> bool:
    """Whether of two texts that state the same fact the first gives a reason that the other does not."""
    return bool(_reasoned(one)[1]) and not _reasoned(other)[1]


def covers(held: str, said: str) -> bool:
    """Whether who was told one text need not be told the other: it states that, and names a file or function besides.

    Not and never turn a statement to the same effect. A name behind "in" or "for" narrows a statement: it states less.
    """
    mine, theirs = statements.read(held), statements.read(said)
    more, less = _unmatched(mine, theirs)
    narrowed = {word for head in word_forms.SCOPES for word in mine.objects.get(head, ())}
    named = all(word in mine.names and word not in narrowed for word in more)
    return same(held, said) or (named and not less and _extends(mine, theirs))


def extends(longer: str, shorter: str) -> bool:
    """Whether a text has all that another has, and more: close enough for a person to be asked, not to be merged."""
    mine, theirs = statements.read(longer), statements.read(shorter)
    more, less = _unmatched(mine, theirs)
    return not less and word_forms.REVERSING.isdisjoint(map(word_forms.root, more)) and _extends(mine, theirs)


def _extends(mine: Statement, theirs: Statement) -> bool:
    if not theirs.keys & mine.keys or not _counts(theirs.numbers, mine.numbers):
        return False
    return _polarity(mine) == _polarity(theirs) and not _conflict(mine, theirs) and _ordered(mine, theirs)


def overlap(one: str, other: str) -> float:
    """Return the share of telling words that two texts have in common, 0 to 1: to find candidates, not to decide."""
    mine, theirs = statements.read(one).keys, statements.read(other).keys
    return len(mine & theirs) / len(mine | theirs)


def keys(text: str) -> frozenset[str]:
    """Return the keys of a text without its reason: what covers it has them all."""
    return statements.read(core(text)).keys


def core(text: str) -> str:
    """Return a text without its reason."""
    return _reasoned(text)[0]


def marks(text: str) -> frozenset[object]:
    """Return what a text is kept under where many are compared: two that are the `same` share a mark."""
    return frozenset((wording(text), statements.read(text).keys, keys(text)))


def repeats(one: str, other: str) -> bool:
    """Whether two texts of different days repeat a fact: they are the same, and they say something.

    "Let's do it" is said on any two days (docs/review.md).
    """
    if not statements.read(one).words:
        return False
    shared = len(statements.read(one).keys & statements.read(other).keys)
    shared += not word_forms.CHOOSING.isdisjoint(one.casefold().split())
    return shared >= REPEATED - (wording(one) == wording(other)) and same(one, other)


def distinct(rows: Iterable[Row], text: Callable[[Row], str]) -> list[Row]:
    """Return the rows without those whose text has the wording of an earlier one."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(wording(text(row)), row)
    return list(found.values())


def _reasoned(text: str) -> tuple[str, str]:
    """Return a text without its reason, and the reason; "" for none."""
    low = text.lower()
    if len(low) != len(text):  # a letter whose small form is longer: places would not agree
        return text, ""
    for mark in _REASONS:
        at = low.find(f" {mark} ")
        if at > 0 and "`" not in text[at:]:
            return text[:at].rstrip(" ,;—–-("), text[at:].strip()
    return text, ""


def _agree(one: Statement, other: Statement) -> bool:
    """Whether two statements have the same telling words, numbers and turns, and nothing that speaks against it."""
    if one.keys != other.keys or not (one.words or one.names or one.numbers):
        return False
    if sorted(one.numbers) != sorted(other.numbers):
        return False
    if sorted(one.turns) != sorted(other.turns) or any(_unmatched(one, other)):
        return False
    return not _conflict(one, other) and _ordered(one, other) and _single(one, other)


def _unmatched(one: Statement, other: Statement) -> tuple[list[str], list[str]]:
    """Return the words and names of each that the other has in no form."""
    mine, theirs = {*one.words, *one.names}, {*other.words, *other.names}
    left, right = _left(mine - theirs, theirs), _left(theirs - mine, mine)
    return left, right


def _left(words: Iterable[str], others: set[str]) -> list[str]:
    words = [*words]
    if not words:
        return words
    known = {base for other in others for base in _forms(other)}
    return [word for word in words if known.isdisjoint(_sought(word))]


def _forms(word: str) -> Iterable[str]:
    """Return under what a word is known: GitHub also in small letters, but not as Github."""
    if word_forms.is_camel(word):
        return word, "~" + word.casefold()
    return word_forms.bases(word)


def _sought(word: str) -> Iterable[str]:
    if word_forms.is_camel(word):
        return word, word.casefold()
    return *word_forms.bases(word), "~" + word


def _conflict(one: Statement, other: Statement) -> bool:
    """Whether the words that both have belong together in another way: from A to B is not from B to A."""
    for head in one.objects.keys() & other.objects.keys():
        mine, theirs = one.objects[head], other.objects[head]
        if not (mine <= theirs or theirs <= mine):
            return True
    left, right = _governors(one), _governors(other)
    if any(left[word].isdisjoint(right[word]) for word in left.keys() & right.keys()):
        return True
    leanings = ((one.leaning & group, other.leaning & group) for group in word_forms.APART)
    return any(left and right and left.isdisjoint(right) for left, right in leanings) or _misplaced(one, other)


def _governors(told: Statement) -> dict[str, set[str]]:
    """Return word → the small words that govern it; those that say a place are one."""
    found: dict[str, set[str]] = {}
    for head, words in told.objects.items():
        for word in words if head not in word_forms.TURNING and head != "have" else ():
            found.setdefault(word, set()).add("in" if head in word_forms.PLACES else head)
    return found


def _misplaced(one: Statement, other: Statement) -> bool:
    """Whether a number or name stands beside other words: 3 times in 5 seconds is not 5 times in 3 seconds."""
    if len(one.near) < 2 or len(other.near) < 2:
        return False
    both = ((one.near[value], other.near[value]) for value in one.near.keys() & other.near.keys())
    return any(mine and theirs and mine.isdisjoint(theirs) for mine, theirs in both)


def _ordered(one: Statement, other: Statement) -> bool:
    """Whether words stand in one order where no small word tells what belongs to what; a report is no order."""
    first, second = (word_forms.bases(told.opening or "".join(told.words[:1])) for told in (one, other))
    if bool(one.opening) != bool(other.opening) and not first.isdisjoint(second) and first != second:
        return False
    mine, theirs = ([pair for clause in told.clauses for pair in clause] for told in (one, other))
    if one.foreign or other.foreign:
        both = {key for key, _ in mine} & {key for key, _ in theirs}
        left, right = ([key for key, _ in pairs if key in both] for pairs in (mine, theirs))
        return left == right
    ours, others = _clauses(one), _clauses(other)
    if len(ours) == len(others) > 1:
        if [keys for keys, _ in ours] != [keys for keys, _ in others]:
            return [key for key, _ in mine] == [key for key, _ in theirs]
        return all(_turned(left, right) for (_, left), (_, right) in zip(ours, others, strict=True))
    return _turned(mine, theirs, strict=one.sequenced or other.sequenced)


def _clauses(told: Statement) -> list[tuple[list[str], list[tuple[str, bool]]]]:
    """Return the clauses of two keys and more, those of one joined to the one before, each with its sorted keys."""
    found: list[list[tuple[str, bool]]] = []
    for clause in told.clauses:
        if found and (len(clause) < 2 or len(found[-1]) < 2):
            found[-1] = [*found[-1], *clause]
        elif clause:
            found.append(clause)
    return sorted((sorted({key for key, _ in clause}), clause) for clause in found)


def _turned(one: list[tuple[str, bool]], other: list[tuple[str, bool]], strict: bool = False) -> bool:
    """Whether two orders of keys differ at most in what is put first: what a small word governs may stand anywhere."""
    loose = {key for key, governed in (*one, *other) if governed}
    both = {key for key, _ in one} & {key for key, _ in other} - loose
    left, right = ([key for key, _ in pairs if key in both] for pairs in (one, other))
    if len(left) != len(right):
        left, right = list(dict.fromkeys(left)), list(dict.fromkeys(right))
    if strict or len(left) > _TURNED_MOST:
        return left == right
    return left == right or any(left[at:] + left[:at] == right for at in range(1, len(left)))


def _single(one: Statement, other: Statement) -> bool:
    """Whether "one" stands where the other text has an article or "one": the number is meant where it has neither."""
    return one.single <= other.articles and other.single <= one.articles


def _counts(few: list[str], many: list[str]) -> bool:
    return all(few.count(number) <= many.count(number) for number in set(few))


def _polarity(told: Statement) -> list[str]:
    """Return the turns of a statement; not and never turn it to the same effect."""
    return sorted("not" if turn in word_forms.NEGATED else turn for turn in told.turns)
