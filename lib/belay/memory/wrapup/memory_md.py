"""MEMORY.md at a wrap-up: the sections of a known template one by one; in anybody else's file one dated block.

Pure: text in, text out. The same entry twice gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from belay.memory.document import edits, facts
from belay.memory.document.page import Page, parse, strip_line_end
from belay.memory.templates import fill_template
from belay.memory.wrapup import dated_block, workstreams
from belay.memory.wrapup import sections as wrapup_sections
from belay.memory.wrapup.sections import SECTIONS, Entry


def write_entry(
    text: str,
    entry: Entry,
    template: str,
    sections: Collection[str] = SECTIONS,
    number: int = 0,
    score: Callable[[Page], int] | None = None,
) -> str:
    """Return a memory file with what the entry brings, in the way of its form; an empty one is created.

    `score` returns the health of the finished page; it is called only if something else changed.
    """
    page, form = parse(text), parse(template)
    kind = wrapup_sections.detect_form(page)
    if kind == "004":
        return workstreams.apply_entry(page, entry, decisions="decisions" in sections).text
    if kind == "other":
        return dated_block.put_block(page, entry).text
    if kind == "empty":
        lead = text.rstrip("\r\n") + page.newline * 2 if text.strip("\ufeff\r\n\t ") else ""
        new = parse(lead + create_memory(entry, template, sections, number).text)
    else:
        new = wrapup_sections.apply_entry(page, entry, form, sections, number)
    return add_score(new, score).text if score and new.text != text else new.text


def create_memory(entry: Entry, template: str, sections: Collection[str] = SECTIONS, number: int = 0) -> Page:
    """Return a new memory file; sections that nothing is known for are left out."""
    form = parse(template)
    values = {"date": entry.date, "session": str(number or 1), "branch": entry.branch}
    page = parse(fill_template(template, values))
    if not any(strip_line_end(line).strip() == wrapup_sections.MARK for line in page.lines):
        page = edits.insert_lines(page, page.body, [wrapup_sections.MARK])
    page = drop_empty_sections(wrapup_sections.apply_entry(page, entry, form, sections, number))
    return parse(page.text.rstrip("\r\n") + page.newline)


def add_score(page: Page, score: Callable[[Page], int]) -> Page:
    """Return the page whose header carries its health."""
    header = facts.read_facts(page)["header"]
    if not header["updated"]:
        return page
    return edits.set_header(page, header["updated"], header["session"], header["branch"], score(page))


def drop_empty_sections(page: Page) -> Page:
    """Return the page without the sections that hold nothing but a table's head."""
    for section in reversed(page.sections):
        kinds = {row.kind for row in page.within(section)}
        if section.level > 1 and not kinds - {"blank", "head", "rule"}:
            page = edits.replace_lines(page, section.start, section.end, [])
    return page
