"""The three-way merge of a memory file by its records: rows and items added on both sides both stay.

A conflict is only where the same record became two different things; it stands between git's usual marks. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from belay.memory.document import alignment, page, units
from belay.memory.document.page import BOM, split_lines
from belay.memory.document.units import Part, Unit

_NUMBERS = re.compile(r"\d+")


class MergeResult(NamedTuple):
    """The text, and how many records are in conflict in it."""

    text: str
    conflicts: int


def merge(base: str, ours: str, theirs: str) -> MergeResult:
    """Return two changed versions of a text as one; what one side took out and the other left alone is gone."""
    if ours == theirs or base == theirs:
        return MergeResult(ours, 0)
    if base == ours:
        return MergeResult(theirs, 0)
    newline = page.detect_newline(ours)
    mark = BOM if ours.startswith(BOM) else ""
    first, mine, other = (
        units.parse_parts(text.removeprefix(BOM)) for text in (base, ours, _with_newline(theirs, newline))
    )
    work = _Merge(first, mine, other, newline)
    text = units.render(work.parts(), newline)
    return MergeResult(mark + text, work.conflicts)


def _with_newline(text: str, newline: str) -> str:
    """Return a text with another file's line ends, where its own are different."""
    if page.detect_newline(text) == newline:
        return text
    rows = [row.rstrip("\r\n") for row in split_lines(text)]
    last = newline if text.endswith(("\n", "\r")) else ""
    return newline.join(rows) + last


