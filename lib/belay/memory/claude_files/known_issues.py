"""What memory files call a known issue, a trap, or something to avoid or to improve; what is resolved is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.document.facts import is_placeholder, is_resolved
from belay.memory.document.page import strip_line_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.memory.document.page import Page, Record

ISSUE, TRAP, AVOID, PREFER, PLANNED, INSIGHT = "issue", "trap", "avoid", "prefer", "planned", "insight"
_SECTIONS = {
    ISSUE: r"(?:known|open) (?:issues?|bugs?|problems?|gaps|limitations)|issues|bugs|limitations|performance issues",
    TRAP: r"gotchas?|pitfalls?|caveats?|traps?|common mistakes|troubleshooting|watch out",
    AVOID: r"anti-?patterns?|things to avoid|what not to do|don'?ts",
    PLANNED: r"future improvements|improvements|technical debt|tech debt|enhancements|to improve",
    INSIGHT: r"technical insights|insights|lessons(?: learned)?|recent discoveries",
}
_TITLES = {kind: re.compile(rf"(?:\W*)(?:{words})\b", re.IGNORECASE) for kind, words in _SECTIONS.items()}
_MARK = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s*)?(❌|🚫|✅)\ufe0f?\s*")
_LEAD = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s*)?|\s*\|")
_WORKAROUND = re.compile(r"\b(?:solution|workaround|fix|mitigation|instead)\b\W{0,4}:|\bworkaround\b|→", re.IGNORECASE)
_NOTHING = re.compile(r"\W*(?:none|nothing|n/?a|no known issues?|tbd|todo)\b(?: yet| so far| known)?\W*", re.IGNORECASE)
_KINDS = ("item", "row", "text")


class Issue(NamedTuple):
    """An issue of a memory file: its lines (1-based, both ends included), kind, words, whether it has a way around."""

    path: str
    line: int
    end: int
    kind: str
    text: str
    has_workaround: bool


def list_issues(path: str, found: Page) -> list[Issue]:
    """Return the issues of a page, those below telling headings and what is marked ❌ anywhere."""
    rows: dict[int, Issue] = {}
    for kind, lines in _list_sections(found):
        for issue in _read_section(path, found, kind, lines):
            rows.setdefault(issue.line, issue)
    for record in found.records:
        if record.kind == "item" and _sign(_join(found, record.start, record.end)) in ("❌", "🚫"):
            rows.setdefault(record.start + 1, _make_issue(path, AVOID, found, record.start, record.end))
    return [rows[line] for line in sorted(rows)]


def _list_sections(found: Page) -> Iterator[tuple[str, range]]:
    for section in found.sections:
        kind = next((kind for kind, title in _TITLES.items() if title.match(section.title)), "")
        if kind:
            yield kind, range(section.body, section.end)


def _read_section(path: str, found: Page, kind: str, lines: range) -> Iterator[Issue]:
    """Yield the issues of a section; what is indented below one belongs to it."""
    records = [row for row in found.records if row.start in lines and row.kind in (*_KINDS, "heading")]
    groups: list[tuple[int, int, int]] = []  # first line, line behind the last, indent
    for record in records:
        indent = _indent(found, record)
        if record.kind == "heading":
            groups.append((record.end, record.end, -1))
        elif groups and groups[-1][2] >= 0 and indent > groups[-1][2]:
            groups[-1] = (groups[-1][0], record.end, groups[-1][2])
        else:
            groups.append((record.start, record.end, indent))
    for start, end, indent in groups:
        if indent >= 0 and not _is_over(kind, _join(found, start, end)):
            yield _make_issue(path, _find_kind(kind, _join(found, start, end)), found, start, end)


def _indent(found: Page, record: Record) -> int:
    line = strip_line_end(found.lines[record.start])
    return len(line) - len(line.lstrip())


def _join(found: Page, start: int, end: int) -> str:
    return " ".join(strip_line_end(line).strip() for line in found.lines[start:end] if line.strip())


def _sign(text: str) -> str:
    match = _MARK.match(text)
    return match[1] if match else ""


def _is_over(kind: str, text: str) -> bool:
    """Whether an item is resolved, a placeholder of a template, a table's head or says that there is nothing."""
    lead = _LEAD.match(text)
    words = text[lead.end() :] if lead else text
    is_ticked = bool(lead and lead[1] and lead[1] in "xX") or (kind == ISSUE and _sign(text) == "✅")
    is_empty = is_placeholder(words.strip()) or bool(_NOTHING.fullmatch(words)) or not re.search(r"\w{3}", words)
    return is_ticked or is_empty or is_resolved(text) or words.rstrip().endswith(":")


def _find_kind(kind: str, text: str) -> str:
    return {"❌": AVOID, "🚫": AVOID, "✅": PREFER}.get(_sign(text), kind)


def _make_issue(path: str, kind: str, found: Page, start: int, end: int) -> Issue:
    text = _join(found, start, end)
    return Issue(path, start + 1, end, kind, text, bool(_WORKAROUND.search(text)))
