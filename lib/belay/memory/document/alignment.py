"""Which units of changed versions are the same one, and in which order two versions' units stand together."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from belay.core.plain_text import words
from belay.memory.document.units import Unit

SIMILAR = 0.5
"""Share of common words from which a merge pairs an item with one of the older version: it may have been reworded.

No fact is dropped by it, so it is no measure of sameness (`core.text.duplicates`)."""
_MOST_COMPARED = 200
Id = tuple[str, int]
Class = Callable[[Id], tuple[str, int]]


def merge_order(ours: list[Id], theirs: list[Id], class_of: Class) -> list[Id]:
    """Return both sides' ids: ours in our order, each of theirs behind what it stands behind and our new ones there.

    `class_of` gives what a new one may stand behind, and how deep it lies.
    """
    at = {one: number for number, one in enumerate(ours)}
    other, behind = set(theirs), 0
    slots: dict[int, list[Id]] = {}
    for one in theirs:
        if one in at:
            behind = at[one] + 1
            continue
        kind, depth = class_of(one)
        while behind < len(ours) and ours[behind] not in other and _may_follow(class_of(ours[behind]), kind, depth):
            behind += 1
        slots.setdefault(behind, []).append(one)
    return [one for number in range(len(ours) + 1) for one in (*slots.get(number, ()), *ours[number : number + 1])]


def _may_follow(there: tuple[str, int], kind: str, depth: int) -> bool:
    """Whether a new one may stand behind what is there: of one class, and not below something it lies in."""
    return there[0] == kind and there[1] >= depth


def match_units(base: list[Unit], ours: list[Unit], theirs: list[Unit]) -> tuple[dict[Id, Unit], dict[Id, Unit]]:
    """Return both sides' units by an id: that of the base's unit they come from, one of their own for new ones."""
    mine = {
        ("o", at) if at >= 0 else ("a", number): ours[number] for number, at in enumerate(_match_to_base(base, ours))
    }
    added: dict[Hashable, list[Id]] = {}
    for one, unit in mine.items():
        if one[0] == "a":
            for sign in _identity_keys(unit):
                added.setdefault(sign, []).append(one)
    other: dict[Id, Unit] = {}
    for number, at in enumerate(_match_to_base(base, theirs)):
        twins = (one for sign in _identity_keys(theirs[number]) for one in added.get(sign, []) if one not in other)
        own = ("o", at) if at >= 0 else next(twins, ("b", number))
        other[own] = theirs[number]
    return mine, other


def _identity_keys(unit: Unit) -> list[Hashable]:
    """Return by what an addition of both sides is one: it says the same, fills the same field, heads the same table."""
    found: list[Hashable] = [(unit.kind, unit.lines)]
    if unit.kind == "field":
        found.append((unit.kind, unit.key))
    return [*found, (unit.kind, unit.cells)] if unit.kind == "head" else found


def _match_to_base(base: list[Unit], changed: list[Unit]) -> list[int]:
    """Return for each unit the base's unit it comes from, -1 for a new one: the same, of the same key, or alike."""
    found = [-1] * len(changed)
    free = dict(enumerate(base))
    for tell in (_by_text, _by_key):
        where: dict[Hashable, list[int]] = {}
        for number, unit in free.items():
            where.setdefault(tell(unit), []).append(number)
        for number, unit in enumerate(changed):
            if found[number] < 0 and where.get(tell(unit)):
                found[number] = where[tell(unit)].pop(0)
                del free[found[number]]
    left = [number for number, at in enumerate(found) if at < 0]
    for number in left if len(left) * len(free) <= _MOST_COMPARED * _MOST_COMPARED else []:
        at = _find_most_similar(changed[number], free)
        if at >= 0:
            found[number] = at
            del free[at]
    return found


def _by_text(unit: Unit) -> Hashable:
    return unit.kind, unit.lines


def _by_key(unit: Unit) -> Hashable:
    return unit.kind, unit.key


def _find_most_similar(unit: Unit, free: dict[int, Unit]) -> int:
    rated = [(_similarity(unit, one), -at) for at, one in free.items() if one.kind == unit.kind]
    best, at = max(rated, default=(0.0, 1))
    return -at if best >= SIMILAR else -1


def _similarity(one: Unit, other: Unit) -> float:
    mine, theirs = (set(words(" ".join(unit.lines)).split()) for unit in (one, other))
    return len(mine & theirs) / max(len(mine | theirs), 1)
