"""A note written into a memory file: only the sections of its kind change (seed 003, "Mid-Session Updates"). Pure.

What stands there in the same words is not written again.
"""

from __future__ import annotations

from belay.core.plain_text import words
from belay.memory.document import edits, facts, table_cells, template_sections
from belay.memory.document.page import Page, Record, Section, parse, plain
from belay.memory.memory_facts import LeftOff
from belay.memory.remember import notes, sentences
from belay.memory.remember.notes import Note

SECOND = "## Decision Log\n| Date | Decision | Rationale |\n|------|----------|-----------|\n"
"""The decision table of seed 004's form."""
_WORDS_SHARED = 2
"""Words that a shorter name of a task must have to stand for a longer one."""


def put(page: Page, note: Note, template: Page, base: Page | None = None) -> Page:
    """Return the page with the note in its sections, which are put in where the file has none of them.

    `base` is what lies below the page of a branch: a task that stands open there alone is ticked above it.
    """
    note = note._replace(text=_closed(note.text))
    if note.kind == "done":
        return _done(page, note, template, base)
    if notes.line_of(page, note):
        return page
    name = notes.section_name(page, note.kind)
    if note.kind == "decision":
        return _decided(page, note, template)
    return notes.add(edits.ensure(page, name, template), name, note.text)


def create(template: str, note: Note) -> Page:
    """Return a new memory file of a filled template with the note; sections that stay empty are left out."""
    made = parse(template)
    page = put(made, note, made)
    for section in reversed(page.sections):
        if section.level > 1 and not any(row.kind in notes.FILLED for row in page.within(section)):
            page = edits.replace(page, section.start, section.end, [])
    return parse(page.text.rstrip("\r\n") + page.newline)


def _closed(text: str) -> str:
    """Return a text that cannot open a code block when it stands as an item."""
    return "\\" + text if text[:3] in ("```", "~~~") else text


def _decided(page: Page, note: Note, template: Page) -> Page:
    second = facts.form_of(page) == "004" and not page.section("decisions")
    page = edits.ensure(page, "decisions", parse(SECOND) if second else template)
    section = page.section("decisions")
    assert section is not None
    return table_cells.put_row(page, "decisions", _cells(note, edits.columns(page, section)))


def _cells(note: Note, names: list[str]) -> dict[str, str]:
    """Return a decision's cells; what the table has no column for goes into the one before."""
    decision, reason, affects = note.text, note.reason, note.affects
    if names and affects and "affects" not in names:
        decision, affects = f"{decision} (affects {affects})", ""
    if names and reason and "reason" not in names:
        decision, reason = f"{decision}: {reason}", ""
    return {"date": note.date, "decision": decision, "reason": reason, "affects": affects}


def _done(page: Page, note: Note, template: Page, base: Page | None = None) -> Page:
    """Return the page with a task moved from Active Work to Completed, and Where We Left Off if it was that task."""
    stream = _workstream(page, note.text)
    if stream:
        return _status(page, stream, f"Done ({note.date})")
    item = _open_item(page, note.text)
    lower = _open_item(base, note.text) if base and not item else None
    if item:
        page = _taken(page, item)
    if lower:
        ticked = f"[x] {sentences.undated(lower.text)}"
        page = notes.add(edits.ensure(page, "active", template), "active", ticked)
    known = item or lower
    text = max(note.text, sentences.undated(known.text) if known else "", key=len)
    page = _completed(page, note._replace(text=text), template)
    return _left(page, {note.text, text}, template, base)


def _completed(page: Page, note: Note, template: Page) -> Page:
    if notes.line_of(page, note):
        return page
    files = f" (files: {', '.join(f'`{path}`' for path in note.files)})" if note.files else ""
    page = edits.ensure(page, "completed", template)
    return notes.add(page, "completed", f"{note.date} {note.text}{files}")


