"""Read the facts of a memory file: plain values, compiled to JSON once for all starts (`memory.memory_facts`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.core import kinds
from belay.memory.document import edits, path_references, template_sections
from belay.memory.document.page import Page, Record, Section, strip_line_end

if TYPE_CHECKING:
    from belay.memory import memory_facts
    from belay.memory.memory_facts import Facts

_DATED = re.compile(r"[\s>*_|-]*" + edits.HEADER.pattern, re.I)
_SESSION = re.compile(r"\bSession:?\s+(\d{1,6})\b", re.I)
_BRANCH = re.compile(r"\bBranch:\s*([^|\s][^|]*)", re.I)
_DATE = re.compile(r"^\W{0,4}(\d{4}-\d\d-\d\d)\W{0,5}\s*")
_BOX = re.compile(r"^\[([ xX])\]\s*")
_RESOLVED = re.compile(
    r"^\W*~~.*~~|\b(?:FIXED|DONE|RESOLVED|COMPLETE|CLOSED)\b[ :*-]*\(?\d{4}-\d\d-\d\d|^\W*(?:RESOLVED|FIXED|DONE)\b"
    r"|(?<!NOT )\b(?:RESOLVED|FIXED|UNBLOCKED)\W*$|^\W*[Rr]esolved\b(?=\W*[:(\d–—-])|\([Rr]esolved\b[^()]*\)\W*$"
)
_OVER = re.compile(r"[—–(:-]\s*\W{0,2}(?:complete|completed|done|finished|shipped)\b", re.I)
_PAUSED = re.compile(r"\b(?:paused|on hold|parked)\b", re.I)
_PLACEHOLDER = re.compile(
    r"^(?=[^\[]*\[)(?:(?:\[[^\[\]]{3,}\]|(?-i:\[N\])|\d{4}-\d\d-\d\d\b|\bsession \d+\b|\b\d{1,3}\b)(?!\()\W*)+$"
    r"|^(?:none|n/a|nothing|tbd|placeholder|-)\W*$|^[\"'“”]*[.…][\s.…\"'“”]*$",
    re.I,
)
_FILLING = ("item", "row", "text", "code", "html", "quote")
SESSION_DIGITS = 6
"""Most digits of a session number; a longer number is no session."""


def read_facts(page: Page) -> Facts:
    """Return everything that a memory file says."""
    section = page.section("left")
    fields = edits.find_fields(page, section) if section else edits.find_opening_fields(page)
    overview, overview_line = next((row for row in edits.list_overviews(page) if not is_placeholder(row[0])), ("", 0))
    return {
        "form": detect_form(page),
        "lines": len(page.lines),
        "header": _read_header(page),
        "sections": [_section_row(page, heading) for heading in page.sections],
        "unverified": _find_line(page, template_sections.UNVERIFIED),
        "overview": overview,
        "overview_line": overview_line,
        "left": {
            "task": _field_value(fields, "task"),
            "status": _field_value(fields, "status"),
            "next": _field_value(fields, "next"),
            "question": _field_value(fields, "question"),
        },
        "left_lines": _field_lines(fields),
        "completed": [_completed_row(row) for row in _find_items(page, "completed")],
        "active": [_task_row(row) for row in _find_items(page, "active")],
        "blockers": [_problem_row(row) for row in _find_items(page, "blockers")],
        "decisions": _decision_rows(page),
        "files": _file_rows(page),
        "issues": [_problem_row(row) for name in ("issues", "gaps") for row in _find_items(page, name)],
        "log": _log_rows(page),
        "workstreams": _workstream_rows(page),
        "references": _reference_rows(page),
        "refs": [{"line": ref.line, "path": ref.path, "at": ref.at} for ref in path_references.find_paths(page)],
        "architecture": _text_rows(page, "architecture"),
        "preferences": _text_rows(page, "preferences"),
        "external": _text_rows(page, "external"),
    }


def detect_form(page: Page) -> str:
    """Return which template a file follows: "003", "004", "other", or "empty"."""
    if not any(row.kind not in ("blank", "front-matter", "comment") for row in page.records):
        return "empty"
    names = {section.name for section in page.sections}
    if "workstreams" in names:
        return "004"
    titled = sum(
        section.title == kinds.MEMORY_SECTIONS[section.name]
        for section in page.sections
        if section.name in template_sections.FIRST_FORM
    )
    return "003" if titled >= 2 and ("left" in names or "overview" in names) else "other"


def is_placeholder(text: str) -> bool:
    """Whether a text is a template's own placeholder, says "none", or is nothing but dots."""
    return bool(_PLACEHOLDER.match(text.strip()))


