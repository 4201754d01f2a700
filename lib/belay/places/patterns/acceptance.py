"""Patterns that were accepted, in a block below Discovered Patterns of `.orchestre/CLAUDE.md`.

A heading Identified Patterns is used as it is (seed 000 has both names). A pattern that somebody wrote outside of the
block stays as it is, and is not listed twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.plain_text import one_line, words
from belay.memory.claude_files import marked_block
from belay.memory.document import page
from belay.memory.document.page import strip_line_end
from belay.places.hierarchy import ORCHESTRATION
from belay.places.scaffold.sections import make_key

if TYPE_CHECKING:
    from belay.places.patterns.candidates import Candidate

FILE = ORCHESTRATION
NAME = "patterns"
SECTION = "Discovered Patterns"
_HEAD = ["# Orchestration Memory", ""]
_NAME_CHARS = 60


def make_row(candidate: Candidate, name: str) -> str:
    """Return the line of a pattern; `name` is what somebody called it, "" for its kind."""
    kind = candidate.kind[0].upper() + candidate.kind[1:]
    title = one_line(name, _NAME_CHARS).replace("*", "") or kind
    place = candidate.places[0]
    return f"- **{title}**: {candidate.sentence} See {place.path}:{place.line}."


def add_patterns(text: str, rows: list[tuple[Candidate, str]]) -> str:
    """Return the text with these rows; one that the block has already is renewed with its numbers of today."""
    block = marked_block.find_block(text, NAME)
    body = list(block.body) if block else []
    outside = _list_outside(text)
    for candidate, row in rows:
        said = words(candidate.statement)
        same = [at for at, line in enumerate(body) if said in words(line)]
        if same:
            body[same[0]] = row
        elif not any(said in line for line in outside):
            body.append(row)
    if block:
        return marked_block.replace_block(text, NAME, body)
    return _insert(text, body) if body else text


def _list_outside(text: str) -> list[str]:
    """Return the words of the lines that are not in the block."""
    block = marked_block.find_block(text, NAME)
    lines = page.split_lines(text)
    kept = lines[: block.begin] + lines[block.end :] if block else lines
    return [words(strip_line_end(line)) for line in kept]


def _insert(text: str, body: list[str]) -> str:
    found = page.parse(text)
    sections = [section for section in found.sections if make_key(section.title) == make_key(SECTION)]
    if not sections:
        head = [] if text.strip() else _HEAD
        return marked_block.insert_block(text, NAME, [*head, f"## {SECTION}", "", *body])
    first = sections[0]
    end = next((section.start for section in found.sections if section.start >= first.body), len(found.lines))
    while end > first.body and not strip_line_end(found.lines[end - 1]).strip():
        end -= 1
    if end > first.body and strip_line_end(found.lines[end - 1]).startswith("<!-- belay:") and end == len(found.lines):
        end -= 1  # the end of another block of ours
    return marked_block.insert_block(text, NAME, body, end)
