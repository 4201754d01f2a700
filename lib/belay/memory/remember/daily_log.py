"""Read from a daily log what may last: decisions, architecture, lessons, each with its line.

Lines are Belay's captures, the labelled lines of a wrap-up, and what a person wrote under such labels or headings.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core import kinds
from belay.memory.document import edits, facts, template_sections
from belay.memory.document.page import Page, Record, parse
from belay.memory.remember import sentences

_CAPTURE = re.compile(r"^\d\d:\d\d `(C-[A-Z2-7]{6})` \[[^\]]*\] ([a-z, ]+): (.+)$")
_LABELS = {
    kinds.DECISION: kinds.DECISION, "decided": kinds.DECISION, kinds.ARCHITECTURE: kinds.NOTE,
    "lesson": "lesson", "lesson learned": "lesson", "learned": "lesson", kinds.GOTCHA: "lesson",
}  # fmt: skip
_AFFECTS = re.compile(r"\s*\(affects ([^()]+)\)$")
_MECHANICAL = re.compile(r"^`[^`]*` passed after edits of ")


class LogEntry(NamedTuple):
    """One thing of a log: kind (decision, note, lesson), line (1-based), `id` of the capture that it was, else ""."""

    kind: str
    text: str
    line: int
    reason: str = ""
    affects: str = ""
    id: str = ""


def read_entries(text: str) -> list[LogEntry]:
    """Return what a log says that may last, in its order."""
    page = parse(text)
    entries = [_read_entry(page, row) for row in page.records if row.kind == "item"]
    return [entry for entry in entries if entry and entry.text and not facts.is_placeholder(entry.text)]


def capture_entry(classes: list[str], text: str, line: int = 0, name: str = "") -> LogEntry | None:
    """Return the entry of a capture by its classes, None for one that decides nothing."""
    sentence = sentences.strip_request(text)
    if kinds.DECISION in classes:
        decision, reason = sentences.split_reason(sentence, by_colon=False)
        return LogEntry(kinds.DECISION, decision, line, reason, id=name)
    return LogEntry(kinds.NOTE, sentence, line, id=name) if kinds.ARCHITECTURE in classes else None


def _read_entry(page: Page, row: Record) -> LogEntry | None:
    text = " ".join(row.text.split())
    capture = _CAPTURE.match(text)
    if capture:
        name, classes, sentence = capture.groups()
        return capture_entry(classes.split(", "), sentence, row.start + 1, name)
    label, sentence = edits.split_label(sentences.strip_date(text))
    kind = _LABELS.get(label.lower(), "") or _kind_by_heading(page, row)
    if not kind or facts.is_resolved(text) or _MECHANICAL.match(sentence):
        return None
    if not _LABELS.get(label.lower()):
        sentence = sentences.strip_date(text)
    return _decision_entry(sentence, row) if kind == kinds.DECISION else LogEntry(kind, sentence, row.start + 1)


def _kind_by_heading(page: Page, row: Record) -> str:
    """Return the kind of an item by a heading that the user chose."""
    title = page.sections[row.section].title if row.section >= 0 else ""
    if "lesson" in title.lower():
        return "lesson"
    below = {"decisions": kinds.DECISION, "architecture": kinds.NOTE}
    return below.get(template_sections.canonical_section(title), "") if title else ""


def _decision_entry(sentence: str, row: Record) -> LogEntry:
    affects = _AFFECTS.search(sentence)
    text, reason = sentences.split_reason(_AFFECTS.sub("", sentence))
    return LogEntry(kinds.DECISION, text, row.start + 1, reason, affects.group(1) if affects else "")
