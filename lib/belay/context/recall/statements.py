"""What lines say, so that no fact is told twice in a session: rows of the memory and entries compared."""

from __future__ import annotations

from belay.core import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.knowledge.entries.hook_reader import RecalledEntry

    Statement = tuple[str, frozenset[str], bool]  # what a line says, its stems, whether it is a row of the memory

NEAR = 0.6
"""Share of informative stems in common, at least, from which two lines are compared (docs/recall.md)."""


def read_entry(entry: RecalledEntry) -> Statement:
    return entry.line, frozenset(terms.informative(entry.line)), False


def read_line(line: str, is_row: bool = False) -> Statement:
    """Return what a line says, without "Gotcha `a.py`: " before it; of a row of the memory without its date."""
    text = line.partition(": ")[2] or line
    if is_row and text[:4].isdigit() and text[4:8:3] == "--":
        text = text[10:].lstrip()
    return text, frozenset(terms.informative(text)), is_row


def repeats(line: Statement, said: list[Statement]) -> bool:
    """Whether a line says what was said; `duplicates`, which judges, is loaded for what shares most words."""
    return any(_keeps_same(line, other) if line[2] != other[2] else _is_same(line, other) for other in said)


def _is_same(one: Statement, other: Statement) -> bool:
    return len(one[1] & other[1]) >= NEAR * len(one[1] | other[1]) > 0 and _states_same(one[0], other[0])


def _states_same(text: str, other: str) -> bool:
    from belay.core.text import duplicates

    return duplicates.covers(other, text) or duplicates.covers(text, other)


def _keeps_same(one: Statement, other: Statement) -> bool:
    """Whether a row of the memory and an entry keep one fact, each with a reason or files of its own behind it."""
    from belay.knowledge.entries import states

    text, held = (statement[0].partition(" (")[0].partition(states.WHY)[0] for statement in (one, other))
    mine, theirs = set(terms.informative(text)), set(terms.informative(held))
    if not len(mine & theirs) >= NEAR * min(len(mine), len(theirs)) > 0:
        return False
    from belay.core.text import duplicates

    return _states_same(text, held) or duplicates.extends(text, held) or duplicates.extends(held, text)