def _is_template(text: str) -> bool:
    """Whether a text is one of the template's placeholders in brackets."""
    return text.lstrip().startswith("[") and is_placeholder(text)


def is_resolved(text: str) -> bool:
    """Whether an item is struck through or dated as fixed or done (seed 004's form)."""
    return bool(_RESOLVED.search(text))


def _find_line(page: Page, text: str) -> int:
    return next((at for at, line in enumerate(page.lines, 1) if strip_line_end(line).strip(" >*_") == text), 0)


def _join_words(text: str) -> str:
    return " ".join(text.split())


def _find_items(page: Page, name: str) -> list[Record]:
    """Return the items of a section, the template's own placeholders left out."""
    return [row for row in edits.find_records(page, name, "item") if not is_placeholder(_BOX.sub("", row.text))]


def _text_rows(page: Page, name: str) -> list[memory_facts.TextRow]:
    rows = edits.find_records(page, name, "item", "text", "row")
    return [{"line": row.start + 1, "text": _join_words(row.text)} for row in rows if not _is_template(row.text)]


def _read_header(page: Page) -> memory_facts.Header:
    header: memory_facts.Header = {"line": 0, "updated": "", "session": 0, "branch": "", "health": 0, "reviewed": ""}
    for at in edits.find_header_lines(page):
        line = strip_line_end(page.lines[at])
        updated, health = edits.HEADER.search(line), edits.HEALTH.search(line)
        if updated and not header["line"]:
            session, branch = _SESSION.search(line), _BRANCH.search(line)
            reviewed = template_sections.REVIEWED.search(line)
            header["line"] = at + 1
            header["updated"] = updated.group(1) or ""
            header["reviewed"] = reviewed.group(1) if reviewed else ""
            header["session"] = int(session.group(1)) if session else 0
            header["branch"] = branch.group(1).strip(" *`") if branch else ""
        if health:
            header["health"] = min(10, int(health.group(1)))
    if not header["line"]:
        header["updated"], header["line"] = _find_date_elsewhere(page)
    return header


def _find_date_elsewhere(page: Page) -> tuple[str, int]:
    """Return (date, line) of the newest "Last updated" in the front matter or the text, where guides put it."""
    dates = [
        (mark.group(1) or "", at + 1)
        for row in page.records
        if row.kind in ("front-matter", "text", "quote", "item")
        for at in range(row.start, row.end)
        if (mark := _DATED.match(page.lines[at]))
    ]
    return max(dates, default=("", 0))


def _section_row(page: Page, section: Section) -> memory_facts.SectionRow:
    filled = any(row.kind in _FILLING and not is_placeholder(row.text) for row in page.within(section))
    return {
        "title": section.title, "name": section.name, "line": section.start + 1, "end": section.end,
        "level": section.level, "filled": filled,
    }  # fmt: skip


def _field_value(fields: dict[str, edits.Field], key: str) -> str:
    value = fields[key].value if key in fields else ""
    return "" if is_placeholder(value) else value


def _field_lines(fields: dict[str, edits.Field]) -> memory_facts.LeftOffLines:
    lines: memory_facts.LeftOffLines = {}
    for key in template_sections.LEFT_KEYS:
        if key in fields:
            lines[key] = fields[key].start + 1
    return lines


def _split_date(text: str) -> tuple[str, str]:
    mark = _DATE.match(text)
    return (mark.group(1), text[mark.end() :].strip()) if mark else ("", text.strip())


def _completed_row(row: Record) -> memory_facts.CompletedRow:
    date, text = _split_date(_BOX.sub("", _join_words(row.text)))
    return {"line": row.start + 1, "date": date, "text": text}


def _task_row(row: Record) -> memory_facts.TaskRow:
    text, over = _read_item(row)
    return {"line": row.start + 1, "text": text, "done": over}


def _problem_row(row: Record) -> memory_facts.ProblemRow:
    text, over = _read_item(row)
    return {"line": row.start + 1, "text": text, "resolved": over}


