"""MEMORY.md at a wrap-up: the sections of a known template one by one; in anybody else's file one dated block.

Pure: text in, text out. The same entry twice gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from belay.memory import edit, facts, streams, update
from belay.memory.page import Page, parse, plain
from belay.memory.update import SECTIONS, Entry
from belay.templates import fill
from belay.wrapup import block


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
    kind = update.kind(page)
    if kind == "004":
        return streams.apply(page, entry, decisions="decisions" in sections).text
    if kind == "other":
        return block.put(page, entry).text
    if kind == "empty":
        lead = text.rstrip("\r\n") + page.newline * 2 if text.strip("\ufeff\r\n\t ") else ""
        new = parse(lead + created(entry, template, sections, number).text)
    else:
        new = update.apply(page, entry, form, sections, number)
    return scored(new, score).text if score and new.text != text else new.text


def created(entry: Entry, template: str, sections: Collection[str] = SECTIONS, number: int = 0) -> Page:
    """Return a new memory file; sections that nothing is known for are left out."""
    form = parse(template)
    values = {"date": entry.date, "session": str(number or 1), "branch": entry.branch}
    page = parse(fill(template, values))
    if not any(plain(line).strip() == update.MARK for line in page.lines):
        page = edit.insert(page, page.body, [update.MARK])
    page = bare(update.apply(page, entry, form, sections, number))
    return parse(page.text.rstrip("\r\n") + page.newline)


def scored(page: Page, score: Callable[[Page], int]) -> Page:
    """Return the page whose header carries its health."""
    told = facts.facts(page)["header"]
    if not told["updated"]:
        return page
    return edit.header(page, told["updated"], told["session"], told["branch"], score(page))


def bare(page: Page) -> Page:
    """Return the page without the sections that hold nothing but a table's head."""
    for section in reversed(page.sections):
        kinds = {row.kind for row in page.within(section)}
        if section.level > 1 and not kinds - {"blank", "head", "rule"}:
            page = edit.replace(page, section.start, section.end, [])
    return page
