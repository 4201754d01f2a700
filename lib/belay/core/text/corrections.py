"""When what is said now takes the place of what was said before: the one place that decides it (docs/duplicates.md).

A text replaces an earlier one where it repeats it and says no less, or where it gives a sign that it corrects ("no,",
"instead", "actually", "not 3") and speaks of the same subject. Without a sign both stay, however alike they are.
"""

from __future__ import annotations

from belay.core.text import duplicates, statements, word_forms
from belay.core.text.statements import Statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_STRONG = (
    "no", "nope", "wrong", "correction", "instead", "scratch that", "forget that", "i meant", "change of plan",
    "change of plans", "i changed my mind", "changed my mind", "on second thought", "on second thoughts", "no wait",
    "no sorry", "wait no", "no actually", "actually no", "oh no", "sorry no",
)  # fmt: skip
"""Beginnings that take back what was said."""
_WEAK = (
    "actually",
    "wait",
    "sorry",
    "rather",
    "hm actually",
    "wait actually",
    "sorry actually",
    "oh actually",
)
"""Beginnings that may take something back, or only open a sentence."""
_COMMA = frozenset(("no", "nope", "wrong", "correction", "instead", "rather", "wait", "sorry"))
"""Those of one word that need a mark behind them: "No tests on Fridays" takes nothing back."""
_REJECTING = ("not", "never", "instead", "over")
"""Small words before what is rejected: "5, not 3"."""
_CHOOSING = word_forms.CHOOSING | {"let's", "lets", "make", "set", "put", "keep"}
"""Verbs before what is chosen: the word behind is a value, and not what the sentence is about."""
_SUBJECT_WORDS = 3
_fits: dict[tuple[str, str], int] = {}
"""What `fit` returned for two texts: a hook folds its newest captures several times."""
_FITS_KEPT = 4096
FULL, BRIEF = 2, 1
"""A correction that names all of its subject, and one that names a part: that one replaces the latest fit alone."""


def replaced(new: str, earlier: Mapping[str, str]) -> list[str]:
    """Return the names of the earlier texts (the oldest first) that a new one takes the place of."""
    if len(_fits) > _FITS_KEPT:
        _fits.clear()
    said = _sign(new)
    for text in earlier.values():
        if (new, text) not in _fits:
            _fits[new, text] = _fit(new, text, *said)
    fits = {name: _fits[new, text] for name, text in earlier.items()}
    latest = [name for name, how in fits.items() if how][-1:]
    return [name for name, how in fits.items() if how == FULL or (how and name in latest)]


def fit(new: str, old: str) -> int:
    """Return whether a text replaces an earlier one: FULL, BRIEF or 0."""
    return _fit(new, old, *_sign(new))


def _fit(new: str, old: str, sign: str, rest: str) -> int:
    """Return the same for a text whose beginning was read (`_sign`)."""
    if duplicates.same(new, old):
        return 0 if duplicates.says_more(old, new) else FULL
    mine, theirs = statements.read(rest), statements.read(old)
    rejected = _newly_rejected(mine, theirs)
    if rejected:
        return _named(mine, theirs, rejected) if rejected & theirs.keys else 0
    if "instead" in mine.turns and "instead" not in theirs.turns and not mine.objects.get("instead"):
        sign = "strong"
    return _signed(mine, theirs, sign, rest) if sign else 0


def _sign(text: str) -> tuple[str, str]:
    """Return how strongly a text's beginning takes something back ("strong", "weak", ""), and what follows it."""
    words = text.split()
    for count in range(min(4, len(words) - 1), 0, -1):
        told = " ".join(word.strip(",.;:!…-–—").casefold() for word in words[:count]).replace("  ", " ").strip()
        if count == 1 and told in _COMMA and words[0][-1:] not in ",.;:!…-–—" and words[1] not in ("-", "–", "—"):
            continue
        if told in _STRONG or told in _WEAK:
            return "strong" if told in _STRONG else "weak", " ".join(words[count:]).lstrip("-–— ")
    return "", text


def rejects(mine: Statement, theirs: Statement) -> bool:
    """Whether a text names something that another says, and rejects it: "not Fastify" after "use Fastify"."""
    return bool(_newly_rejected(mine, theirs) & theirs.keys)


def _newly_rejected(mine: Statement, theirs: Statement) -> set[str]:
    return _rejected(mine) - _rejected(theirs) if _turned(mine) > _turned(theirs) else set()


def is_unit(key: str) -> bool:
    """Whether the root of a word is a unit of numbers."""
    return key in _UNITS


def _rejected(told: Statement) -> set[str]:
    return {_key(word) for head in _REJECTING for word in told.objects.get(head, ())}


def _key(word: str) -> str:
    """Return the key of a word that is governed; a name in camel case is governed as it is written."""
    return word_forms.root(word) if word_forms.is_camel(word) else word


def _turned(told: Statement) -> int:
    """Return how often a text rejects something: one that does so no oftener than an earlier one turns nothing back."""
    return sum(turn in _REJECTING for turn in told.turns)


def _named(mine: Statement, theirs: Statement, rejected: set[str]) -> int:
    """Return the fit of a text that names what it rejects: "5 retries, not 3", "don't commit the lock file"."""
    kept = theirs.keys - rejected
    brought = mine.keys - theirs.keys
    instead = {
        word for head, words in theirs.objects.items() if words & rejected for word in mine.objects.get(head, ())
    }
    if (brought & _scoped(mine)) - instead:
        return 0
    if kept <= mine.keys:
        return FULL
    counts = all(map(_is_count, (*brought, *(rejected & theirs.keys))))
    return BRIEF if kept & mine.keys and counts else 0


def _signed(mine: Statement, theirs: Statement, sign: str, text: str) -> int:
    """Return the fit of a text that begins with a sign: one value stands for another, the rest is the same."""
    gone, brought = theirs.keys - mine.keys, mine.keys - theirs.keys
    if not mine.keys & theirs.keys:
        return 0
    if not brought and not gone:
        return FULL
    if brought and all(map(_is_count, brought)):
        if all(map(_is_count, gone)):
            return FULL if gone else 0
        return BRIEF if len(theirs.numbers) == 1 and theirs.numbers[0] in gone else 0
    if len(gone) != 1 or len(brought) != 1 or _is_subject(mine, theirs, gone | brought, text):
        return 0
    unsure = (gone & _scoped(theirs)) | (brought & _scoped(mine)) or word_forms.NEGATED & {*mine.turns}
    return FULL if sign == "strong" or not unsure else 0


def _is_count(key: str) -> bool:
    """Whether a key is a number or a unit."""
    return key[:1].isdigit() or key in _UNITS


_UNITS = frozenset(
    map(word_forms.root, ("second", "minute", "hour", "day", "week", "millisecond", "times", "kb", "mb", "gb"))
)


def _scoped(told: Statement) -> set[str]:
    """Return the words that say where or when something holds; numbers say how much."""
    words = {word for head in word_forms.SCOPES for word in told.objects.get(head, ())}
    return {word for word in words if not _is_count(word)}


def _is_subject(mine: Statement, theirs: Statement, changed: frozenset[str], text: str) -> bool:
    """Whether what changed is what the sentences are about: another subject is another fact."""
    if not _CHOOSING.isdisjoint(text.casefold().split()[:_SUBJECT_WORDS]):
        return False
    first = {word_forms.root(told.words[0]) for told in (mine, theirs) if told.words}
    return first <= changed
