"""A note written into a memory file: only the sections of its kind change (seed 003, "Mid-Session Updates"). Pure.

A text that is there in the same words is not written again.
"""

from __future__ import annotations

from belay.core.plain_text import cut, words
from belay.core.text.statements import wording
from belay.memory.document import edits, facts, table_cells, template_sections
from belay.memory.document.page import Page, Record, Section, parse, strip_line_end
from belay.memory.memory_facts import LeftOff
from belay.memory.remember import notes, sentences
from belay.memory.remember.notes import Note
from belay.memory.remember.superseded import mark_superseded

DECISION_TABLE = "## Decision Log\n| Date | Decision | Rationale |\n|------|----------|-----------|\n"
"""The decision table of seed 004's form."""
MILESTONE_CHARS = 160
"""Characters of the todos that name a milestone."""
_WORDS_SHARED = 2
"""Words that a shorter name of a task must share with a longer one to mean the same task."""


def insert_note(page: Page, note: Note, template: Page, base: Page | None = None) -> Page:
    """Return the page with the note in its sections, which are put in where the file has none of them.

    `base` is the memory below a branch's page: a task that is open only there is ticked in the branch's page.
    """
    note = note._replace(text=_escape_code_fence(note.text))
    if note.kind == "done":
        return _complete_task(page, note, template, base)
    if notes.find_line(page, note):
        return page
    name = notes.find_section_name(page, note.kind)
    if note.kind == "decision":
        return _insert_decision(page, note, template)
    return notes.add_item(edits.ensure_section(page, name, template), name, note.text)


def create_memory(template: str, note: Note) -> Page:
    """Return a new memory file of a filled template with the note; sections that stay empty are left out."""
    made = parse(template)
    page = insert_note(made, note, made)
    for section in reversed(page.sections):
        if section.level > 1 and not any(row.kind in notes.FILLED for row in page.within(section)):
            page = edits.replace_lines(page, section.start, section.end, [])
    return parse(page.text.rstrip("\r\n") + page.newline)


def _escape_code_fence(text: str) -> str:
    """Return a text that cannot open a code block when it becomes an item."""
    return "\\" + text if text[:3] in ("```", "~~~") else text


def _insert_decision(page: Page, note: Note, template: Page) -> Page:
    page = mark_superseded(page, note.date, [note.text])
    second = facts.detect_form(page) == "004" and not page.section("decisions")
    page = edits.ensure_section(page, "decisions", parse(DECISION_TABLE) if second else template)
    section = page.section("decisions")
    assert section is not None
    return table_cells.put_row(page, "decisions", _decision_cells(note, edits.table_columns(page, section)))


def _decision_cells(note: Note, names: list[str]) -> dict[str, str]:
    """Return a decision's cells; what the table has no column for goes into the one before."""
    decision, reason, affects = note.text, note.reason, note.affects
    if names and affects and "affects" not in names:
        decision, affects = f"{decision} (affects {affects})", ""
    if names and reason and "reason" not in names:
        decision, reason = f"{decision}: {reason}", ""
    return {"date": note.date, "decision": decision, "reason": reason, "affects": affects}


def _complete_task(page: Page, note: Note, template: Page, base: Page | None = None) -> Page:
    """Return the page with a task moved from Active Work to Completed, and Where We Left Off if it was that task."""
    stream = _find_workstream(page, note.text)
    if stream:
        return _set_workstream_status(page, stream, f"Done ({note.date})")
    item = _find_open_item(page, note.text)
    lower = _find_open_item(base, note.text) if base and not item else None
    if item:
        page = _remove_item(page, item)
    if lower:
        ticked = f"[x] {sentences.strip_date(lower.text)}"
        page = notes.add_item(edits.ensure_section(page, "active", template), "active", ticked)
    known = item or lower
    text = max(note.text, sentences.strip_date(known.text) if known else "", key=len)
    page = _insert_completed(page, note._replace(text=text), template)
    return _update_left_off(page, {note.text, text}, template, base)


def _insert_completed(page: Page, note: Note, template: Page) -> Page:
    if notes.find_line(page, note):
        return page
    files = f" (files: {', '.join(f'`{path}`' for path in note.files)})" if note.files else ""
    page = edits.ensure_section(page, "completed", template)
    return notes.add_item(page, "completed", f"{note.date} {note.text}{files}")


