"""Write a wrap-up into a memory file of seed 003's template, section by section. Page in, page out.

The same entry twice gives the same page. Every function changes the section in its name, and of that only
what Belay owns: labelled fields, items it adds or ticks, rows known again by what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from belay.core.text.duplicates import same, says_more
from belay.core.text.statements import wording
from belay.memory.document import edits, facts, key_files, table_cells, template_sections
from belay.memory.document.page import Page, Record, strip_line_end
from belay.memory.memory_facts import DecisionRow
from belay.memory.remember import notes
from belay.memory.remember.sentences import strip_date
from belay.memory.remember.superseded import mark_superseded
from belay.memory.wrapup.form import Decision, Document
from belay.session.work import todo

MARK = "<!-- belay: project memory -->"
"""The line by which a MEMORY.md is known to follow Belay's template, however little of it is there."""
SECTIONS = (
    "overview", "left", "ticks", "completed", "active", "blockers", "preferences", "decisions", "files", "architecture",
    "issues", "external", "log", "header",
)  # fmt: skip
"""What `apply` can be asked to write; `ticks` are the boxes of Active Work, `active` its new items."""
_MARKED = 5
"""Lines in which the mark is looked for."""


class Entry(NamedTuple):
    """A wrap-up's document with what code adds: local date and time, session (8 letters), branch, digest.

    Its texts are on one line. `written` is False for the audit's own document, which replaces nothing
    by nothing but the fields that are `cleared`. `touched`: the files that the session edited;
    `wrapped`: whether a wrap-up of it was saved before.
    """

    document: Document
    date: str
    time: str
    session: str
    branch: str
    digest: str
    written: bool = True
    touched: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    wrapped: bool = False


def detect_form(page: Page) -> str:
    """Return which form a file follows: "003" (Belay's mark counts), "004", "other" or "empty"."""
    if any(strip_line_end(line).strip() == MARK for line in page.lines[:_MARKED]):
        return "003"
    return facts.detect_form(page)


def apply_entry(
    page: Page, entry: Entry, template: Page, sections: Collection[str] = SECTIONS, number: int = 0
) -> Page:
    """Return the page with these sections brought up to date; `number` is the session's, known from another layer."""
    number = number or find_session_number(page, entry.session)
    for name in SECTIONS:
        if name in sections:
            page = _STEPS[name](page, entry, template, number)
    return page


def find_session_number(page: Page, session: str) -> int:
    """Return the session's number: its row's in the log, else the header's if no row has that yet, else the next."""
    known_facts, row = facts.read_facts(page), find_log_row(page, session)
    header, numbers = (
        known_facts["header"]["session"],
        {entry_row["line"]: entry_row["session"] for entry_row in known_facts["log"]},
    )
    if row:
        return int(numbers.get(row.start + 1) or header or 1)
    highest = max(numbers.values(), default=0)
    if header > highest and not edits.find_records(page, "log", "item"):
        return int(header)
    return int(max(header, highest)) + 1


def find_log_row(page: Page, session: str) -> Record | None:
    """Return the session's own record in the log: the one that carries its mark."""
    return next(
        (row for row in edits.find_records(page, "log") if _session_comment(session) in page.lines[row.start]),
        None,
    )


def _session_comment(session: str) -> str:
    return f"<!-- {session} -->"


def _write_overview(page: Page, entry: Entry, template: Page, number: int) -> Page:
    """Write the overview where there is none; one that is there is a person's."""
    text = entry.document["overview"]
    if not text or facts.read_facts(page)["overview"]:
        return page
    page = edits.ensure_section(page, "overview", template)
    section = page.section("overview")
    assert section is not None
    rows = [row for row in page.within(section) if row.kind in notes.FILLED]
    if rows:
        return edits.replace_lines(page, rows[0].start, rows[-1].end, [_escape_markup(text)])
    return edits.insert_lines(page, section.body, [_escape_markup(text)])


def _write_header(page: Page, entry: Entry, template: Page, number: int) -> Page:
    header = facts.read_facts(page)["header"]
    return edits.set_header(
        page,
        max(entry.date, header["updated"]),
        max(number, header["session"]),
        entry.branch or header["branch"],
        reviewed="" if entry.written else header["reviewed"] or header["updated"],
    )


def _write_left_off(page: Page, entry: Entry, template: Page, number: int) -> Page:
    """Set the four fields; a written document leaves none of an earlier session behind."""
    document = entry.document
    values: dict[str, str] = {
        key: document[key]
        for key in template_sections.LEFT_KEYS
        if entry.written or document[key] or key in entry.cleared
    }
    return edits.set_left_off(edits.ensure_section(page, "left", template), values) if values else page


