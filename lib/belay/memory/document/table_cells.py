"""Rows of a section's table by canonical column; what a table has no column for becomes an item below it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from belay.memory.document import edits
from belay.memory.document.facts import is_placeholder
from belay.memory.document.page import Page, Record, Section


def find_record(page: Page, at: int) -> Record | None:
    """Return the record that begins at a line, None where none does."""
    return next((row for row in page.records if row.start == at), None)


def put_row(page: Page, name: str, values: Mapping[str, str], known: Record | None = None) -> Page:
    """Return the page with a row of these cells (canonical column → text); of a known row the other cells stay.

    Where the table has no column for what matters most, that is an item below; the log's text takes the last column.
    A new row takes the place of one that holds nothing but a template's placeholders.
    """
    section = page.section(name)
    names = edits.table_columns(page, section) if section else []
    key = {"decisions": "decision", "files": "file", "log": "summary"}[name]
    if names and key not in names:
        names = [
            key if at == {"files": 0, "log": len(names) - 1}.get(name) else column for at, column in enumerate(names)
        ]
    if section is None or key not in names or (known and known.kind != "row"):
        return _put_item(page, name, values, known)
    old = [*known.cells] if known else []
    old += [""] * (len(names) - len(old))
    cells = [values.get(names[at], cell) if at < len(names) else cell for at, cell in enumerate(old)]
    line = [edits.format_table_row(*cells)]
    if known:
        return edits.replace_lines(page, known.start, known.end, line)
    hint = _find_placeholder_row(page, section)
    if hint:
        return edits.replace_lines(page, hint.start, hint.end, line)
    return edits.insert_lines(page, edits.find_table_end(page, section), line)


def _find_placeholder_row(page: Page, section: Section) -> Record | None:
    rows = (row for row in page.within(section) if row.kind == "row" and any(row.cells))
    return next((row for row in rows if all(map(_is_empty_cell, row.cells))), None)


def _is_empty_cell(cell: str) -> bool:
    return not cell.strip() or is_placeholder(cell)


def _put_item(page: Page, name: str, values: Mapping[str, str], known: Record | None) -> Page:
    date, first, *rest = [
        values.get("date", ""),
        *(text for key, text in values.items() if text and key != "date"),
    ]
    line = f"- {date} {first}".replace("  ", " ") + (f": {'; '.join(rest)}" if rest else "")
    if known:
        return edits.replace_lines(page, known.start, known.end, [line])
    return edits.append_lines(page, name, [line])
