"""One remembered thing put into a memory file: only the sections that its kind names change (seed 003, "Mid-Session").

Pure: page in, page out. What stands there in the same words is not written again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay import todo
from belay.memory import edit, facts, form, sentence
from belay.memory.page import Page, Record, Section, parse, plain

SECTIONS = {
    "decision": ("decisions",),
    "blocker": ("blockers",),
    "note": ("architecture",),
    "issue": ("issues", "gaps"),
    "preference": ("preferences",),
    "value": ("external",),
    "done": ("completed",),
}
"""Kind → the section it goes to, the first one that the file has; without any the first is put in."""
KINDS = ("decision", "blocker", "note", "preference", "value", "done")
SECOND = "## Decision Log\n| Date | Decision | Rationale |\n|------|----------|-----------|\n"
"""The decision table of seed 004's form."""
_FILLED = ("item", "row", "text", "code", "html", "quote")
_NO_GAP = ("item", "heading", "comment")
_ITEM = re.compile(r"^(\s*)([-*+])\s")
_WORDS_SHARED = 2
"""Words that a shorter name of a task must have to stand for a longer one."""


class Note(NamedTuple):
    """One thing to remember: `date` YYYY-MM-DD; `reason` and `affects` of a decision, `files` of work that is done."""

    kind: str
    text: str
    date: str
    reason: str = ""
    affects: str = ""
    files: tuple[str, ...] = ()


def noted(kind: str, text: str, date: str, reason: str = "", affects: str = "") -> Note:
    """Return the note of a sentence: a decision's reason is taken from it, a note of something broken is an issue."""
    if kind == "decision" and not reason:
        text, reason = sentence.reasoned(text)
    if kind == "note" and sentence.is_issue(text):
        kind = "issue"
    if kind == "done":
        text = sentence.task(text)
    return Note(kind, text.strip(), date, reason, affects)


def put(page: Page, note: Note, template: Page) -> Page:
    """Return the page with the note in its sections, which are put in where the file has none of them."""
    note = note._replace(text=_closed(note.text))
    if note.kind == "done":
        return _done(page, note, template)
    if line_of(page, note):
        return page
    name = section_name(page, note.kind)
    if note.kind == "decision":
        return _decided(page, note, template)
    return _add(edit.ensure(page, name, template), name, note.text)


def _closed(text: str) -> str:
    """Return a text that cannot open a code block when it stands as an item."""
    return "\\" + text if text[:3] in ("```", "~~~") else text


def create(template: str, note: Note) -> Page:
    """Return a new memory file of a filled template with the note; sections that stay empty are left out."""
    made = parse(template)
    page = put(made, note, made)
    for section in reversed(page.sections):
        if section.level > 1 and not any(row.kind in _FILLED for row in page.within(section)):
            page = edit.replace(page, section.start, section.end, [])
    return parse(page.text.rstrip("\r\n") + page.newline)


def section_name(page: Page, kind: str) -> str:
    """Return the canonical name of the section that a kind goes to in this file."""
    names = SECTIONS[kind]
    return next((name for name in names if page.section(name)), names[0])


def line_of(page: Page, note: Note) -> int:
    """Return the line (1-based) in which a note's section says the same in the same words, 0 for none."""
    rest = [part for part in (note.reason, note.affects) if part]
    wanted = {todo.plain(" ".join([note.text, *rest[:number]])) for number in range(len(rest) + 1)} - {""}
    section = page.section(section_name(page, note.kind))
    for row in page.within(section) if section else []:
        for at, text in _texts(page, row):
            if todo.plain(sentence.undated(text)) in wanted:
                return at + 1
    return 0


def _texts(page: Page, row: Record) -> list[tuple[int, str]]:
    """Return (line, text) of everything in a record that may be a fact of its own."""
    if row.kind == "row":
        return [(row.start, cell) for cell in row.cells] + [(row.start, " ".join(row.cells[1:3]))]
    if row.kind == "text":
        return [(at, plain(page.lines[at])) for at in range(row.start, row.end)]
    return [(row.start, row.text.split(" (files: ")[0])] if row.kind == "item" else []


def changed(old: Page, new: Page) -> list[str]:
    """Return the titles of the sections whose own lines differ between two states of a file, in its order."""
    before = {(one.title, one.level): _own(old, one) for one in old.sections}
    parts = [one for one in new.sections if one.level > 1 or one.name or before]
    found = [one.title for one in parts if before.get((one.title, one.level), "") != _own(new, one)]
    gone = {one.title for one in old.sections} - {one.title for one in new.sections}
    return [*dict.fromkeys(found), *sorted(gone)]


def titles(page: Page, note: Note) -> list[str]:
    """Return the title of the section that a note stands in or belongs to."""
    name = section_name(page, note.kind)
    section = page.section(name)
    return [section.title if section else form.TITLES[name]]


def _own(page: Page, section: Section) -> str:
    return "".join(page.lines[section.start : edit.content_end(page, section)])


def _add(page: Page, name: str, text: str) -> Page:
    """Return the page with an item at the end of a section that is there; a placeholder makes room for it."""
    section = page.section(name)
    assert section is not None
    filled = [row for row in page.within(section) if row.kind in _FILLED]
    line = f"{_marker(page, filled)} {text}"
    if filled and all(facts.is_hint(row.text) for row in filled):
        return edit.replace(page, filled[0].start, filled[-1].end, [line])
    at = edit.content_end(page, section)
    last = next((row for row in page.records if row.start < at <= row.end), None)
    gap = [""] if last and last.kind not in _NO_GAP else []
    return edit.insert(page, at, [*gap, line])


