"""What a memory file says, as plain values that JSON can hold: compiled once, read by every start of a session.

Every entry of a list carries "line", 1-based.
"""

from __future__ import annotations

import re
from typing import Any

from belay.core import kinds
from belay.memory.document import edits, path_references, template_sections
from belay.memory.document.page import Page, Record, Section, plain

Facts = dict[str, Any]

_HEADER = re.compile(r"Last[ _-]updated[*_]*:[*_]*\s*[\"']?(\d{4}-\d\d-\d\d)?", re.I)
_DATED = re.compile(r"[\s>*_|-]*" + _HEADER.pattern, re.I)
_SESSION = re.compile(r"\bSession:?\s+(\d{1,6})\b", re.I)
_BRANCH = re.compile(r"\bBranch:\s*([^|\s][^|]*)", re.I)
_HEALTH = re.compile(r"Memory health:\**\s*(\d{1,2})\s*/\s*10", re.I)
_DATE = re.compile(r"^\W{0,4}(\d{4}-\d\d-\d\d)\W{0,5}\s*")
_BOX = re.compile(r"^\[([ xX])\]\s*")
_RESOLVED = re.compile(
    r"^\W*~~.*~~|\b(?:FIXED|DONE|RESOLVED|COMPLETE|CLOSED)\b[ :*-]*\(?\d{4}-\d\d-\d\d|^\W*(?:RESOLVED|FIXED|DONE)\b"
    r"|(?<!NOT )\b(?:RESOLVED|FIXED|UNBLOCKED)\W*$|^\W*[Rr]esolved\b(?=\W*[:(\d–—-])|\([Rr]esolved\b[^()]*\)\W*$"
)
_OVER = re.compile(r"[—–(:-]\s*\W{0,2}(?:complete|completed|done|finished|shipped)\b", re.I)
_PAUSED = re.compile(r"\b(?:paused|on hold|parked)\b", re.I)
_HINT = re.compile(
    r"^\[[^\]]{3,}\]$|^(?:none|n/a|nothing|tbd|placeholder|-)\W*$|^[\"'“”]*[.…][\s.…\"'“”]*$", re.I
)
_LINES = ("architecture", "preferences", "external")
_FILLING = ("item", "row", "text", "code", "html", "quote")
SESSION_DIGITS = 6
"""Digits of a session number that is believed."""


def facts(page: Page) -> Facts:
    """Return what a page says."""
    found: Facts = {
        "form": form_of(page),
        "lines": len(page.lines),
        "header": _header(page),
        "sections": [_section(page, one) for one in page.sections],
        "unverified": next((at for at, line in enumerate(page.lines, 1) if _is_unverified(plain(line))), 0),
        "overview": _overview(page),
        **_left(page),
        "completed": [_completed(row) for row in edits.rows(page, "completed", "item")],
        "active": [_open(row, "done") for row in edits.rows(page, "active", "item")],
        "blockers": [
            _open(row, "resolved") for row in edits.rows(page, "blockers", "item") if not is_hint(row.text)
        ],
        "decisions": _decisions(page),
        "files": _files(page),
        "issues": [
            _open(row, "resolved") for name in ("issues", "gaps") for row in edits.rows(page, name, "item")
        ],
        "log": _log(page),
        "workstreams": _workstreams(page),
        "references": _references(page),
        "refs": [ref._asdict() for ref in path_references.found(page)],
    }
    for name in _LINES:
        found[name] = [_line(row) for row in edits.rows(page, name, "item", "text", "row")]
    return found


def form_of(page: Page) -> str:
    """Return which template the file follows: "003", "004", "other", or "empty"."""
    if not any(row.kind not in ("blank", "front-matter", "comment") for row in page.records):
        return "empty"
    names = {one.name for one in page.sections}
    if "workstreams" in names:
        return "004"
    titled = sum(
        one.title == kinds.MEMORY_SECTIONS[one.name]
        for one in page.sections
        if one.name in template_sections.FIRST_FORM
    )
    return "003" if titled >= 2 and ("left" in names or "overview" in names) else "other"


