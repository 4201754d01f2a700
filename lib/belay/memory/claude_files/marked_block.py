"""A block of Belay's in a file of the user's: between two comments, every byte outside of them stays.

The client strips block comments from a CLAUDE.md (HOST §4), so the marks cost no tokens. The first one says how many
line ends were added before it ("new": the file was), so that taking the block out gives the very bytes of before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core.errors import BadInput
from belay.memory.document import page
from belay.memory.document.page import strip_line_end

NEW = "new"
_BEGIN = re.compile(r"<!-- belay:([a-z-]+) begin(?: (new|[1-9]))? -->")
_END = "<!-- belay:{} end -->"


class MarkedBlock(NamedTuple):
    """Where a block is: the 0-based lines of its marks, the lines between them without ends, and what the mark says."""

    begin: int
    end: int
    body: list[str]
    before: str


def find_block(text: str, name: str) -> MarkedBlock | None:
    """Return the block of a name, None without one; BadInput where its marks are torn or doubled."""
    found = page.parse(text)
    code = {line for row in found.records if row.kind == "code" for line in range(row.start, row.end)}
    lines = [strip_line_end(line) for line in found.lines]
    marks = [(at, match) for at, line in enumerate(lines) if at not in code and (match := _BEGIN.fullmatch(line))]
    begins = [(at, match[2] or "") for at, match in marks if match[1] == name]
    ends = [at for at, line in enumerate(lines) if at not in code and line == _END.format(name)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0][0]:
        line = (ends + [at for at, _ in begins])[0] + 1
        raise BadInput(
            f"line {line}", f"the marks of the block belay:{name} do not match", "leave one of each, in order"
        )
    begin, before = begins[0]
    return MarkedBlock(begin, ends[0], lines[begin + 1 : ends[0]], before)


def insert_block(text: str, name: str, body: list[str], line: int | None = None) -> str:
    """Return a text with a block before a 0-based line, or at its end with a blank line before it."""
    ends = page.detect_newline(text)
    lines = page.split_lines(text)
    at = len(lines) if line is None else line
    head = "".join(lines[:at])
    missing = 0 if not head or head.endswith(("\n", "\r")) else 1
    if line is None and head.strip() and (missing or strip_line_end(lines[-1]).strip()):
        missing += 1
    before = NEW if not text else str(missing) if missing else ""
    return head + ends * missing + "".join(row + ends for row in _rows(name, body, before)) + "".join(lines[at:])


def replace_block(text: str, name: str, body: list[str]) -> str:
    """Return a text with another body between the marks of its block."""
    block = find_block(text, name)
    if block is None:
        return text
    lines, ends = page.split_lines(text), page.detect_newline(text)
    return "".join([*lines[: block.begin + 1], *(row + ends for row in body), *lines[block.end :]])


def remove_block(text: str, name: str) -> str:
    """Return a text without a block and without the line ends that were added before it."""
    block = find_block(text, name)
    if block is None:
        return text
    lines, ends = page.split_lines(text), page.detect_newline(text)
    head = "".join(lines[: block.begin])
    for _ in range(int(block.before) if block.before.isdigit() else 0):
        head = head.removesuffix(ends)
    return head + "".join(lines[block.end + 1 :])


def _rows(name: str, body: list[str], before: str) -> list[str]:
    mark = f"<!-- belay:{name} begin{' ' + before if before else ''} -->"
    return [mark, *body, _END.format(name)]
