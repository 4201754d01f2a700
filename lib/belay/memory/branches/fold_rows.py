"""Merge an overlay into the base when its branch is merged: row by row, none lost, nothing twice. Pure.

Project-wide rows move unchanged, finished work to Completed, and open work stays open with the branch's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from belay.core import kinds
from belay.memory.document import edits, facts, layers, template_sections, units
from belay.memory.document.page import Page, parse
from belay.memory.document.units import Part, Unit

EMPTY = "# Project Memory\n"
_OVER = re.compile(r"^\W*(done|complete|completed|finished|merged|shipped)\b(?! (?:with|part|except|but))", re.I)
_TICKED = re.compile(r"^\[[xX]\]\s*")
_BOX = re.compile(r"^\[[ xX]\]\s*")


class FoldedText(NamedTuple):
    """The base's new text, and the titles of the sections that changed."""

    text: str
    sections: list[str]


def fold_overlay(base: str, overlay: str, branch: str, today: str, template: str) -> FoldedText:
    """Return the base with an overlay of a merged branch folded in; `today` dates what the overlay ticked off.

    The second time gives the same text.
    """
    page = parse(base or EMPTY)
    top = _OverlayParts(page, parse(overlay), branch, today).parts()
    model = parse(template)
    for part in top:
        if part.name in template_sections.FIRST_FORM and any(map(layers.has_content, part.units)):
            page = edits.ensure_section(page, part.name, model)
    text = layers.merge_layer(page, layers.TopLayer(top, branch, header=False))
    return FoldedText(text, _find_changed_titles(base, text))


class _OverlayParts:
    def __init__(self, base: Page, overlay: Page, branch: str, today: str) -> None:
        self.base = {name: _find_units(base, name) for name in kinds.MEMORY_SECTIONS}
        self.overlay_facts = facts.read_facts(overlay)
        self.overlay = units.split_into_parts(overlay)
        self.branch, self.newline = branch, base.newline
        self.date = self.overlay_facts["header"]["updated"] or today

    def parts(self) -> list[Part]:
        """Return the parts that are merged into the base."""
        parts = [part for part in self.overlay if part.name not in layers.BRANCH]
        parts = [part for part in parts if part.name != "overview" or not any(self.base["overview"])]
        parts = [self._newest(part) if part.name == "files" else part for part in parts]
        own = {"completed": self._completed(), "active": self._active(), "blockers": self._blockers()}
        return parts + [_build_part(name, rows, self.newline) for name, rows in own.items() if rows]

    def _units(self, name: str) -> list[Unit]:
        rows = [unit for part in self.overlay if part.name == name for unit in part.units]
        return [unit for unit in rows if layers.has_content(unit) or unit.kind == "head"]

    def _newest(self, part: Part) -> Part:
        """Return Key Files without the rows that the base has from a later session."""
        later = {unit.key: _read_session(unit) for unit in self.base["files"]}
        rows = [unit for unit in part.units if later.get(unit.key, 0) <= _read_session(unit) or unit.kind != "row"]
        return part._replace(units=rows)

    def _completed(self) -> list[Unit]:
        done = [unit for unit in self._units("active") if _is_done(unit) and not unit.depth]
        return self._units("completed") + [self._item(f"- {self.date} {_strip_box(unit)}") for unit in done]

    def _active(self) -> list[Unit]:
        known = {unit.key for unit in self.base["active"]}
        rows = self._chosen("active", lambda unit: self._stays(unit, known))
        return rows + [unit for unit in self._left() if unit.key not in known]

    def _chosen(self, name: str, stays: Callable[[Unit], bool]) -> list[Unit]:
        """Return the units of a section that stay, open ones labelled; a nested one goes where its item goes."""
        chosen: list[Unit] = []
        parent_stays, before, after = True, "", ""
        for unit in self._units(name):
            if unit.depth and parent_stays:
                chosen.append(unit._replace(key=after + unit.key.removeprefix(before)))
            if not unit.depth and (parent_stays := stays(unit)):
                chosen.append(unit if _is_done(unit) else self._labelled(unit))
                before, after = unit.key, chosen[-1].key
        return chosen

    def _stays(self, unit: Unit, known: set[str]) -> bool:
        """Whether an item goes to the base: an open one that the base lacks, or a done one to be ticked there."""
        return (unit.key in known) == _is_done(unit)

    def _left(self) -> list[Unit]:
        """Return where the branch was left, as open items, unless it was done."""
        left = self.overlay_facts["left"]
        if _OVER.match(left["status"]):
            return []
        step = left["next"] or left["task"]
        question = f"Open question: {left['question']}" if left["question"] else ""
        return [self._labelled(self._item(f"- [ ] {text}")) for text in (step, question) if text]

    def _blockers(self) -> list[Unit]:
        known = {unit.key for unit in self.base["blockers"]}
        return self._chosen("blockers", lambda unit: not _is_done(unit) and unit.key not in known)

    def _labelled(self, unit: Unit) -> Unit:
        return layers.add_label(unit, self.branch, self.newline) if unit.kind in ("item", "row") else unit

    def _item(self, text: str) -> Unit:
        return next(iter(units.parse_parts(text + self.newline)[0].units))


def _find_units(page: Page, name: str) -> list[Unit]:
    return [
        unit
        for part in units.split_into_parts(page)
        if part.name == name
        for unit in part.units
        if layers.has_content(unit)
    ]


def _build_part(name: str, part_units: list[Unit], newline: str) -> Part:
    title = kinds.MEMORY_SECTIONS[name]
    head = Unit("heading", name, (f"## {title}{newline}",), text=title)
    return Part((name,), name, 2, head, part_units)


def _is_done(unit: Unit) -> bool:
    return bool(_TICKED.match(unit.text)) or facts.is_resolved(_BOX.sub("", unit.text))


def _strip_box(unit: Unit) -> str:
    return _BOX.sub("", unit.text)


def _read_session(unit: Unit) -> int:
    cells = dict(zip(unit.columns, unit.cells, strict=False))
    number = re.search(r"\d{1,6}", cells.get("changed", ""))
    return int(number.group()) if number else 0


def _find_changed_titles(base: str, text: str) -> list[str]:
    """Return the titles of the sections whose lines differ."""
    before = _section_bodies(base)
    return [title for title, body in _section_bodies(text).items() if before.get(title) != body]


def _section_bodies(text: str) -> dict[str, str]:
    page = parse(text)
    return {
        section.title: "".join(page.lines[section.body : edits.find_content_end(page, section)]).rstrip()
        for section in page.sections
    }
