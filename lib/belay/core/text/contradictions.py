"""When what is said later contradicts what was said on another day: `corrections` with less faith in a bare sign.

In one session "No, …" takes back what was said just before; weeks later it is about something else. So a text must name
what it rejects, or say that the mind was changed, or give another value for exactly the same thing.
"""

from __future__ import annotations

from belay.core.text import corrections, duplicates, statements, word_forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.core.text.statements import Statement

REPEATING = (
    "as i said", "like i said", "as i told you", "i told you", "as said", "as decided", "as we decided", "as agreed",
    "as we agreed", "as discussed", "as we discussed", "as before", "as mentioned", "as i mentioned", "again",
    "i said", "we said", "we agreed", "we decided", "once more", "to repeat", "as already said", "as i already said",
)  # fmt: skip
"""Beginnings and ends that say that something was said before."""
CHANGING = ("after all", "instead", "changed my mind", "change of plan", "change of plans", "on second thought",
            "on second thoughts", "switch to", "switching to", "switch over to", "move to", "moving to", "migrate to",
            "migrating to", "scratch that", "forget that")  # fmt: skip
"""Phrases that say that something else was meant before."""
_VALUE_BEFORE = frozenset(
    "is are be was to at of = most least than under over below above within every max maximum min minimum "
    "limit timeout port size width length ttl interval threshold use using keep set allow want need".split()
)
"""Words before a number that is the value of a thing, and not part of its name: "limit is 5", not "phase 5"."""
_NAMED = frozenset("is are was needs need has have does do can must should will".split())
"""Words behind a number that names a thing: "the answer to 1 is yes"."""
_SETTING = frozenset(
    map(word_forms.root, "set make change raise lower increase decrease reduce bump keep use want need".split())
)
"""Verbs that give a thing its value: "raise the limit to 5" is about the limit."""
_MEASURES = (
    frozenset(map(word_forms.root, ("kb", "mb", "gb"))),
    frozenset(map(word_forms.root, ("millisecond", "second", "minute", "hour", "day", "week"))),
)
_BROUGHT = 1
"""Words of its own that a text may bring which only names what it rejects: "not Fastify, Express"."""


def contradicts(new: str, old: str) -> bool:
    """Whether a text contradicts what was said on another day, so that this does not hold any more."""
    if duplicates.same(new, old):
        return False
    mine, theirs = statements.read(new), statements.read(duplicates.core(old))
    if corrections.rejects(mine, theirs):
        short = theirs.keys - mine.keys or len(theirs.keys) > 1 or len(mine.keys - theirs.keys) <= _BROUGHT
        return bool(short) and corrections.fit(new, duplicates.core(old)) == corrections.FULL
    return _gives_other_value(mine, theirs)


def changes_mind(text: str) -> bool:
    """Whether a text says that something else was meant before: "use MySQL after all"."""
    return _has_phrase(text, CHANGING)


def without_repeating(text: str) -> str:
    """Return a text without the words that say that it was said before ("As I said, …"); "" where it has none."""
    words = text.split()
    bare = [word.strip(",.;:!…-–—()").casefold().replace("’", "'") for word in words]
    for parts in sorted(map(str.split, REPEATING), key=len, reverse=True):
        rest = len(words) - len(parts)
        if bare[: len(parts)] == parts and _is_set_off(parts, words[: len(parts)]):
            return " ".join(words[len(parts) :]).lstrip("-–—:, ")
        if rest > 0 and bare[rest:] == parts and _is_set_off(parts, words[:rest]):
            return " ".join(words[:rest]).rstrip("-–—:, (")
    return ""


def _is_set_off(parts: list[str], before: list[str]) -> bool:
    """Whether a phrase is no part of the sentence: one word alone needs a mark, "again: …" but not "again and …"."""
    return len(parts) > 1 or before[-1][-1:] in ",;:—–-"


def _has_phrase(text: str, phrases: tuple[str, ...]) -> bool:
    flat = " ".join(word.strip(",.;:!…-–—()").casefold().replace("’", "'") for word in text.split())
    return any(f" {phrase} " in f" {flat} " for phrase in phrases)


def _gives_other_value(mine: Statement, theirs: Statement) -> bool:
    """Whether two texts say the same of one thing but for one number, which is a value in both."""
    if len(theirs.numbers) != 1 or sorted(mine.turns) != sorted(theirs.turns) or not _has_one_value(mine, theirs):
        return False
    topic, other = ({*told.keys} - {*told.numbers} - _SETTING for told in (mine, theirs))
    units, others = ({key for key in keys if corrections.is_unit(key)} for keys in (topic, other))
    if not topic - units or topic - units != other - others or not _is_one_measure(units, others):
        return False
    return all(_is_value(told) for told in (mine, theirs))


def _has_one_value(mine: Statement, theirs: Statement) -> bool:
    """Whether a text gives one number that another does not: "500", or "from 200 to 500" where that says 200."""
    given = [number for number in mine.numbers if number not in theirs.numbers]
    is_change = "from" in mine.objects and set(mine.numbers) - set(given) == set(theirs.numbers)
    return len(given) == 1 and (len(mine.numbers) == 1 or (is_change and len(mine.numbers) == 2))


def _is_one_measure(units: set[str], others: set[str]) -> bool:
    """Whether two values are of one measure: MB and GB are, days and times are not."""
    return units == others or any(units and others and units | others <= kind for kind in _MEASURES)


def _is_value(told: Statement) -> bool:
    """Whether the one number of a text stands where a value stands."""
    words = [word.strip(",.;!()`\"'").casefold() for word in told.text.replace("=", " = ").split()]
    for at, word in enumerate(words):
        if word.rstrip(":")[:1].isdigit() and at:
            before, after = words[at - 1], words[at + 1 : at + 2]
            is_value = before in _VALUE_BEFORE or before.endswith(":") or _is_unit(after)
            return is_value and before != "by" and _NAMED.isdisjoint(after)
    return False


def _is_unit(after: list[str]) -> bool:
    return bool(after) and corrections.is_unit(word_forms.root(after[0]))