def _marker(page: Page, rows: list[Record]) -> str:
    items = [_ITEM.match(plain(page.lines[row.start])) for row in rows if row.kind == "item"]
    return next((item.group(2) for item in items if item), "-")


def _decided(page: Page, note: Note, template: Page) -> Page:
    second = facts.form_of(page) == "004" and not page.section("decisions")
    page = edit.ensure(page, "decisions", parse(SECOND) if second else template)
    section = page.section("decisions")
    assert section is not None
    return edit.put_row(
        page, "decisions", _cells(note, edit.columns(page, section)), _hint_row(page, section)
    )


def _cells(note: Note, names: list[str]) -> dict[str, str]:
    """Return a decision's cells; what the table has no column for goes into the one before."""
    decision, reason, affects = note.text, note.reason, note.affects
    if names and affects and "affects" not in names:
        decision, affects = f"{decision} (affects {affects})", ""
    if names and reason and "reason" not in names:
        decision, reason = f"{decision}: {reason}", ""
    return {"date": note.date, "decision": decision, "reason": reason, "affects": affects}


def _hint_row(page: Page, section: Section) -> int:
    """Return the line of a row that holds nothing but a template's placeholders, -1 without one."""
    rows = (row for row in page.within(section) if row.kind == "row" and any(row.cells))
    return next((row.start for row in rows if all(map(_is_hint, row.cells))), -1)


def _is_hint(cell: str) -> bool:
    return not cell.strip() or facts.is_hint(cell)


def _done(page: Page, note: Note, template: Page) -> Page:
    """Return the page with a task moved from Active Work to Completed, and Where We Left Off if it was that task."""
    stream = _workstream(page, note.text)
    if stream:
        return _status(page, stream, f"Done ({note.date})")
    item = _open_item(page, note.text)
    text = max(note.text, sentence.undated(item.text) if item else "", key=len)
    page = _taken(page, item) if item else page
    if not line_of(page, note._replace(text=text)):
        files = f" (files: {', '.join(f'`{path}`' for path in note.files)})" if note.files else ""
        page = edit.ensure(page, "completed", template)
        page = _add(page, "completed", f"{note.date} {text}{files}")
    return _left(page, {note.text, text})


def reached(page: Page, note: Note, also: list[str], left: dict[str, str], template: Page) -> Page:
    """Return the page after a milestone: its note done, tasks of `also` that stand open done too, Where We Left Off.

    A status of `left` does not replace that of a task which has just been finished.
    """
    for text in also:
        if _open_item(page, text):
            page = _done(page, note._replace(text=text, files=()), template)
    page = edit.ensure(_done(page, note, template), "left", template)
    told = facts.facts(page)["left"]
    over = told["status"] == "done" and is_about(left.get("task") or told["task"], told["task"])
    return edit.left_off(
        page, {key: value for key, value in left.items() if value and not (over and key == "status")}
    )


def is_about(said: str, known: str) -> bool:
    """Whether two names of a task mean the same one: the same words, or all words of the shorter in the longer."""
    one, other = todo.plain(said), todo.plain(known)
    few, many = sorted((set(one.split()), set(other.split())), key=len)
    return bool(one) and (one == other or (len(few) >= _WORDS_SHARED and few <= many))


def _open_item(page: Page, text: str) -> Record | None:
    """Return the one open item of Active Work that a text names; None where none or several could be meant."""
    section = page.section("active")
    items = [row for row in page.within(section) if row.kind == "item"] if section else []
    items = [row for row in items if not facts.is_hint(row.text) and row.text[:3].lower() != "[x]"]
    same = [row for row in items if todo.plain(sentence.undated(row.text)) == todo.plain(text)]
    found = same or [row for row in items if is_about(text, sentence.undated(row.text))]
    return found[0] if len(found) == 1 else None


def _taken(page: Page, item: Record) -> Page:
    """Return the page without an item; one with items below it is ticked instead, for they would lose their place."""
    mine = _ITEM.match(plain(page.lines[item.start]))
    below = page.lines[item.end] if item.end < len(page.lines) else ""
    theirs = _ITEM.match(plain(below))
    if mine and theirs and len(theirs.group(1)) > len(mine.group(1)):
        return edit.replace(
            page, item.start, item.start + 1, [plain(page.lines[item.start]).replace("[ ]", "[x]", 1)]
        )
    return edit.replace(page, item.start, item.end, [])


def _left(page: Page, done: set[str]) -> Page:
    """Return the page with the task's status set to done, and a next step that is done replaced by an open item."""
    told = facts.facts(page)["left"]
    values: dict[str, str] = {}
    if any(is_about(text, told["task"]) for text in done):
        values["status"] = "done"
    if any(is_about(text, told["next"]) for text in done):
        values["next"] = _first_open(page)
    return edit.left_off(page, values)


def _first_open(page: Page) -> str:
    rows = facts.facts(page)["active"]
    return next((str(row["text"]) for row in rows if not row["done"] and not facts.is_hint(row["text"])), "")


def _workstream(page: Page, text: str) -> Section | None:
    """Return the workstream of seed 004's form that a text names and that is not done."""
    rows = [row for row in facts.facts(page)["workstreams"] if not row["done"]]
    lines = [row["line"] - 1 for row in rows if is_about(text, row["title"])]
    return next((one for one in page.sections if lines == [one.start]), None)


def _status(page: Page, section: Section, status: str) -> Page:
    known = edit.fields(page, section).get("status")
    if known is None:
        return edit.insert(page, section.body, [f"**{form.LABELS['status']}:** {status}"])
    line = plain(page.lines[known.start])
    line = line.replace(known.value, status, 1) if known.value and known.value in line else f"{line} {status}"
    return edit.replace(page, known.start, known.end, [line])
