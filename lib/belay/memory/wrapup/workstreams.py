"""Write a wrap-up into a memory file of seed 004's form: rows of its decision table, and one workstream.

A workstream keeps its status and its "Next when resumed"; everything else goes to the daily log.
"""

from __future__ import annotations

import re

from belay.core.plain_text import words
from belay.memory.document import edits, facts, path_references, template_sections
from belay.memory.document.page import Page, Section, parse, strip_line_end
from belay.memory.memory_facts import Facts
from belay.memory.remember.insertion import DECISION_TABLE
from belay.memory.remember.superseded import mark_superseded
from belay.memory.wrapup import sections as wrapup_sections
from belay.memory.wrapup.sections import Entry

NEXT = "Next when resumed"
"""What seed 004 calls a workstream's next step."""
_VALUE = re.compile(r"^(\s*(?:[-*+]\s+)?(\*\*)?[^:]{1,40}:(?:\*\*)?)\s*")
_SHARED = 2
"""Words that a branch and a title share when they mean the same work; a title of one word is one."""


def apply_entry(page: Page, entry: Entry, *, decisions: bool = True) -> Page:
    """Return the page with new decisions, and status and next step of the one workstream the session was about."""
    table = parse(DECISION_TABLE)
    if decisions:
        page = mark_superseded(page, entry.date, [row["decision"] for row in entry.document["decisions"]])
    for row in entry.document["decisions"] if decisions else ():
        page = wrapup_sections.put_decision(page, entry.date, row, table)
    section = find_workstream(page, entry)
    if section:
        for key in ("status", "next"):
            page = _set_field(page, section.start, key, entry.document[key], entry.written)
    return _update_date(page, entry.date) if entry.written else page


def _update_date(page: Page, date: str) -> Page:
    """Return the page whose header, where it has one with a date, carries the day of the wrap-up."""
    header = facts.read_facts(page)["header"]
    if not header["updated"] or header["updated"] >= date:
        return page
    at = header["line"] - 1
    return edits.replace_lines(page, at, at + 1, [strip_line_end(page.lines[at]).replace(header["updated"], date, 1)])


def find_workstream(page: Page, entry: Entry) -> Section | None:
    """Return the one open workstream whose files, branch or title the session names, None for none or several."""
    known_facts = facts.read_facts(page)
    open_ = [section["line"] - 1 for section in known_facts["workstreams"] if not section["done"]]
    sections = [section for section in page.sections if section.start in open_]
    named = {ref.path for text in _entry_texts(entry) for ref in path_references.find_paths_in_line(text)} | {
        *entry.touched
    }
    by_files = [section for section in sections if named & _section_paths(known_facts, section)]
    by_words = [section for section in sections if _names_title(facts.plain_workstream_title(section.title), entry)]
    for candidates in (by_words, by_files):
        if len(candidates) == 1:
            return candidates[0]
    both = [section for section in by_words if section in by_files]
    return both[0] if len(both) == 1 else None


def _entry_texts(entry: Entry) -> list[str]:
    document = entry.document
    return [
        document["task"],
        document["next"],
        document["summary"],
        *(f"`{row['path']}`" for row in document["files"]),
    ]


def _section_paths(facts: Facts, section: Section) -> set[str]:
    return {ref["path"] for ref in facts["refs"] if section.start < ref["line"] <= section.end}


def _names_title(title: str, entry: Entry) -> bool:
    """Whether the branch's name or the task's words hold those of a title."""
    mine = set(words(title).split())
    branch, task = (set(words(text).split()) for text in (entry.branch, entry.document["task"]))
    return bool(mine) and (mine <= task or len(mine & branch) >= min(_SHARED, len(mine)))


def _set_field(page: Page, start: int, key: str, value: str, written: bool) -> Page:
    """Return the page with a workstream's labelled line saying something else; a next step may be put in.

    Unless a person's words were `written`, the next step that is there stays: it is a person's.
    """
    section = next(known_section for known_section in page.sections if known_section.start == start)
    known = edits.find_fields(page, section)
    if key == "next" and not written and key in known and known[key].value:
        return page
    if not value or (key not in known and (key != "next" or "status" not in known)):
        return page
    at = known.get(key) or known["status"]
    label = _VALUE.match(strip_line_end(page.lines[at.start]))
    lead = label.group(1) if label else f"**{template_sections.LABELS[key]}:**"
    if key in known:
        return edits.replace_lines(page, at.start, at.end, [f"{lead} {value}"])
    return edits.insert_lines(page, at.end, [lead.replace(lead.strip(" -*+:"), NEXT, 1) + f" {value}"])