def is_hint(text: str) -> bool:
    """Whether a text is a template's own placeholder, says "none", or is nothing but dots."""
    return bool(_HINT.match(text.strip()))


def is_resolved(text: str) -> bool:
    """Whether an item is struck through or dated as fixed or done (seed 004's form)."""
    return bool(_RESOLVED.search(text))


def _is_unverified(line: str) -> bool:
    return line.strip(" >*_") == template_sections.UNVERIFIED


def _line(row: Record) -> Facts:
    return {"line": row.start + 1, "text": _one(row.text)}


def _one(text: str) -> str:
    return " ".join(text.split())


def _header(page: Page) -> Facts:
    told: Facts = {"line": 0, "updated": "", "session": 0, "branch": "", "health": 0}
    for at in edits.header_lines(page):
        line = plain(page.lines[at])
        updated, health = _HEADER.search(line), _HEALTH.search(line)
        if updated and not told["line"]:
            session, branch = _SESSION.search(line), _BRANCH.search(line)
            told |= {"line": at + 1, "updated": updated.group(1) or ""}
            told |= {"session": int(session.group(1)) if session else 0}
            told |= {"branch": branch.group(1).strip(" *`") if branch else ""}
        if health:
            told["health"] = min(10, int(health.group(1)))
    return told if told["line"] else told | _dated_elsewhere(page)


def _dated_elsewhere(page: Page) -> Facts:
    """Return the newest date of a "Last updated" line in the front matter or below, where guides put it; {} without."""
    found = [
        (mark.group(1) or "", at)
        for row in page.records
        if row.kind in ("front-matter", "text", "quote", "item")
        for at in range(row.start, row.end)
        if (mark := _DATED.match(page.lines[at]))
    ]
    return {"line": max(found)[1] + 1, "updated": max(found)[0]} if found else {}


def _section(page: Page, section: Section) -> Facts:
    filled = any(
        row.kind in _FILLING and not is_hint(row.text)
        for row in page.within(section)
        if row.kind != "heading"
    )
    return {
        "title": section.title, "name": section.name, "line": section.start + 1, "end": section.end,
        "level": section.level, "filled": filled,
    }  # fmt: skip


def _overview(page: Page) -> str:
    section = page.section("overview")
    rows = page.within(section) if section else _opening(page)
    texts = [row.text for row in rows if row.kind in ("text", "item") and not is_hint(row.text)]
    return _one(texts[0]) if texts else ""


def _opening(page: Page) -> list[Record]:
    """Return the records between title and first section: where a file without an overview says what it is."""
    first = next((one.start for one in page.sections if one.level > 1), len(page.lines))
    rows = [row for row in page.records if page.body <= row.start < first]
    return [row for row in rows if not _HEADER.search(row.text) and not _HEALTH.search(row.text)]


def _left(page: Page) -> Facts:
    section = page.section("left")
    known = edits.fields(page, section) if section else {}
    told = {key: known[key] for key in template_sections.LABELS if key in known}
    values = {key: field.value for key, field in told.items()}
    values = {key: "" if is_hint(value) else value for key, value in values.items()}
    return {
        "left": {key: values.get(key, "") for key in template_sections.LABELS},
        "left_lines": {key: field.start + 1 for key, field in told.items()},
    }


def _dated(text: str) -> tuple[str, str]:
    mark = _DATE.match(text)
    return (mark.group(1), text[mark.end() :].strip()) if mark else ("", text.strip())


def _completed(row: Record) -> Facts:
    date, text = _dated(_BOX.sub("", _one(row.text)))
    return {"line": row.start + 1, "date": date, "text": text}


