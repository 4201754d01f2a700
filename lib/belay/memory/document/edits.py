"""Changes of a memory file as line slices: every line that is not named stays byte for byte.

Each function takes a page and returns the changed one. New lines come without their ends and take the file's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core import kinds
from belay.memory.document import template_sections
from belay.memory.document.page import Page, Record, Section, parse, split_lines, strip_line_end

HEADER = re.compile(r"Last[ _-]updated[*_]*:[*_]*\s*[\"']?(\d{4}-\d\d-\d\d)?", re.I)
HEALTH = re.compile(r"Memory health:\**\s*(\d{1,2})\s*/\s*10", re.I)

COMPARED = ("date", "session")
"""Columns that say when, not what."""
_JOINING = ("text", "head", "definition")
"""Kinds of record that would become part of an item right above them."""


def replace_lines(page: Page, start: int, end: int, lines: list[str]) -> Page:
    """Return the page with lines[start:end] replaced."""
    before, after = list(page.lines[:start]), page.lines[end:]
    if before and (lines or after) and not before[-1].endswith(("\n", "\r")):
        before[-1] += page.newline
    new = [line + page.newline for line in lines]
    if new and not after and end > start and not page.lines[end - 1].endswith(("\n", "\r")):
        new[-1] = lines[-1]  # a file without a newline at its end keeps none
    return parse("".join([*before, *new, *after]))


def insert_lines(page: Page, at: int, lines: list[str]) -> Page:
    """Return the page with lines put in before line `at`."""
    return replace_lines(page, at, at, lines) if lines else page


def set_body(page: Page, section: Section, text: str) -> Page:
    """Return the page with everything between a heading and the next of its level replaced by the text.

    The text ends with exactly one line end, the file's; the text's own other bytes stay.
    """
    body = text.rstrip("\r\n")
    new = split_lines(body + page.newline) if body else []
    before = list(page.lines[: section.body])
    if new and not before[-1].endswith(("\n", "\r")):
        before[-1] += page.newline
    return parse("".join([*before, *new, *page.lines[section.end :]]))


def find_records(page: Page, name: str, *kinds: str) -> list[Record]:
    """Return the records of the first section of a canonical name, those of some kinds where given."""
    section = page.section(name)
    return [row for row in page.within(section) if not kinds or row.kind in kinds] if section else []


def find_content_end(page: Page, section: Section) -> int:
    """Return the line after the last one of a section that is not blank, sub-sections left out."""
    inner = [
        inner_section.start for inner_section in page.sections if section.body <= inner_section.start < section.end
    ]
    end = min(inner, default=section.end)
    while end > section.body and not strip_line_end(page.lines[end - 1]).strip():
        end -= 1
    return end


def ensure_section(page: Page, name: str, template: Page) -> Page:
    """Return a page that has the section of this canonical name, put in where the template has it."""
    if page.section(name):
        return page
    order = [known.name for known in template.sections]
    later = set(order[order.index(name) + 1 :]) if name in order else set()
    following = next((known for known in page.sections if known.name in later and known.level >= 2), None)
    model = template.section(name)
    level = following.level if following else _section_level(page)
    head = ["#" * level + " " + (model.title if model else kinds.MEMORY_SECTIONS[name])]
    head += (
        [strip_line_end(line) for line in template.lines[model.body : find_content_end(template, model)]]
        if model
        else []
    )
    at = following.start if following else len(page.lines)
    gap = [""] if at and strip_line_end(page.lines[at - 1]).strip() else []
    return insert_lines(page, at, [*gap, *head, *([""] if following else [])])


def _section_level(page: Page) -> int:
    """Return the level of the page's sections that the templates know, 2 where there is none."""
    return next((section.level for section in page.sections if section.name and section.level > 1), 2)


def append_lines(page: Page, name: str, lines: list[str]) -> Page:
    """Return the page with lines at the end of a section that is there."""
    section = page.section(name)
    return insert_lines(page, find_content_end(page, section), lines) if section else page


def table_columns(page: Page, section: Section) -> list[str]:
    """Return the canonical columns of a section's first table ("" for an unknown one), [] without a table."""
    head = next((row for row in page.within(section) if row.kind == "head"), None)
    return [template_sections.canonical_column(cell) for cell in head.cells] if head else []


def find_table_end(page: Page, section: Section) -> int:
    """Return the line after the last row of a section's first table."""
    rows = [row for row in page.within(section) if row.kind in ("head", "rule", "row")]
    end = rows[0].start if rows else section.body
    for row in rows:
        if row.start == end:
            end = row.end
    return end


def format_table_row(*values: str) -> str:
    """Return values as a table row."""
    return f"| {' | '.join(map(escape_cell, values))} |"


def escape_cell(text: str) -> str:
    """Return a text as a table's cell: a bar inside it is escaped."""
    return text.replace("\\|", "|").replace("|", "\\|")


def set_header(
    page: Page, updated: str, session: int, branch: str, health: int = 0, reviewed: str | None = None
) -> Page:
    """Return the page with seed 003's header: `Last updated: … | Session N | Branch: …`, `Memory health: N/10`.

    `reviewed`: the day on which a person last saved or changed the memory, if that was before `updated`; "" for no such
    day, None for the one that is there.
    """
    day = _find_reviewed(page) if reviewed is None else reviewed
    behind = f" | Reviewed: {day}" if day and day < updated else ""
    page = _set_header_line(
        page, "Last updated:", f"Last updated: {updated} | Session {session} | Branch: {branch}{behind}"
    )
    return _set_header_line(page, "Memory health:", f"Memory health: {health}/10") if health else page


