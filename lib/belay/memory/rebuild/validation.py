"""Check a corrected memory before it replaces the existing one."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core.constants import FILE_BYTES
from belay.core.errors import BadInput
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.memory.rebuild.proposal import KEPT
from belay.memory.rebuild.source_comments import strip_comments
from belay.safety.redaction import redact

_HOLE = re.compile(r"\[(?:DATE|N|BRANCH|SCORE|path)\]|\{\{\w+\}\}")
_MISSING_SHOWN = 10


class Corrected(NamedTuple):
    """A text that may be written, whether a secret was removed, and existing lines that it leaves out."""

    text: str
    redacted: bool
    missing: list[str]


def read_corrected(data: bytes, existing: str) -> Corrected:
    """Return the memory of some bytes; BadInput where it is none that Belay understands."""
    if len(data) > FILE_BYTES // 4:
        raise BadInput("the memory", f"is {len(data):,} bytes", f"keep it under {FILE_BYTES // 4096} KB")
    try:
        decoded = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadInput("the memory", f"is not UTF-8 from byte {error.start} on", "save it as UTF-8") from error
    plain = strip_comments(_strip_fence(decoded)).strip("\n") + "\n"
    text = redact(plain)
    _check_text(text)
    return Corrected(_with_old_line_ends(existing, text), text != plain, find_missing_lines(existing, text))


def _with_old_line_ends(existing: str, text: str) -> str:
    """Return the text with the line ends and the byte order mark of the existing file."""
    if "\r\n" in existing and "\r" not in text:
        text = text.replace("\n", "\r\n")
    return page.BOM + text if existing.startswith(page.BOM) else text


def _strip_fence(text: str) -> str:
    """Return a text without a code fence around all of it."""
    rows = text.strip().split("\n")
    fenced = len(rows) > 2 and rows[0].startswith("```") and rows[-1].strip() == "```"
    return "\n".join(rows[1:-1]) if fenced else text


def _check_text(text: str) -> None:
    parsed = page.parse(text)
    problem = page.find_problem(parsed)
    if problem:
        raise BadInput(f"line {problem[0]}", problem[1], "fix it and apply again")
    known_facts = read_facts(parsed)
    if known_facts["form"] not in ("003", "004"):
        what = "has none of the sections of a project memory"
        raise BadInput("the memory", what, "start from what `belay rebuild` shows")
    hole = next((at for at, line in enumerate(parsed.lines) if _HOLE.search(line)), -1)
    if hole >= 0:
        raise BadInput(f"line {hole + 1}", "holds a placeholder", "fill it in, or leave the line out")
    if not (
        known_facts["overview"]
        or known_facts["left"]["next"]
        or known_facts["left"]["task"]
        or known_facts["workstreams"]
    ):
        raise BadInput("the memory", "says neither what the project is nor how far the work is", "fill in one of them")


def find_missing_lines(existing: str, text: str) -> list[str]:
    """Return the lines of decisions, architecture, preferences and overview that a text leaves out."""
    if not existing:
        return []
    old = page.parse(existing)
    spans = [section for section in old.sections if section.name in KEPT]
    present = {page.strip_line_end(line).strip() for line in page.parse(text).lines}
    rows = [page.strip_line_end(old.lines[at]).strip() for section in spans for at in range(section.body, section.end)]
    return [row for row in dict.fromkeys(rows) if row and row not in present][:_MISSING_SHOWN]
