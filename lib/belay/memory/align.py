"""Which units of changed versions are the same one, and in which order two versions' units stand together."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from belay.memory import units
from belay.memory.units import Unit

ALIKE = 0.5
"""Share of common words from which an item that was reworded is the same one."""
_MANY = 200
Id = tuple[str, int]
Class = Callable[[Id], tuple[str, int]]


def ordered(ours: list[Id], theirs: list[Id], class_of: Class) -> list[Id]:
    """Return both sides' ids: ours in our order, each of theirs behind what it stands behind and our new ones there.

    `class_of` gives what a new one may stand behind, and how deep it lies.
    """
    order, other = list(ours), set(theirs)
    behind = 0
    for one in theirs:
        if one in order:
            behind = order.index(one) + 1
            continue
        kind, depth = class_of(one)
        while behind < len(order) and order[behind] not in other and class_of(order[behind])[0] == kind:
            if class_of(order[behind])[1] < depth:
                break
            behind += 1
        order.insert(behind, one)
        behind += 1
    return order


def identified(
    base: list[Unit], ours: list[Unit], theirs: list[Unit]
) -> tuple[dict[Id, Unit], dict[Id, Unit]]:
    """Return both sides' units by an id: that of the base's unit they come from, one of their own for new ones."""
    mine = {
        ("o", at) if at >= 0 else ("a", number): ours[number]
        for number, at in enumerate(_aligned(base, ours))
    }
    added = {one: unit for one, unit in mine.items() if one[0] == "a"}
    other: dict[Id, Unit] = {}
    for number, at in enumerate(_aligned(base, theirs)):
        unit = theirs[number]
        twin = ("o", at) if at >= 0 else _twin(unit, added)
        added.pop(twin or ("", 0), None)
        other[twin or ("b", number)] = unit
    return mine, other


def _twin(unit: Unit, added: dict[Id, Unit]) -> Id | None:
    """Return the addition of the other side that says the same, or fills the same field."""
    same = [one for one, mine in added.items() if mine.kind == unit.kind and mine.lines == unit.lines]
    fields = [
        one for one, mine in added.items() if mine.kind == unit.kind == "field" and mine.key == unit.key
    ]
    heads = [
        one for one, mine in added.items() if mine.kind == unit.kind == "head" and mine.cells == unit.cells
    ]
    return next(iter([*same, *fields, *heads]), None)


def _aligned(base: list[Unit], changed: list[Unit]) -> list[int]:
    """Return for each unit the base's unit it comes from, -1 for a new one: the same, of the same key, or alike."""
    found = [-1] * len(changed)
    free = dict(enumerate(base))
    for tell in (_exactly, _by_key):
        where: dict[Hashable, list[int]] = {}
        for number, unit in free.items():
            where.setdefault(tell(unit), []).append(number)
        for number, unit in enumerate(changed):
            if found[number] < 0 and where.get(tell(unit)):
                found[number] = where[tell(unit)].pop(0)
                del free[found[number]]
    left = [number for number, at in enumerate(found) if at < 0]
    for number in left if len(left) * len(free) <= _MANY * _MANY else []:
        at = _likest(changed[number], free)
        if at >= 0:
            found[number] = at
            del free[at]
    return found


def _exactly(unit: Unit) -> Hashable:
    return unit.kind, unit.lines


def _by_key(unit: Unit) -> Hashable:
    return unit.kind, unit.key


def _likest(unit: Unit, free: dict[int, Unit]) -> int:
    rated = [(_likeness(unit, one), -at) for at, one in free.items() if one.kind == unit.kind]
    best, at = max(rated, default=(0.0, 1))
    return -at if best >= ALIKE else -1


def _likeness(one: Unit, other: Unit) -> float:
    mine, theirs = (set(units.words(" ".join(unit.lines)).split()) for unit in (one, other))
    return len(mine & theirs) / max(len(mine | theirs), 1)
