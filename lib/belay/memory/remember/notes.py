"""One thing to remember, the section of a memory file it belongs to, and the line that says it already."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core import kinds
from belay.core.text.statements import wording
from belay.memory.document import edits, facts
from belay.memory.document.page import Page, Record, Section, strip_line_end
from belay.memory.remember import sentences

FILLED = ("item", "row", "text", "code", "html", "quote")
"""Kinds of record that say something."""
_NO_GAP = ("item", "heading", "comment")
_AFFECTS = re.compile(r"\s*\(affects [^()]*\)$")
ITEM = re.compile(r"^(\s*)([-*+])\s")
"""The line of a list item: how far it is indented, its marker."""


class Note(NamedTuple):
    """One thing to remember: `date` YYYY-MM-DD; `reason` and `affects` of a decision, `files` of work that is done."""

    kind: str
    text: str
    date: str
    reason: str = ""
    affects: str = ""
    files: tuple[str, ...] = ()


def build_note(kind: str, text: str, date: str, reason: str = "", affects: str = "") -> Note:
    """Return the note of a sentence: a decision's reason is taken from it, a note of something broken is an issue.

    Raises BadInput for an unknown kind.
    """
    kinds.check(kind, kinds.NOTES, "a kind of note")
    if kind == kinds.DECISION and not reason:
        text, reason = sentences.split_reason(text)
    if kind == kinds.NOTE and sentences.is_issue(text):
        kind = kinds.ISSUE
    if kind == kinds.DONE:
        text = sentences.strip_done(text)
    text, reason, affects = (part.encode("utf-8", "replace").decode() for part in (text, reason, affects))
    return Note(kind, text.strip(), date, reason, affects)


def find_section_name(page: Page, kind: str) -> str:
    """Return the canonical name of the section that a kind goes to in this file."""
    names = kinds.NOTE_SECTIONS[kind]
    return next((name for name in names if page.section(name)), names[0])


def find_line(page: Page, note: Note) -> int:
    """Return the line (1-based) in which a note's section says the same in the same words, 0 for none."""
    rest = [part for part in (note.reason, note.affects) if part]
    wanted = {wording(" ".join([note.text, *rest[:number]])) for number in range(len(rest) + 1)} - {""}
    for row in edits.find_records(page, find_section_name(page, note.kind)):
        for at, text in _record_texts(page, row):
            sentence = sentences.strip_date(_AFFECTS.sub("", text))
            parts = {sentence, sentence.partition(": ")[0]} if note.kind == kinds.DECISION else {sentence}
            if wanted & set(map(wording, parts)):
                return at + 1
    return 0


def _record_texts(page: Page, row: Record) -> list[tuple[int, str]]:
    """Return (line, text) of everything in a record that may be a fact of its own."""
    if row.kind == "row":
        return [(row.start, cell) for cell in row.cells] + [(row.start, " ".join(row.cells[1:3]))]
    if row.kind == "text":
        return [(at, strip_line_end(page.lines[at])) for at in range(row.start, row.end)]
    return [(row.start, row.text.split(" (files: ")[0])] if row.kind == "item" else []


def find_changed_titles(old: Page, new: Page) -> list[str]:
    """Return the titles of the sections whose own lines differ between two states of a file, in its order."""
    before = {(section.title, section.level): _section_text(old, section) for section in old.sections}
    sections = [section for section in new.sections if section.level > 1 or section.name or before]
    changed = [
        section.title
        for section in sections
        if before.get((section.title, section.level), "") != _section_text(new, section)
    ]
    gone = {section.title for section in old.sections} - {section.title for section in new.sections}
    return [*dict.fromkeys(changed), *sorted(gone)]


def find_titles(page: Page, note: Note) -> list[str]:
    """Return the title of the section of a note, [] if the file does not have it."""
    section = page.section(find_section_name(page, note.kind))
    return [section.title] if section else []


def _section_text(page: Page, section: Section) -> str:
    return "".join(page.lines[section.start : edits.find_content_end(page, section)])


def add_item(page: Page, name: str, text: str) -> Page:
    """Return the page with an item at the end of a section that is there; a placeholder makes room for it."""
    section = page.section(name)
    assert section is not None
    filled = [row for row in page.within(section) if row.kind in FILLED]
    line = f"{_list_marker(page, filled)} {text}"
    if filled and all(facts.is_placeholder(row.text) for row in filled):
        return edits.replace_lines(page, filled[0].start, filled[-1].end, [line])
    at = edits.find_content_end(page, section)
    last = next((row for row in page.records if row.start < at <= row.end), None)
    gap = [""] if last and last.kind not in _NO_GAP else []
    return edits.insert_lines(page, at, [*gap, line])


def _list_marker(page: Page, rows: list[Record]) -> str:
    items = [ITEM.match(strip_line_end(page.lines[row.start])) for row in rows if row.kind == "item"]
    return next((item.group(2) for item in items if item), "-")