class _Merge:
    def __init__(self, base: list[Part], ours: list[Part], theirs: list[Part], newline: str) -> None:
        self.base, self.ours, self.theirs = (_index_parts(found) for found in (base, ours, theirs))
        self.newline = newline
        self.conflicts = 0
        self.newer = _read_updated(theirs) > _read_updated(ours)

    def parts(self) -> list[Part]:
        """Return the merged parts in our order, theirs behind what they stand behind."""
        names = list({**self.base, **self.ours, **self.theirs})
        ids: dict[Hashable, alignment.Id] = {name: ("", number) for number, name in enumerate(names)}
        found = {ids[name]: self.ours.get(name) or self.theirs[name] for name in names if self._is_present(name)}
        order = alignment.merge_order(
            [ids[name] for name in self.ours],
            [ids[name] for name in self.theirs],
            lambda one: ("", found[one].level),
        )
        made = [self._part(names[number]) for _, number in order]
        return [part for part in made if part is not None]

    def _is_present(self, name: Hashable) -> bool:
        return name in self.ours or name in self.theirs

    def _part(self, name: Hashable) -> Part | None:
        base, ours, theirs = self.base.get(name), self.ours.get(name), self.theirs.get(name)
        if ours is None or theirs is None:
            return self._one_sided(base, ours or theirs, self.ours if ours else self.theirs)
        if base and (_is_same_part(base, theirs) or _is_same_part(base, ours)):
            return ours if _is_same_part(base, theirs) else theirs
        return ours._replace(
            head=self._head(base, ours, theirs),
            units=self._units(base.units if base else [], ours.units, theirs.units),
            tail=_pick_blank_lines(base.tail if base else None, ours.tail, theirs.tail),
        )

    def _one_sided(self, base: Part | None, left: Part | None, side: dict[Hashable, Part]) -> Part | None:
        """Return a part that one side took out: whole where it is new, else what the other side changed in it."""
        if base is None or left is None:
            return left
        fresh = self._units(base.units, left.units, [])
        depth = len(left.path)
        wanted = any(
            one.path[:depth] == left.path and (name not in self.base or not _is_same_part(self.base[name], one))
            for name, one in side.items()
        )
        return left._replace(units=fresh) if fresh or wanted else None

    def _head(self, base: Part | None, ours: Part, theirs: Part) -> Unit | None:
        if ours.head is None or theirs.head is None:
            return ours.head or theirs.head
        return theirs.head if base and base.head and base.head.lines == ours.head.lines else ours.head

    def _units(self, base: list[Unit], ours: list[Unit], theirs: list[Unit]) -> list[Unit]:
        mine, other = alignment.match_units(base, ours, theirs)
        at_base = {("o", number): unit for number, unit in enumerate(base)}
        known = {**mine, **other}
        order = alignment.merge_order(
            list(mine), list(other), lambda one: (units.spacing_group(known[one]), known[one].depth)
        )
        made = [(known[one], self._unit(at_base.get(one), mine.get(one), other.get(one))) for one in order]
        rows = any(unit and unit.kind == "row" for _, unit in made)
        kept = [unit or (was if rows and was.kind == "head" else None) for was, unit in made]
        return self._apart([unit for unit in kept if unit is not None])

    def _apart(self, found: list[Unit]) -> list[Unit]:
        """Return units where a table's head does not follow another table's row at once."""
        before = ["", *(unit.kind for unit in found)]
        return [
            unit._replace(gap=(self.newline,)) if unit.kind == "head" and kind in units.TABLE and not unit.gap else unit
            for kind, unit in zip(before, found, strict=False)
        ]

    def _unit(self, base: Unit | None, ours: Unit | None, theirs: Unit | None) -> Unit | None:
        if ours is None or theirs is None:
            left = ours or theirs
            return None if base and left and base.lines == left.lines else left
        gap = _pick_blank_lines(base.gap if base else None, ours.gap, theirs.gap)
        if ours.lines == theirs.lines or (base and base.lines == theirs.lines):
            return ours._replace(gap=gap)
        if base and base.lines == ours.lines:
            return theirs._replace(gap=gap)
        settled = self._settled(ours, theirs)
        return (settled or self._conflict(ours, theirs))._replace(gap=gap)

    def _settled(self, ours: Unit, theirs: Unit) -> Unit | None:
        """Return the newer of two that differ only in when: the header's lines, a row's session or date."""
        if units.is_header(ours) and units.is_header(theirs):
            return theirs if self.newer else ours
        if ours.kind == theirs.kind == "head" and ours.cells == theirs.cells:
            return ours
        if ours.kind == "row" and _cells_without_time(ours) == _cells_without_time(theirs):
            return max(ours, theirs, key=_time_numbers)
        return None

    def _conflict(self, ours: Unit, theirs: Unit) -> Unit:
        self.conflicts += 1
        sides = [
            [row if row.endswith(("\n", "\r")) else row + self.newline for row in one.rows] for one in (ours, theirs)
        ]
        marks = [mark + self.newline for mark in ("<<<<<<< ours", "=======", ">>>>>>> theirs")]
        return ours._replace(kind="conflict", rows=(marks[0], *sides[0], marks[1], *sides[1], marks[2]))


def _index_parts(found: list[Part]) -> dict[Hashable, Part]:
    """Return the parts by path; of two headings with one path the second is another part."""
    index: dict[Hashable, Part] = {}
    known = Counter[Hashable]()
    for part in found:
        own = (part.path, part.head is None)
        index[own, known[own]] = part
        known[own] += 1
    return index


def _is_same_part(one: Part, other: Part) -> bool:
    return _part_content(one) == _part_content(other)


def _part_content(part: Part) -> list[tuple[object, ...]]:
    head = part.head.lines if part.head else ()
    return [(head, len(part.tail)), *((unit.lines, len(unit.gap)) for unit in part.units)]


def _pick_blank_lines(base: tuple[str, ...] | None, ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    return theirs if base is not None and len(base) == len(ours) else ours


def _read_updated(found: list[Part]) -> tuple[str, int]:
    return units.read_updated([unit for part in found[:2] for unit in part.units])


def _cells_without_time(unit: Unit) -> list[tuple[str, str]]:
    told = zip(unit.columns, unit.cells, strict=False)
    return [(column, cell) for column, cell in told if column not in units.WHEN]


def _time_numbers(unit: Unit) -> list[list[int]]:
    told = zip(unit.columns, unit.cells, strict=False)
    return [[int(one[:9]) for one in _NUMBERS.findall(cell)] for column, cell in told if column in units.WHEN]
