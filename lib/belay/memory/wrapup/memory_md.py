"""MEMORY.md at a wrap-up: the sections of a known template one by one; in anybody else's file one dated block.

Pure: text in, text out. The same entry twice gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from belay.memory.document import edits, facts
from belay.memory.document.page import Page, parse, plain
from belay.memory.templates import fill
from belay.memory.wrapup import dated_block, workstreams
from belay.memory.wrapup import sections as wrapup_sections
from belay.memory.wrapup.sections import SECTIONS, Entry


def written(
    text: str,
    entry: Entry,
    template: str,
    sections: Collection[str] = SECTIONS,
    number: int = 0,
    score: Callable[[Page], int] | None = None,
) -> str:
    """Return a memory file with what the entry brings, in the way of its form; an empty one is created.

    `score` tells the health of the finished page; it is asked only where something else changed.
    """
    page, form = parse(text), parse(template)
    kind = wrapup_sections.kind(page)
    if kind == "004":
        return workstreams.apply(page, entry, decisions="decisions" in sections).text
    if kind == "other":
        return dated_block.put(page, entry).text
    if kind == "empty":
        lead = text.rstrip("\r\n") + page.newline * 2 if text.strip("\ufeff\r\n\t ") else ""
        new = parse(lead + created(entry, template, sections, number).text)
    else:
        new = wrapup_sections.apply(page, entry, form, sections, number)
    return scored(new, score).text if score and new.text != text else new.text


def created(entry: Entry, template: str, sections: Collection[str] = SECTIONS, number: int = 0) -> Page:
    """Return a new memory file; sections that nothing is known for are left out."""
    form = parse(template)
    values = {"date": entry.date, "session": str(number or 1), "branch": entry.branch}
    page = parse(fill(template, values))
    if not any(plain(line).strip() == wrapup_sections.MARK for line in page.lines):
        page = edits.insert(page, page.body, [wrapup_sections.MARK])
    page = bare(wrapup_sections.apply(page, entry, form, sections, number))
    return parse(page.text.rstrip("\r\n") + page.newline)


def scored(page: Page, score: Callable[[Page], int]) -> Page:
    """Return the page whose header carries its health."""
    told = facts.facts(page)["header"]
    if not told["updated"]:
        return page
    return edits.header(page, told["updated"], told["session"], told["branch"], score(page))


def bare(page: Page) -> Page:
    """Return the page without the sections that hold nothing but a table's head."""
    for section in reversed(page.sections):
        kinds = {row.kind for row in page.within(section)}
        if section.level > 1 and not kinds - {"blank", "head", "rule"}:
            page = edits.replace(page, section.start, section.end, [])
    return page
