"""One memory over another: a branch's overlay over the base, a nearer folder's memory over the root's. Pure.

Section by section, in tables and lists row by row: what is on top wins over the row of the same key, and what it
does not name stays. A decision of the base always stays, beside one of the same words that says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

from belay.memory.document import edits, facts, template_sections, units
from belay.memory.document.page import Page, strip_line_end
from belay.memory.document.units import Part, Unit

BRANCH = ("left", "active", "blockers", "completed")
"""Sections that belong to the branch they are written on; every other one to the base (seed 003)."""
_PERMANENT = "decisions"
_BELAY_COMMENT = "<!-- belay: "


class TopLayer(NamedTuple):
    """The upper layer: its parts, and the label for a decision that contradicts one below ("" for none)."""

    parts: list[Part]
    label: str = ""
    header: bool = True


def merge_overlay(base: Page, overlay: Page) -> str:
    """Return the text of a base memory with an overlay on it."""
    return merge_layer(base, TopLayer(units.split_into_parts(overlay)))


def merge_layer(base: Page, top: TopLayer) -> str:
    """Return the text of a base memory with an upper layer merged into it."""
    below = units.split_into_parts(base)
    newline = base.newline
    for part in top.parts:
        if not any(has_content(unit) for unit in part.units):
            continue
        if part.level == 0 or (part.level == 1 and not part.path):
            below = _take_newer_header(below, part, newline) if top.header else below
            continue
        at = _find_counterpart(below, part)
        if at < 0:
            below = _insert_part(below, part, newline)
        else:
            below[at] = _merge_part(below[at], part, top.label, newline)
    return units.render(below, newline)


def has_content(unit: Unit) -> bool:
    """Whether a unit says something: no table's head, no placeholder of a template, no mark of Belay's."""
    if unit.kind == "head" or unit.text.lstrip().startswith(_BELAY_COMMENT):
        return False
    if unit.kind == "row":
        return any(cell.strip() and not facts.is_placeholder(cell) for cell in unit.cells)
    if unit.kind in ("field", "item"):
        value = edits.split_label(unit.text)[1] if unit.kind == "field" else unit.text
        return bool(value.strip()) and not facts.is_placeholder(value)
    return not facts.is_placeholder(unit.text)


def _take_newer_header(below: list[Part], part: Part, newline: str) -> list[Part]:
    """Return parts whose header is the one on top, where that is not older."""
    theirs = {unit.key: unit for unit in part.units if units.is_header(unit)}
    known = [unit for lower in below[:2] for unit in lower.units if units.is_header(unit)]
    if not theirs or (known and units.read_updated(known) > units.read_updated([*theirs.values()])):
        return below
    return [
        lower._replace(units=[_with_file_format(theirs.get(unit.key, unit), unit, newline) for unit in lower.units])
        if number < 2
        else lower
        for number, lower in enumerate(below)
    ]


def _find_counterpart(below: list[Part], part: Part) -> int:
    """Return the index of the part with the same headings, else with the same canonical name; -1 for none."""
    same = [at for at, lower in enumerate(below) if lower.head and lower.path == part.path]
    last_title = part.path[-1] if part.path else ""
    named = [
        at
        for at, lower in enumerate(below)
        if lower.name and lower.path[-1:] == (last_title,) and last_title == lower.name
    ]
    return next(iter([*same, *named]), -1)


def _insert_part(below: list[Part], part: Part, newline: str) -> list[Part]:
    """Return parts with a new one: after the others of its parent heading, else at the end."""
    home = [lower.path for lower in below if lower.path and lower.path == part.path[: len(lower.path)]][-1:]
    inside = [at for at, lower in enumerate(below) if home and lower.path[: len(home[0])] == home[0]]
    at = max(inside, default=len(below) - 1) + 1
    before = below[at - 1]
    apart = before.tail or not (before.units or before.head)
    below[at - 1] = before if apart else before._replace(tail=(newline,))
    new_units = [
        _with_file_format(unit, unit, newline) for unit in part.units if has_content(unit) or unit.kind == "head"
    ]
    head = _with_file_format(part.head, part.head, newline) if part.head else None
    tail = (newline,) if at < len(below) else ()
    return [*below[:at], part._replace(head=head, units=new_units, tail=tail), *below[at:]]


def _merge_part(below: Part, part: Part, label: str, newline: str) -> Part:
    """Return one part with another's units merged into it."""
    merged = list(below.units)
    if below.name == part.name == "overview" and any(_is_prose(unit) for unit in part.units):
        merged = [unit for unit in merged if not _is_prose(unit)]
    behind = -1
    for unit in filter(has_content, part.units):
        unit = _fit_columns(unit, _find_table_head(merged), newline)
        at = _find_same_key(merged, unit)
        if at >= 0 and part.name == _PERMANENT:
            behind = _put_decision_beside(merged, unit, at, label, part, newline)
        elif at >= 0 and merged[at].kind == unit.kind:
            merged[at] = _with_file_format(unit, merged[at], newline)
            behind = at
        else:
            if at >= 0:  # an item for a row: in its place it would cut the table in two
                del merged[at]
            behind = _insert_unit(
                merged, unit, _find_insert_position(merged, unit, behind - (0 <= at <= behind)), part, newline
            )
    return below._replace(units=merged)


