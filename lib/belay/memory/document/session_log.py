"""Find and extend rows of the Session Log."""

from __future__ import annotations

import re

from belay.core.text.duplicates import distinct
from belay.core.text.statements import wording
from belay.memory.compression.aging import Row
from belay.memory.document import edits, entries
from belay.memory.document.page import Page, strip_line_end

FOLD_CHARS = 160
"""Characters of a folded item in its row; the archive has all of it."""

_BARS = re.compile(r"(?<!\\)\|")
_COMMENT = re.compile(r"\s*(<!--(?:(?!-->).)*-->)\s*$")
_DATED = re.compile(r"^\W{0,4}\d{4}-\d\d-\d\d\W{0,5}\s*")
_COMMENTS = re.compile(r"<!--.*?-->|<!--|-->")


def find_table_lines(page: Page) -> range:
    """Return the lines of the Session Log's table; none inside a section that no template knows."""
    section = page.section("log")
    if section is None or not entries.is_editable(page, section):
        return range(0)
    number = page.sections.index(section)
    heads = [row.start for row in page.records if row.kind == "head" and row.section == number]
    return range(heads[0], edits.find_table_end(page, section)) if heads else range(0)


def find_summary_cell(page: Page, row: Row) -> int:
    """Return which part of a log row, split at its bars, is the summary; -1 where there is none."""
    section = page.section("log")
    names = edits.table_columns(page, section) if section and row.line - 1 in find_table_lines(page) else []
    line = strip_line_end(page.lines[row.line - 1])
    at = names.index("summary") + line.lstrip().startswith("|") if "summary" in names else -1
    return at if at < len(_BARS.split(line)) else -1


def extend_row(line: str, at: int, texts: list[str]) -> str:
    """Return a row of the log with texts behind its summary; a comment at the end of the cell stays there."""
    bare = line.rstrip("\r\n")
    cells = _BARS.split(bare)
    summary = f" {wording(cells[at])} "
    new = [text for text in distinct(texts, str) if f" {wording(text)} " not in summary]
    mark = _COMMENT.search(cells[at])
    body = (cells[at][: mark.start()] if mark else cells[at]).rstrip() or " "
    behind = (" " + mark.group(1) if mark else "") + (" " if at < len(cells) - 1 else "")
    cells[at] = "; ".join([body, *map(edits.escape_cell, new)]) + behind if new else cells[at]
    return "|".join(cells) + line[len(bare) :]


def shorten_item(text: str) -> str:
    """Return a completed item as a row of the log quotes it."""
    line = " ".join(_COMMENTS.sub(" ", text).split())
    line = _DATED.sub("", line) or line
    if len(line) > FOLD_CHARS:
        line = line[:FOLD_CHARS].rpartition(" ")[0].rstrip(" ,;:") + " …"
    return line