def _find_reviewed(page: Page) -> str:
    lines = (strip_line_end(page.lines[at]) for at in find_header_lines(page))
    return next(
        (
            mark[1]
            for line in lines
            if line.startswith("Last updated:") and (mark := template_sections.REVIEWED.search(line))
        ),
        "",
    )


def find_header_lines(page: Page) -> range:
    """Return the lines in which a header is looked for: before the first heading below the title."""
    first = next((section.start for section in page.sections if section.level > 1 or section.name), len(page.lines))
    return range(page.body, first)


def _set_header_line(page: Page, start: str, line: str) -> Page:
    lines = find_header_lines(page)
    for at in lines:
        if strip_line_end(page.lines[at]).startswith(start):
            return replace_lines(page, at, at + 1, [line])
    after = [at for at in lines if strip_line_end(page.lines[at]).startswith("Last updated:")]
    title = next((section for section in page.sections if section.level == 1 and section.start in lines), None)
    at = after[0] + 1 if after else title.body if title else page.body
    return insert_lines(page, at, [line])


def set_left_off(page: Page, values: dict[str, str]) -> Page:
    """Return the page with the fields of "Where We Left Off" set (task, status, next, question); "" takes one out.

    Fields that `values` does not name stay, and so does every other line of the section.
    """
    for number, key in enumerate(template_sections.LABELS):
        if key in values:
            page = _set_field(page, key, values[key], list(template_sections.LABELS)[:number])
    return page


class Field(NamedTuple):
    """A labelled line, or an item of several: lines[start:end] and the text after the label."""

    start: int
    end: int
    value: str


def find_fields(page: Page, section: Section) -> dict[str, Field]:
    """Return field → its lines in a section, each field's first; a paragraph may hold one field a line."""
    fields: dict[str, Field] = {}
    for row in page.within(section):
        for key, field in _record_fields(page, row):
            fields.setdefault(key, field)
    return fields


def list_overviews(page: Page) -> list[tuple[str, int]]:
    """Return (text, line) of what may say what the project is: in its section, in a file without one in the opening."""
    section = page.section("overview")
    rows = [row for row in page.within(section or _opening(page)) if row.kind in ("text", "item")]
    texts = [(row.text, row.start + 1) for row in rows] if section else [_plain_lines(page, row) for row in rows]
    return [(" ".join(text.split()), line) for text, line in texts if text.strip()]


def _opening(page: Page) -> Section:
    """Return what stands between title and first section: where a short file says what it is, and what is next."""
    first = next((section.start for section in page.sections if section.level > 1), len(page.lines))
    title = next((section.body for section in page.sections if section.level == 1 and section.start < first), page.body)
    return Section("", "", 0, title, title, first)


def _plain_lines(page: Page, row: Record) -> tuple[str, int]:
    """Return the text of a record of the opening and its line, without lines of the header and labelled fields."""
    lines = [(strip_line_end(page.lines[at]), at + 1) for at in range(row.start, row.end)]
    labelled = {at + 1 for field in find_opening_fields(page).values() for at in range(field.start, field.end)}
    kept = [
        (text, at) for text, at in lines if at not in labelled and not HEADER.search(text) and not HEALTH.search(text)
    ]
    if len(kept) == len(lines):
        return row.text, row.start + 1
    return " ".join(text for text, _ in kept), kept[0][1] if kept else 0


def find_opening_fields(page: Page) -> dict[str, Field]:
    """Return the fields of "Where We Left Off" that a file without that section has in its opening."""
    fields = find_fields(page, _opening(page))
    return {key: field for key, field in fields.items() if key in template_sections.LEFT_KEYS}


def _record_fields(page: Page, row: Record) -> list[tuple[str, Field]]:
    if row.kind == "item":
        mark, value = split_label(row.text)
        return (
            [(template_sections.canonical_label(mark), Field(row.start, row.end, value))]
            if template_sections.canonical_label(mark)
            else []
        )
    lines = range(row.start, row.end) if row.kind == "text" else ()
    labels = [(at, *split_label(strip_line_end(page.lines[at]))) for at in lines]
    return [
        (template_sections.canonical_label(mark), Field(at, at + 1, value))
        for at, mark, value in labels
        if template_sections.canonical_label(mark)
    ]


def split_label(text: str) -> tuple[str, str]:
    """Return (label, value) of "**Label:** value" or "Label: value", ("", text) where there is no label."""
    line = " ".join(text.split())
    mark, _, rest = line.partition(":")
    strong = mark.startswith("**")
    if (not rest and not line.endswith(":")) or len(mark) > 40 or (strong and "**" in mark[2:-2]):
        return "", line
    return mark.strip("* "), rest.removeprefix("**").strip() if strong else rest.strip()


def _set_field(page: Page, key: str, value: str, earlier: list[str]) -> Page:
    section = page.section("left")
    if section is None:
        return page
    known = find_fields(page, section)
    line = [f"- **{template_sections.LABELS[key]}:** {value}"] if value else []
    if key in known:
        return replace_lines(page, known[key].start, known[key].end, line)
    before = [known[other].end for other in earlier if other in known]
    at = max(before, default=section.body)
    behind = next((row.kind for row in page.records if row.start == at), "blank")
    return insert_lines(page, at, [*line, ""] if line and behind in _JOINING else line)