def _is_prose(unit: Unit) -> bool:
    return unit.kind == "text"


def _find_same_key(known_units: list[Unit], unit: Unit) -> int:
    """Return the index of the unit with the same key, -1 for none; a row and an item can have the same key."""
    kinds = ("row", "item") if unit.kind in ("row", "item") else (unit.kind,)
    return next((at for at, known in enumerate(known_units) if known.kind in kinds and known.key == unit.key), -1)


def _put_decision_beside(known_units: list[Unit], unit: Unit, at: int, label: str, part: Part, newline: str) -> int:
    """Put a labelled decision after one with the same words that says otherwise; return its index."""
    if _unit_words(known_units[at]) == _unit_words(unit):
        return at
    marked = add_label(unit, label, newline) if label else _with_file_format(unit, unit, newline)
    present = [number for number, known in enumerate(known_units) if _unit_words(known) == _unit_words(marked)]
    if not present and known_units[at].kind != marked.kind:
        return _insert_unit(known_units, marked, _find_insert_position(known_units, marked, at), part, newline)
    if not present:
        known_units.insert(at + 1, marked._replace(gap=()))
    return present[0] if present else at + 1


def _unit_words(unit: Unit) -> tuple[str, ...]:
    cells = unit.cells or (unit.text,)
    return tuple(" ".join(cell.split()) for cell in cells)


def add_label(unit: Unit, label: str, newline: str) -> Unit:
    """Return a row or item that names a branch behind what it is about; a unit that does already stays."""
    mark = f" ({label})"
    if unit.kind == "row":
        at = unit.columns.index("decision") if "decision" in unit.columns else 0
        if unit.cells[at].endswith(mark):
            return unit
        cells = tuple(cell + mark if number == at else cell for number, cell in enumerate(unit.cells))
        key = units.row_key(_PERMANENT, unit.columns, cells)
        return unit._replace(cells=cells, key=key, rows=(edits.format_table_row(*cells) + newline,))
    first = strip_line_end(unit.rows[0]).rstrip()
    if first.endswith(mark):
        return unit
    rows = (first + mark + newline, *unit.rows[1:])
    return next(iter(units.parse_parts("".join(rows).lstrip())[0].units))._replace(rows=rows, gap=unit.gap)


def _find_table_head(known_units: list[Unit]) -> Unit | None:
    return next((unit for unit in known_units if unit.kind == "head"), None)


def _fit_columns(unit: Unit, head: Unit | None, newline: str) -> Unit:
    """Return a row in another table's columns; where they do not take all of it, as it is."""
    if unit.kind != "row" or head is None:
        return unit
    columns = tuple(template_sections.canonical_column(cell) for cell in head.cells)
    if columns == unit.columns or not all(columns):
        return unit
    values = dict(zip(unit.columns, unit.cells, strict=False))
    if any(value.strip() and name not in columns for name, value in values.items()):
        return unit
    cells = tuple(values.get(name, "") for name in columns)
    return unit._replace(cells=cells, columns=columns, rows=(edits.format_table_row(*cells) + newline,))


def _find_insert_position(known_units: list[Unit], unit: Unit, behind: int) -> int:
    """Return where a new unit goes: a nested one behind the one before it, else behind the last of its kind."""
    if unit.depth and behind >= 0:
        return behind + 1
    kinds = units.TABLE if unit.kind == "row" else (unit.kind,)
    last = max(
        (at for at, known in enumerate(known_units) if known.kind in kinds and not known.depth),
        default=len(known_units) - 1,
    )
    at = last + 1
    while at < len(known_units) and known_units[at].depth:
        at += 1
    return at


def _insert_unit(known_units: list[Unit], unit: Unit, at: int, part: Part, newline: str) -> int:
    """Insert a unit, the first row of a table with its head; return its index."""
    head = _find_table_head(part.units) if unit.kind == "row" and _find_table_head(known_units) is None else None
    new = [inserted._replace(gap=()) for inserted in (head, unit) if inserted]
    before = known_units[at - 1] if at else None
    if before and (
        units.spacing_group(before) != units.spacing_group(unit) or unit.kind not in ("row", "item", "field")
    ):
        new[0] = new[0]._replace(gap=(newline,))
    known_units[at:at] = [_with_file_format(inserted, inserted, newline) for inserted in new]
    return at + len(new) - 1


def _with_file_format(unit: Unit, place: Unit, newline: str) -> Unit:
    """Return a unit with this file's line ends and the gap of the place it takes."""
    rows = tuple(row.rstrip("\r\n") + newline for row in unit.rows)
    return unit._replace(rows=rows, gap=place.gap)
