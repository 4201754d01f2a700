"""A memory file as parts (a heading and what is right below it) of units: rows, items, paragraphs, each with a key.

The key says which units of two files are the same one, whatever its text is now. Joined again the parts are the file.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core.plain_text import key
from belay.core.text.statements import wording
from belay.memory.document import edits, template_sections
from belay.memory.document.page import Page, Record, parse, strip_line_end
from belay.memory.remember.sentences import strip_date

_KEY_COLUMNS = ("decision", "file", "what", "summary")
"""Columns that say what a row is about, the others say when, why, or where."""
WHEN = ("date", "session", "changed")
"""Columns that say when, not what."""
_HEADER = ("Last updated", "Memory health")
TABLE = ("head", "row")


class Unit(NamedTuple):
    """What is changed as one: `rows` are its lines, `gap` the blank ones before, all with their ends.

    `depth` counts the list items around it; `columns` are the canonical ones of a row's table.
    """

    kind: str
    key: str
    rows: tuple[str, ...]
    gap: tuple[str, ...] = ()
    depth: int = 0
    text: str = ""
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends: what two units are compared by."""
        return tuple(map(strip_line_end, self.rows))


class Part(NamedTuple):
    """A heading (None before the first one), the units right below it, and the blank lines at its end.

    `path` are the titles of the headings around it and its own, the file's title aside; `name` is canonical, that
    of the nearest heading above that has one.
    """

    path: tuple[str, ...]
    name: str
    level: int
    head: Unit | None
    units: list[Unit]
    tail: tuple[str, ...] = ()


def split_into_parts(page: Page) -> list[Part]:
    """Return the parts of a page; there is always one before the first heading."""
    parts = [Part((), "", 0, None, [])]
    above: list[tuple[int, str, str]] = []
    groups = _group_by_heading(page.records)
    for number, (heading, records) in enumerate(groups):
        if heading is not None:
            section = page.sections[heading.section]
            above = [outer for outer in above if outer[0] < section.level]
            inherited = next((name for _, _, name in reversed(above) if name), "")
            name = section.name or inherited
            if number > 1 or section.name or section.level > 1:
                above.append((section.level, normalize_title(section.title), name))
            path = tuple(title for _, title, _ in above)
            head = Unit("heading", path[-1] if path else "", _record_lines(page, heading), text=section.title)
            parts.append(Part(path, name, section.level, head, []))
        part = parts[-1]
        units, tail = _build_units(page, records, part.name)
        parts[-1] = part._replace(units=units, tail=tail)
    return parts


def normalize_title(title: str) -> str:
    """Return a title for comparison: the canonical name, else its words."""
    return template_sections.canonical_section(title) or key(title)


def _group_by_heading(records: list[Record]) -> list[tuple[Record | None, list[Record]]]:
    groups: list[tuple[Record | None, list[Record]]] = [(None, [])]
    for record in records:
        if record.kind == "heading":
            groups.append((record, []))
        else:
            groups[-1][1].append(record)
    return groups


def _record_lines(page: Page, record: Record) -> tuple[str, ...]:
    return tuple(page.lines[record.start : record.end])


def _build_units(page: Page, records: list[Record], name: str) -> tuple[list[Unit], tuple[str, ...]]:
    units: list[Unit] = []
    gap: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    above: list[tuple[int, str]] = []
    for record in records:
        rows = _record_lines(page, record)
        if record.kind == "blank":
            gap += rows
            continue
        if record.kind == "rule" and units and units[-1].kind == "head":
            units[-1] = units[-1]._replace(rows=units[-1].rows + rows)
            continue
        columns = tuple(map(template_sections.canonical_column, record.cells)) if record.kind == "head" else columns
        indent = len(strip_line_end(rows[0])) - len(strip_line_end(rows[0]).lstrip())
        above = [item for item in above if item[0] < indent] if record.kind in ("item", "text", "code") else []
        new_units = _record_units(record, rows, name, columns, above)
        units += [new_units[0]._replace(gap=gap), *new_units[1:]]
        gap = ()
        if record.kind == "item":
            above.append((indent, new_units[0].key))
    return units, gap


def _record_units(
    record: Record, rows: tuple[str, ...], name: str, columns: tuple[str, ...], above: list[tuple[int, str]]
) -> list[Unit]:
    """Return the units of a record: one, but of a paragraph of labelled lines one a line."""
    labels = [edits.split_label(strip_line_end(row))[0] for row in rows] if record.kind == "text" else []
    if labels and all(labels):
        return [
            Unit("field", _label_key(label), (row,), text=strip_line_end(row))
            for label, row in zip(labels, rows, strict=True)
        ]
    if record.kind == "item" and not above and (label := field_key(record.text)):
        return [Unit("field", label, rows, text=record.text)]
    key = row_key(name, columns, record.cells) if record.kind == "row" else item_key(record.text)
    if record.kind in ("head", "front-matter"):
        key = record.kind
    parent = above[-1][1] + " > " if above else ""
    return [Unit(record.kind, parent + key, rows, (), len(above), record.text, record.cells, columns)]


def field_key(text: str) -> str:
    """Return the key of an item that is a field every template knows ("**Status:** …"), "" for any other."""
    label = edits.split_label(text)[0]
    return template_sections.canonical_label(label) if label and text.startswith("**") else ""


def _label_key(label: str) -> str:
    return template_sections.canonical_label(label) or key(label)


def is_header(unit: Unit) -> bool:
    """Whether a unit is a line of seed 003's header: when it was updated, the health."""
    return unit.kind == "field" and unit.text.lstrip("* _").startswith(_HEADER)


def read_updated(units: list[Unit]) -> tuple[str, int]:
    """Return (date, session) of the header among some units; ("", 0) if they have none."""
    for unit in filter(is_header, units):
        date, number = (
            re.search(r"\d{4}-\d\d-\d\d", unit.text),
            re.search(r"Session\s+(\d{1,6})\b", unit.text),
        )
        if date or number:
            return (date.group() if date else "", int(number.group(1)) if number else 0)
    return "", 0


def spacing_group(unit: Unit) -> str:
    """Return what a new unit may follow without a blank line: "table", "list", else its kind."""
    if unit.kind in ("item", "field"):
        return "list"
    return "table" if unit.kind in TABLE else unit.kind


def item_key(text: str) -> str:
    """Return what an item is about: its words, box and date aside."""
    return wording(strip_date(text))


def row_key(name: str, columns: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """Return what a table row is about: its decision, path or topic, else its first cell that is no date or session."""
    values = dict(zip(columns, cells, strict=False))
    if name == "log":
        return wording(" ".join(cells))
    if values.get("file"):
        return values["file"].strip("` ")
    named = [values[column] for column in _KEY_COLUMNS if values.get(column, "").strip()]
    untimed = [cell for cell, column in zip(cells, columns, strict=False) if column not in WHEN and cell.strip()]
    return wording([*named, *untimed, " ".join(cells)][0])


def render(parts: list[Part], newline: str) -> str:
    """Return the text of parts; a line that is followed by another always ends."""
    rows: list[str] = []
    for part in parts:
        rows += part.head.rows if part.head else ()
        for unit in part.units:
            rows += [*unit.gap, *unit.rows]
        rows += part.tail
    ended = [row if row.endswith(("\n", "\r")) else row + newline for row in rows[:-1]]
    return "".join([*ended, *rows[-1:]])


def parse_parts(text: str) -> list[Part]:
    """Return the parts of a text."""
    return split_into_parts(parse(text))