def insert_milestone(
    page: Page, note: Note, also: list[str], left: dict[str, str], template: Page, base: Page | None = None
) -> Page:
    """Return the page after a milestone: its task and the open ones of `also` done, Where We Left Off updated.

    A milestone without a text is named by the task, where Active Work has it, else by the todos that are new here.
    """
    rest = []
    for text in also:
        if _is_open(page, text, base):
            page = _complete_task(page, note._replace(text=text, files=()), template, base)
        else:
            rest.append(text)
    task = left.get("task", "")
    name = note.text or (task if task and _is_open(page, task, base) else cut("; ".join(rest), MILESTONE_CHARS))
    page = _complete_task(page, note._replace(text=name), template, base) if name else page
    return update_left_off(page, left, template, base)


def _is_open(page: Page, text: str, base: Page | None) -> bool:
    return bool(_find_open_item(page, text) or (base and _find_open_item(base, text)))


def update_left_off(page: Page, left: dict[str, str], template: Page, base: Page | None = None) -> Page:
    """Return the page with fields of Where We Left Off; the status of a task that was just finished stays."""
    page = edits.ensure_section(page, "left", template)
    current = _read_left_off(page, base)
    over = current["status"] == "done" and names_same_task(left.get("task") or current["task"], current["task"])
    return edits.set_left_off(
        page, {key: value for key, value in left.items() if value and not (over and key == "status")}
    )


def names_same_task(name: str, other_name: str) -> bool:
    """Whether two names mean one task: the same words, or all words of the shorter in the longer.

    It finds the item that a name points at; whether two texts are one fact says `core.text.duplicates`.
    """
    first, second = words(name), words(other_name)
    few, many = sorted((set(first.split()), set(second.split())), key=len)
    return bool(first) and (first == second or (len(few) >= _WORDS_SHARED and few <= many))


def _find_open_item(page: Page, text: str) -> Record | None:
    """Return the one open item of Active Work that a text names; None where none or several could be meant."""
    items = [
        row
        for row in edits.find_records(page, "active", "item")
        if not facts.is_placeholder(row.text) and row.text[:3].lower() != "[x]"
    ]
    same = [row for row in items if wording(sentences.strip_date(row.text)) == wording(text)]
    matches = same or [row for row in items if names_same_task(text, sentences.strip_date(row.text))]
    return matches[0] if len(matches) == 1 else None


def _remove_item(page: Page, item: Record) -> Page:
    """Return the page without an item; one with items below it is ticked instead, for they would lose their place."""
    mine = notes.ITEM.match(strip_line_end(page.lines[item.start]))
    below = page.lines[item.end] if item.end < len(page.lines) else ""
    theirs = notes.ITEM.match(strip_line_end(below))
    if mine and theirs and len(theirs.group(1)) > len(mine.group(1)):
        return edits.replace_lines(
            page,
            item.start,
            item.start + 1,
            [strip_line_end(page.lines[item.start]).replace("[ ]", "[x]", 1)],
        )
    return edits.replace_lines(page, item.start, item.end, [])


def _read_left_off(page: Page, base: Page | None) -> LeftOff:
    """Return the fields of Where We Left Off; those that the page leaves empty come from the base."""
    left = facts.read_facts(page)["left"]
    below = facts.read_facts(base)["left"] if base else left
    for key in template_sections.LEFT_KEYS:
        left[key] = left[key] or below[key]
    return left


def _update_left_off(page: Page, done: set[str], template: Page, base: Page | None) -> Page:
    """Return the page with the task's status set to done, and a next step that is done replaced by an open item."""
    current = _read_left_off(page, base)
    values: dict[str, str] = {}
    if any(names_same_task(text, current["task"]) for text in done):
        values["status"] = "done"
    if any(names_same_task(text, current["next"]) for text in done):
        values["next"] = _find_first_open(page)
    page = edits.ensure_section(page, "left", template) if values else page
    return edits.set_left_off(page, values)


def _find_first_open(page: Page) -> str:
    rows = facts.read_facts(page)["active"]
    return next((str(row["text"]) for row in rows if not row["done"] and not facts.is_placeholder(row["text"])), "")


def _find_workstream(page: Page, text: str) -> Section | None:
    """Return the one workstream of seed 004's form that a text names."""
    lines = [row["line"] - 1 for row in facts.read_facts(page)["workstreams"] if names_same_task(text, row["title"])]
    return next((section for section in page.sections if lines == [section.start]), None)


def _set_workstream_status(page: Page, section: Section, status: str) -> Page:
    """Return the page with a workstream's status, unless it is done already."""
    if any(row["done"] for row in facts.read_facts(page)["workstreams"] if row["line"] == section.start + 1):
        return page
    known = edits.find_fields(page, section).get("status")
    if known is None:
        return edits.insert_lines(page, section.body, [f"**{template_sections.LABELS['status']}:** {status}"])
    line = strip_line_end(page.lines[known.start])
    line = line.replace(known.value, status, 1) if known.value and known.value in line else f"{line} {status}"
    return edits.replace_lines(page, known.start, known.end, [line])