def reached(
    page: Page, note: Note, also: list[str], left: dict[str, str], template: Page, base: Page | None = None
) -> Page:
    """Return the page after a milestone: its note done, tasks of `also` that stand open done too, Where We Left Off.

    A status of `left` does not replace that of a task which has just been finished.
    """
    for text in also:
        if _open_item(page, text) or (base and _open_item(base, text)):
            page = _done(page, note._replace(text=text, files=()), template, base)
    page = edits.ensure(_done(page, note, template, base), "left", template)
    told = _left_off(page, base)
    over = told["status"] == "done" and is_about(left.get("task") or told["task"], told["task"])
    return edits.left_off(
        page, {key: value for key, value in left.items() if value and not (over and key == "status")}
    )


def is_about(said: str, known: str) -> bool:
    """Whether two names of a task mean the same one: the same words, or all words of the shorter in the longer."""
    one, other = words(said), words(known)
    few, many = sorted((set(one.split()), set(other.split())), key=len)
    return bool(one) and (one == other or (len(few) >= _WORDS_SHARED and few <= many))


def _open_item(page: Page, text: str) -> Record | None:
    """Return the one open item of Active Work that a text names; None where none or several could be meant."""
    items = [
        row
        for row in edits.rows(page, "active", "item")
        if not facts.is_hint(row.text) and row.text[:3].lower() != "[x]"
    ]
    same = [row for row in items if words(sentences.undated(row.text)) == words(text)]
    found = same or [row for row in items if is_about(text, sentences.undated(row.text))]
    return found[0] if len(found) == 1 else None


def _taken(page: Page, item: Record) -> Page:
    """Return the page without an item; one with items below it is ticked instead, for they would lose their place."""
    mine = notes.ITEM.match(plain(page.lines[item.start]))
    below = page.lines[item.end] if item.end < len(page.lines) else ""
    theirs = notes.ITEM.match(plain(below))
    if mine and theirs and len(theirs.group(1)) > len(mine.group(1)):
        return edits.replace(
            page, item.start, item.start + 1, [plain(page.lines[item.start]).replace("[ ]", "[x]", 1)]
        )
    return edits.replace(page, item.start, item.end, [])


def _left_off(page: Page, base: Page | None) -> LeftOff:
    """Return the fields of Where We Left Off; those that the page leaves empty come from the base."""
    left = facts.facts(page)["left"]
    below = facts.facts(base)["left"] if base else left
    for key in template_sections.LEFT_KEYS:
        left[key] = left[key] or below[key]
    return left


def _left(page: Page, done: set[str], template: Page, base: Page | None) -> Page:
    """Return the page with the task's status set to done, and a next step that is done replaced by an open item."""
    told = _left_off(page, base)
    values: dict[str, str] = {}
    if any(is_about(text, told["task"]) for text in done):
        values["status"] = "done"
    if any(is_about(text, told["next"]) for text in done):
        values["next"] = _first_open(page)
    page = edits.ensure(page, "left", template) if values else page
    return edits.left_off(page, values)


def _first_open(page: Page) -> str:
    rows = facts.facts(page)["active"]
    return next((str(row["text"]) for row in rows if not row["done"] and not facts.is_hint(row["text"])), "")


def _workstream(page: Page, text: str) -> Section | None:
    """Return the one workstream of seed 004's form that a text names."""
    lines = [row["line"] - 1 for row in facts.facts(page)["workstreams"] if is_about(text, row["title"])]
    return next((one for one in page.sections if lines == [one.start]), None)


def _status(page: Page, section: Section, status: str) -> Page:
    """Return the page with a workstream's status, unless it is done already."""
    if any(row["done"] for row in facts.facts(page)["workstreams"] if row["line"] == section.start + 1):
        return page
    known = edits.fields(page, section).get("status")
    if known is None:
        return edits.insert(page, section.body, [f"**{template_sections.LABELS['status']}:** {status}"])
    line = plain(page.lines[known.start])
    line = line.replace(known.value, status, 1) if known.value and known.value in line else f"{line} {status}"
    return edits.replace(page, known.start, known.end, [line])