def _write_ticks(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return tick_boxes(page, entry.document["completed"])


def _write_completed(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "completed", f"{entry.date} {{}}", entry.document["completed"], template)


def _write_active(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "active", "[ ] {}", entry.document["active"], template)


def _write_blockers(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "blockers", "{}", entry.document["blockers"], template)


def _write_preferences(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "preferences", "{}", entry.document["preferences"], template)


def _write_decisions(page: Page, entry: Entry, template: Page, number: int) -> Page:
    page = mark_superseded(page, entry.date, [row["decision"] for row in entry.document["decisions"]])
    for row in entry.document["decisions"]:
        page = put_decision(page, entry.date, row, template)
    return page


def _write_files(page: Page, entry: Entry, template: Page, number: int) -> Page:
    for row in entry.document["files"]:
        page = key_files.put_file_row(page, row["path"], row["purpose"], number, template)
    return key_files.stamp_changed_files(page, entry.touched, number)


def _write_architecture(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "architecture", "{}", entry.document["architecture"], template)


def _write_issues(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "issues", "{}", entry.document["issues"], template)


def _write_external(page: Page, entry: Entry, template: Page, number: int) -> Page:
    return add_items(page, "external", "{}", entry.document["external"], template)


def _write_log(page: Page, entry: Entry, template: Page, number: int) -> Page:
    """Put the session's one row in; what code alone says does not replace what was written."""
    known = find_log_row(page, entry.session)
    if not entry.document["summary"] or (known and entry.wrapped and not entry.written):
        return page
    page = edits.ensure_section(page, "log", template)
    summary = f"{entry.document['summary']} {_session_comment(entry.session)}"
    return table_cells.put_row(page, "log", {"session": str(number), "date": entry.date, "summary": summary}, known)


_STEPS: dict[str, Callable[[Page, Entry, Page, int], Page]] = {
    "overview": _write_overview, "left": _write_left_off, "ticks": _write_ticks, "completed": _write_completed,
    "active": _write_active, "blockers": _write_blockers, "preferences": _write_preferences,
    "decisions": _write_decisions, "files": _write_files, "architecture": _write_architecture,
    "issues": _write_issues, "external": _write_external, "log": _write_log, "header": _write_header,
}  # fmt: skip


def add_items(page: Page, name: str, shape: str, texts: list[str], template: Page) -> Page:
    """Return the page with an item for each text that the section does not have yet."""
    records = edits.find_records(page, name, "item", "text", "row")
    lines = [strip_line_end(page.lines[row.start]).strip().lstrip("-*+") for row in records]
    known = [strip_date(text) for text in [*lines, *(row.text for row in records)]]
    new = find_new_texts([*map(_escape_markup, texts)], known)
    page = edits.ensure_section(page, name, template) if new else page
    for text in new:
        page = notes.add_item(page, name, shape.format(text))
    return page


def _escape_markup(text: str) -> str:
    """Return a text that stays one line of an item: what would begin a list, a heading, code or a quote does not."""
    text = text.lstrip("-*+ ") if text[:2] in ("- ", "* ", "+ ") else text
    return "\\" + text if text.startswith(("```", "~~~", "#", ">", "<!--")) else text


def tick_boxes(page: Page, texts: list[str]) -> Page:
    """Return the page with the one open box of Active Work ticked that each text matches."""
    for text in texts:
        boxes = [row for row in edits.find_records(page, "active", "item") if row.text.startswith("[ ]")]
        found = todo.find_match([row.text[3:] for row in boxes], text)
        if found >= 0:
            at = boxes[found].start
            page = edits.replace_lines(page, at, at + 1, [strip_line_end(page.lines[at]).replace("[ ]", "[x]", 1)])
    return page


def put_decision(page: Page, date: str, row: Decision, template: Page) -> Page:
    """Return the page with a decision (decision, reason, affects); one of another day that says the same stays."""
    page = edits.ensure_section(page, "decisions", template)
    known = next(
        (decision for decision in facts.read_facts(page)["decisions"] if _is_same_decision(decision, row["decision"])),
        None,
    )
    if known and (known["date"] != date or says_more(known["decision"], row["decision"])):
        return page
    values = {
        "date": date,
        "decision": row["decision"],
        "reason": row.get("reason", ""),
        "affects": row.get("affects", ""),
    }
    return table_cells.put_row(
        page, "decisions", values, table_cells.find_record(page, known["line"] - 1) if known else None
    )


def _is_same_decision(known: DecisionRow, decision: str) -> bool:
    """Whether a known decision says this; a decision that is an item carries its reason after it."""
    text = known["decision"]
    return same(decision, text) or (not known["reason"] and same(decision, text.partition(": ")[0]))


def find_new_texts(texts: list[str], known: list[str]) -> list[str]:
    """Return the texts that are not among the known ones, each once."""
    seen, new = {wording(text) for text in known}, []
    for text in texts:
        if wording(text) not in seen:
            new.append(text)
        seen.add(wording(text))
    return new
