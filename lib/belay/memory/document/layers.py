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
    """What lies on top: parts, and the label a decision of theirs gets that clashes with one below ("" none)."""

    parts: list[Part]
    label: str = ""
    header: bool = True


def merge_overlay(base: Page, overlay: Page) -> str:
    """Return the text of a base memory with an overlay on it."""
    return merge_layer(base, TopLayer(units.split_into_parts(overlay)))


def merge_layer(base: Page, top: TopLayer) -> str:
    """Return the text of a base memory with parts laid on it."""
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
    known = [unit for one in below[:2] for unit in one.units if units.is_header(unit)]
    if not theirs or (known and units.read_updated(known) > units.read_updated([*theirs.values()])):
        return below
    return [
        one._replace(
            units=[_with_file_format(theirs.get(unit.key, unit), unit, newline) for unit in one.units]
        )
        if number < 2
        else one
        for number, one in enumerate(below)
    ]


def _find_counterpart(below: list[Part], part: Part) -> int:
    """Return where the part's counterpart stands: of the same headings, else of the same canonical name; -1 nowhere."""
    same = [at for at, one in enumerate(below) if one.head and one.path == part.path]
    own = part.path[-1] if part.path else ""
    named = [at for at, one in enumerate(below) if one.name and one.path[-1:] == (own,) and own == one.name]
    return next(iter([*same, *named]), -1)


def _insert_part(below: list[Part], part: Part, newline: str) -> list[Part]:
    """Return parts with a new one: behind the others of the heading it lies in, else at the end."""
    home = [one.path for one in below if one.path and one.path == part.path[: len(one.path)]][-1:]
    inside = [at for at, one in enumerate(below) if home and one.path[: len(home[0])] == home[0]]
    at = max(inside, default=len(below) - 1) + 1
    before = below[at - 1]
    apart = before.tail or not (before.units or before.head)
    below[at - 1] = before if apart else before._replace(tail=(newline,))
    kept = [
        _with_file_format(unit, unit, newline)
        for unit in part.units
        if has_content(unit) or unit.kind == "head"
    ]
    head = _with_file_format(part.head, part.head, newline) if part.head else None
    tail = (newline,) if at < len(below) else ()
    return [*below[:at], part._replace(head=head, units=kept, tail=tail), *below[at:]]


def _merge_part(below: Part, part: Part, label: str, newline: str) -> Part:
    """Return one part with another's units laid on it."""
    found = list(below.units)
    if below.name == part.name == "overview" and any(_is_prose(unit) for unit in part.units):
        found = [unit for unit in found if not _is_prose(unit)]
    behind = -1
    for unit in filter(has_content, part.units):
        unit = _fit_columns(unit, _find_table_head(found), newline)
        at = _find_same_key(found, unit)
        if at >= 0 and part.name == _PERMANENT:
            behind = _put_decision_beside(found, unit, at, label, part, newline)
        elif at >= 0 and found[at].kind == unit.kind:
            found[at] = _with_file_format(unit, found[at], newline)
            behind = at
        else:
            if at >= 0:  # an item for a row: in its place it would cut the table in two
                del found[at]
            behind = _insert_unit(
                found, unit, _find_insert_position(found, unit, behind - (0 <= at <= behind)), part, newline
            )
    return below._replace(units=found)


def _is_prose(unit: Unit) -> bool:
    return unit.kind == "text"


def _find_same_key(found: list[Unit], unit: Unit) -> int:
    """Return where the unit of the same key stands; tables and lists know each other's."""
    kinds = ("row", "item") if unit.kind in ("row", "item") else (unit.kind,)
    return next((at for at, one in enumerate(found) if one.kind in kinds and one.key == unit.key), -1)


def _put_decision_beside(found: list[Unit], unit: Unit, at: int, label: str, part: Part, newline: str) -> int:
    """Put a decision, labelled, beside the one of the same words that says otherwise; return where it stands."""
    if _unit_words(found[at]) == _unit_words(unit):
        return at
    marked = add_label(unit, label, newline) if label else _with_file_format(unit, unit, newline)
    standing = [number for number, one in enumerate(found) if _unit_words(one) == _unit_words(marked)]
    if not standing and found[at].kind != marked.kind:
        return _insert_unit(found, marked, _find_insert_position(found, marked, at), part, newline)
    if not standing:
        found.insert(at + 1, marked._replace(gap=()))
    return standing[0] if standing else at + 1


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


def _find_table_head(found: list[Unit]) -> Unit | None:
    return next((unit for unit in found if unit.kind == "head"), None)


def _fit_columns(unit: Unit, head: Unit | None, newline: str) -> Unit:
    """Return a row in another table's columns; where they do not take all of it, as it is."""
    if unit.kind != "row" or head is None:
        return unit
    columns = tuple(template_sections.canonical_column(cell) for cell in head.cells)
    if columns == unit.columns or not all(columns):
        return unit
    told = dict(zip(unit.columns, unit.cells, strict=False))
    if any(value.strip() and name not in columns for name, value in told.items()):
        return unit
    cells = tuple(told.get(name, "") for name in columns)
    return unit._replace(cells=cells, columns=columns, rows=(edits.format_table_row(*cells) + newline,))


def _find_insert_position(found: list[Unit], unit: Unit, behind: int) -> int:
    """Return where a new unit goes: a nested one behind the one before it, else behind the last of its kind."""
    if unit.depth and behind >= 0:
        return behind + 1
    kinds = units.TABLE if unit.kind == "row" else (unit.kind,)
    last = max(
        (at for at, one in enumerate(found) if one.kind in kinds and not one.depth), default=len(found) - 1
    )
    at = last + 1
    while at < len(found) and found[at].depth:
        at += 1
    return at


def _insert_unit(found: list[Unit], unit: Unit, at: int, part: Part, newline: str) -> int:
    """Put a new unit in, the first row of a table with its head; return where it stands."""
    head = _find_table_head(part.units) if unit.kind == "row" and _find_table_head(found) is None else None
    new = [one._replace(gap=()) for one in (head, unit) if one]
    before = found[at - 1] if at else None
    if before and (
        units.spacing_group(before) != units.spacing_group(unit) or unit.kind not in ("row", "item", "field")
    ):
        new[0] = new[0]._replace(gap=(newline,))
    found[at:at] = [_with_file_format(one, one, newline) for one in new]
    return at + len(new) - 1


def _with_file_format(unit: Unit, place: Unit, newline: str) -> Unit:
    """Return a unit with this file's line ends and the gap of the place it takes."""
    rows = tuple(row.rstrip("\r\n") + newline for row in unit.rows)
    return unit._replace(rows=rows, gap=place.gap)
