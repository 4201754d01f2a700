"""Where two levels contradict each other: another number, another product for the same job, the opposite."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.core.plain_text import key, shown
from belay.core.text import contradictions, statements
from belay.memory.drift import stack
from belay.places import hierarchy as tree
from belay.places.checks.findings import CONTRADICTION, Finding
from belay.places.checks.memory_texts import is_above, list_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.checks.memory_texts import MemoryText, Statement

SHARED_KEYS = 2
MOST_PAIRS = 20_000
_LABEL = re.compile(r"^\W{0,4}([A-Za-z][\w /&-]{1,38}?)\W{0,4}:\W{0,4}\s(.+)$")
_HISTORY = re.compile(
    r"\b(?:was|were|formerly|previously|no longer|replaced|migrated|used to|legacy|old|deprecated|except|unlike|instead"
    r"|override[sn]?|here|this (?:feature|package|module|service|folder)|unless|until|before|without|when|if)\b"
    r"|^\W*(?:✅|⏳|🔄|❌)|:\W*$",
    re.IGNORECASE,
)
"""Words of a text that speaks of another time or case, or says itself that it differs; a line that only leads on."""


_OWN = frozenset(
    "version status port ports coverage updated phase size lines files name purpose location path paths "
    "package entry owner date type role license author language".split()
)
"""Labels of what each folder has its own of."""
_COMMAND = re.compile(r"`(?:npm|pnpm|yarn|bun|make|go|cargo|pytest|uv|docker|just) ")


class _Pair(NamedTuple):
    upper: Statement
    lower: Statement


def find_contradictions(texts: list[MemoryText]) -> Iterator[Finding]:
    """Yield each statement of a memory that contradicts one of a memory above it."""
    known = [row for text in texts if text.place.level != tree.RULE for row in list_statements(text) if _counts(row)]
    seen: set[tuple[str, int]] = set()
    for upper, lower in _list_pairs(known):
        place = (lower.source.place.path, lower.line)
        why = _explain(upper.text, lower.text) if place not in seen else ""
        if why:
            seen.add(place)
            where = f"{upper.source.place.path}:{upper.line}"
            reason = f"{why}: {where} says “{shown(upper.text)}”"
            advice = "correct the one that is wrong; where the feature is an exception, say so"
            yield Finding(*place, CONTRADICTION, reason, lower.text, advice, other=where)


def _counts(row: Statement) -> bool:
    label = _LABEL.match(row.text)
    is_own = bool(label and key(label[1]) in _OWN) or bool(_COMMAND.search(row.text))
    return not is_own and not _HISTORY.search(row.text) and len(row.text) <= 400


def _list_pairs(rows: list[Statement]) -> Iterator[_Pair]:
    """Yield the statements of two levels that share enough words to be about one thing."""
    index: dict[str, list[int]] = defaultdict(list)
    pairs = 0
    for at, row in enumerate(rows):
        shared: dict[int, int] = defaultdict(int)
        for word in _keys(row):
            for other in index[word]:
                shared[other] += 1
            index[word].append(at)
        for other, count in shared.items():
            upper, lower = _order(rows[other], row)
            if upper and lower and count >= min(SHARED_KEYS, len(_keys(row))):
                pairs += 1
                if pairs > MOST_PAIRS:
                    return
                yield _Pair(upper, lower)


def _order(one: Statement, other: Statement) -> tuple[Statement | None, Statement | None]:
    """Return two statements with the one of the higher level first; (None, None) for those of no such levels."""
    if is_above(one.source.place, other.source.place):
        return one, other
    return (other, one) if is_above(other.source.place, one.source.place) else (None, None)


def _keys(row: Statement) -> frozenset[str]:
    label = _LABEL.match(row.text)
    extra = {f"label {key(label[1])}"} if label else set()
    return frozenset({*statements.read(row.text).keys, *extra} | ({f"{word} 2" for word in extra}))


def _explain(upper: str, lower: str) -> str:
    """Return how two statements contradict each other, "" where they do not."""
    if contradictions.contradicts(lower, upper) or contradictions.contradicts(upper, lower):
        return "contradicts a memory above it"
    rivals = _find_rivals(upper, lower)
    return f"names {rivals[1]} where a memory above it names {rivals[0]}" if rivals else ""


def _find_rivals(upper: str, lower: str) -> tuple[str, str] | None:
    """Return the two products of one family that two texts give the same label."""
    mine, theirs = _LABEL.match(upper), _LABEL.match(lower)
    if not mine or not theirs or key(mine[1]) != key(theirs[1]):
        return None
    above = {use.family: use.name for use in stack.find_uses(mine[2]) if use.chosen}
    below = [use for use in stack.find_uses(theirs[2]) if use.chosen and use.family in above]
    names = {use.name for use in below}
    rival = next((use for use in below if above[use.family] not in names), None)
    return (above[rival.family], rival.name) if rival else None