def _read_item(row: Record) -> tuple[str, bool]:
    """Return an item's text without its box, and whether it is over: ticked, struck through or dated as done."""
    text = _join_words(row.text)
    box = _BOX.match(text)
    ticked = bool(box and box.group(1) in "xX")
    return _BOX.sub("", text), ticked or is_resolved(text)


def _read_tables(page: Page, name: str) -> list[tuple[Record, dict[str, str]]]:
    """Return (record, canonical column → cell) of every row of a section's tables."""
    columns: list[str] = []
    rows = []
    for row in edits.find_records(page, name, "head", "row"):
        if row.kind == "head":
            columns = [template_sections.canonical_column(cell) for cell in row.cells]
        elif not is_placeholder(row.text) and any(not is_placeholder(cell) and cell.strip() for cell in row.cells):
            cells = {key: cell.strip() for key, cell in zip(columns, row.cells, strict=False) if key}
            rows.append((row, cells))
    return rows


def _decision_rows(page: Page) -> list[memory_facts.DecisionRow]:
    rows: list[memory_facts.DecisionRow] = [
        {
            "line": row.start + 1, "date": cells.get("date", ""), "decision": cells.get("decision", ""),
            "reason": cells.get("reason", ""), "affects": cells.get("affects", ""),
        }
        for row, cells in _read_tables(page, "decisions")
    ]  # fmt: skip
    for row in edits.find_records(page, "decisions", "item"):
        date, text = _split_date(_join_words(row.text))
        if not is_placeholder(text):
            rows.append({"line": row.start + 1, "date": date, "decision": text, "reason": "", "affects": ""})
    return [row for row in sorted(rows, key=lambda row: row["line"]) if row["decision"]]


def _file_rows(page: Page) -> list[memory_facts.FileRow]:
    rows: list[memory_facts.FileRow] = []
    for row, cells in _read_tables(page, "files"):
        session = _SESSION.search(cells.get("changed", ""))
        rows.append(
            {"line": row.start + 1, "path": path_references.unquote_path(cells.get("file") or row.cells[0]),
             "purpose": cells.get("purpose", ""), "session": int(session.group(1)) if session else 0}
        )  # fmt: skip
    for row in edits.find_records(page, "files", "item"):
        refs = path_references.find_paths_in_line(row.text)
        if refs:
            purpose = _join_words(row.text)
            rows.append({"line": row.start + 1, "path": refs[0].path, "purpose": purpose, "session": 0})
    return rows


def parse_session_number(text: str) -> int:
    """Return the session number in a cell of the log, 0 for anything else."""
    text = text.partition("<!--")[0].strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= SESSION_DIGITS else 0


def _log_rows(page: Page) -> list[memory_facts.LogRow]:
    return [
        {"line": row.start + 1, "session": parse_session_number(cells.get("session", "")),
         "date": cells.get("date", ""), "summary": cells.get("summary", "")}
        for row, cells in _read_tables(page, "log")
    ]  # fmt: skip


def _reference_rows(page: Page) -> list[memory_facts.ReferenceRow]:
    return [
        {"line": row.start + 1, "what": cells.get("what", ""), "where": cells["where"].strip("`")}
        for name in ("references", "files")
        for row, cells in _read_tables(page, name)
        if cells.get("where")
    ]


def _workstream_rows(page: Page) -> list[memory_facts.WorkstreamRow]:
    parent = page.section("workstreams")
    inner = [section for section in page.sections if parent and parent.body <= section.start < parent.end]
    return [_workstream_row(page, section) for section in inner if parent and section.level == parent.level + 1]


def _workstream_row(page: Page, section: Section) -> memory_facts.WorkstreamRow:
    values = {key: field.value for key, field in edits.find_fields(page, section).items()}
    status = values.get("status", "")
    over = bool(_OVER.search(section.title) or re.match(r"\W*(done|complete)", status, re.I))
    return {
        "line": section.start + 1, "title": plain_workstream_title(section.title), "status": status,
        "reference": values.get("reference", ""), "metric": values.get("metric", ""),
        "next": values.get("next", ""), "done": over, "paused": bool(_PAUSED.search(section.title)),
    }  # fmt: skip


def plain_workstream_title(title: str) -> str:
    """Return a workstream's title without its number and without what follows a dash or bracket."""
    return re.sub(r"\s+[—–-]\s.*|\s*\(.*", "", re.sub(r"^\d+[.)]\s*", "", _join_words(title))).strip()