def _open(row: Record, over: str) -> Facts:
    """Return an item that may be over: ticked, struck through or dated as done says `over`."""
    text = _one(row.text)
    box = _BOX.match(text)
    ticked = bool(box and box.group(1) in "xX")
    return {"line": row.start + 1, "text": _BOX.sub("", text), over: ticked or is_resolved(text)}


def _table(page: Page, name: str) -> list[tuple[Record, dict[str, str]]]:
    """Return (record, canonical column → cell) of every row of a section's tables."""
    names: list[str] = []
    found = []
    for row in edits.rows(page, name, "head", "row"):
        if row.kind == "head":
            names = [template_sections.column(cell) for cell in row.cells]
        elif any(not is_hint(cell) and cell.strip() for cell in row.cells):
            found.append(
                (row, {key: cell.strip() for key, cell in zip(names, row.cells, strict=False) if key})
            )
    return found


def _decisions(page: Page) -> list[Facts]:
    found = [
        {
            "line": row.start + 1, "date": told.get("date", ""), "decision": told.get("decision", ""),
            "reason": told.get("reason", ""), "affects": told.get("affects", ""),
        }
        for row, told in _table(page, "decisions")
    ]  # fmt: skip
    for row in edits.rows(page, "decisions", "item"):
        date, text = _dated(_one(row.text))
        if not is_hint(text):
            found.append({"line": row.start + 1, "date": date, "decision": text, "reason": "", "affects": ""})
    return [one for one in sorted(found, key=lambda one: int(str(one["line"]))) if one["decision"]]


def _files(page: Page) -> list[Facts]:
    found = []
    for row, told in _table(page, "files"):
        session = _SESSION.search(told.get("changed", ""))
        found.append(
            {"line": row.start + 1, "path": path_references.ticked(told.get("file") or row.cells[0]),
             "purpose": told.get("purpose", ""), "session": int(session.group(1)) if session else 0}
        )  # fmt: skip
    for row in edits.rows(page, "files", "item"):
        named = path_references.in_text(row.text)
        if named:
            found.append(
                {"line": row.start + 1, "path": named[0].path, "purpose": _one(row.text), "session": 0}
            )
    return found


def number(text: str) -> int:
    """Return a session number of a log's cell, 0 for anything else."""
    text = text.partition("<!--")[0].strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= SESSION_DIGITS else 0


def _log(page: Page) -> list[Facts]:
    return [
        {"line": row.start + 1, "session": number(told.get("session", "")), "date": told.get("date", ""),
         "summary": told.get("summary", "")}
        for row, told in _table(page, "log")
    ]  # fmt: skip


def _references(page: Page) -> list[Facts]:
    return [
        {"line": row.start + 1, "what": told.get("what", ""), "where": told["where"].strip("`")}
        for name in ("references", "files")
        for row, told in _table(page, name)
        if told.get("where")
    ]


def _workstreams(page: Page) -> list[Facts]:
    parent = page.section("workstreams")
    inner = [one for one in page.sections if parent and parent.body <= one.start < parent.end]
    return [_workstream(page, one) for one in inner if parent and one.level == parent.level + 1]


def _workstream(page: Page, section: Section) -> Facts:
    told = {key: field.value for key, field in edits.fields(page, section).items()}
    status = told.get("status", "")
    title = refs_free(section.title)
    over = bool(_OVER.search(section.title) or re.match(r"\W*(done|complete)", status, re.I))
    return {
        "line": section.start + 1, "title": title, "status": status, "reference": told.get("reference", ""),
        "metric": told.get("metric", ""), "next": told.get("next", ""), "done": over,
        "paused": bool(_PAUSED.search(section.title)),
    }  # fmt: skip


def refs_free(title: str) -> str:
    """Return a workstream's title without its number and what follows a dash or bracket."""
    return re.sub(r"\s+[—–-]\s.*|\s*\(.*", "", re.sub(r"^\d+[.)]\s*", "", _one(title))).strip()
