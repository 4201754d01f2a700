"""A memory file as sections and records, on markdown-it's block maps; its lines joined again are the same file.

Byte order mark and front matter are cut first. Lines end with \\r\\n, \\r or \\n and with nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.document import template_sections

if TYPE_CHECKING:
    from markdown_it.token import Token

BOM = "\ufeff"
_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_KEY = re.compile(r"[\w\"'-][^:\r\n]*:(\s|$)|#")
_NESTING = 100
_CONFLICT = ("<<<<<<< ", ">>>>>>> ")
MOST_LINES = 20_000
"""Lines that are parsed; in a longer file the rest is one record of code, which nothing reads or rewrites."""


class Section(NamedTuple):
    """A heading at lines[start:body] and what is below it, lines[body:end], sub-sections included.

    `name` is what the templates call it, "" for a section that no template knows.
    """

    title: str
    name: str
    level: int
    start: int
    body: int
    end: int


class Record(NamedTuple):
    """A run of lines that belong together; `section` is the index of the nearest heading above, -1 before the first.

    Kinds: bom front-matter heading item row head rule text code html comment quote break blank definition.
    """

    kind: str
    start: int
    end: int
    section: int
    text: str = ""
    cells: tuple[str, ...] = ()


class Page:
    """A parsed memory file; the records tile its lines without a gap."""

    __slots__ = ("body", "lines", "records", "sections", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = split_lines(text)
        self.body = _find_front_matter_end(self.lines)
        known = self.lines[self.body : MOST_LINES]
        starts, covered = _find_blocks([strip_line_end(line) for line in known], self.body)
        starts[self.body + len(known)] = _Start("code", len(self.lines))
        self.records = _build_records(self.lines, self.body, starts, covered)
        self.sections = _build_sections(self.records, self.lines, len(self.lines))

    @property
    def newline(self) -> str:
        """The line end of the file: that of its first line, else \\n."""
        return detect_newline(self.text)

    def section(self, name: str) -> Section | None:
        """Return the first section of a canonical name."""
        return next((section for section in self.sections if section.name == name), None)

    def titled(self, title: str) -> list[Section]:
        """Return the sections with a title, by its exact words, else whatever their case."""
        exact = [section for section in self.sections if section.title == title.strip()]
        wanted = " ".join(title.split()).casefold()
        return exact or [section for section in self.sections if " ".join(section.title.split()).casefold() == wanted]

    def within(self, section: Section) -> list[Record]:
        """Return the records of a section's body, sub-sections included."""
        first, behind = (
            bisect_left(self.records, line, key=lambda row: row.start) for line in (section.body, section.end)
        )
        return self.records[first:behind]


def parse(text: str) -> Page:
    """Return the page of a text; any text is a page."""
    return Page(text)


def render(page: Page) -> str:
    """Return the text that the records make together."""
    return "".join("".join(page.lines[row.start : row.end]) for row in page.records)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text with their ends."""
    return _LINE.findall(text)


def detect_newline(text: str) -> str:
    """Return the line end of a text: that of its first line, \\n where it has none."""
    match = _END.search(text)
    return match.group() if match else "\n"


def strip_line_end(line: str) -> str:
    """Return a line without its end and without a byte order mark."""
    return line.rstrip("\r\n").removeprefix(BOM)


def _find_front_matter_end(lines: list[str]) -> int:
    """Return the first line behind the front matter, 0 where there is none."""
    if len(lines) < 3 or strip_line_end(lines[0]).rstrip() != "---" or not _KEY.match(strip_line_end(lines[1])):
        return 0
    ends = (at for at in range(1, len(lines)) if strip_line_end(lines[at]).rstrip() in ("---", "..."))
    return next(ends, -1) + 1


class _Start(NamedTuple):
    kind: str
    end: int
    text: str = ""
    cells: tuple[str, ...] = ()
    level: int = 0


def _tokenize(source: str) -> list[Token]:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
    made.core.ruler.enableOnly(["normalize", "block"])
    return made.parse(source)


def _find_blocks(lines: list[str], first: int) -> tuple[dict[int, _Start], set[int]]:
    """Return where records start (line → start), and all lines that belong to a block."""
    starts: dict[int, _Start] = {}
    covered: set[int] = set()
    tokens = _tokenize("\n".join(lines))
    for at, token in enumerate(tokens):
        if token.map is None:
            continue
        begin, end = token.map[0] + first, token.map[1] + first
        if token.level == 0:
            covered.update(range(begin, end))
        for line, start in _find_record_starts(tokens, at, begin, end):
            starts.setdefault(line, start)
    return starts, covered


def _find_record_starts(tokens: list[Token], at: int, begin: int, end: int) -> list[tuple[int, _Start]]:
    """Return the records that begin with a token."""
    token = tokens[at]
    kind = _KINDS.get(token.type, "")
    if kind == "table":
        return [(begin + 1, _Start("rule", begin + 2))]
    if kind == "heading":
        return [(begin, _heading_start(token, tokens[at + 1].content, end))] if token.level == 0 else []
    if kind == "row":
        cells = tuple(_read_cells(tokens, at))
        row_kind = "head" if tokens[at - 1].type == "thead_open" else "row"
        return [(begin, _Start(row_kind, begin + 1, " | ".join(cells), cells))]
    if kind == "item":
        return [(begin, _Start("item", end, _read_first_text(tokens, at)))]
    if not kind or token.level:
        return []
    text = tokens[at + 1].content if token.type == "paragraph_open" else token.content
    if kind == "html" and text.lstrip().startswith("<!--"):
        kind = "comment"
    return [(begin, _Start(kind, end, text))]


_KINDS = {
    "table_open": "table", "heading_open": "heading", "tr_open": "row", "list_item_open": "item",
    "paragraph_open": "text", "fence": "code", "code_block": "code", "html_block": "html",
    "blockquote_open": "quote", "hr": "break",
}  # fmt: skip


def _heading_start(token: Token, content: str, end: int) -> _Start:
    """Return a heading; an underlined one counts only on one line and if a template knows it."""
    underlined = not token.markup.startswith("#")
    if underlined and ("\n" in content or not template_sections.canonical_section(content)):
        return _Start("text", end, content)
    return _Start("heading", end, content.strip(), level=int(token.tag[1:]))


def _read_cells(tokens: list[Token], at: int) -> list[str]:
    cells = []
    while tokens[at].type != "tr_close":
        if tokens[at].type == "inline":
            cells.append(tokens[at].content)
        at += 1
    return cells


def _read_first_text(tokens: list[Token], at: int) -> str:
    """Return the first line of text of a list item, "" when it begins with something else."""
    for token in tokens[at + 1 : at + 4]:
        if token.type == "inline":
            return " ".join(token.content.split())
    return ""


def _build_records(lines: list[str], body: int, starts: dict[int, _Start], covered: set[int]) -> list[Record]:
    """Return records that cover every line once."""
    rows: list[Record] = [Record("front-matter", 0, body, -1)] if body else []
    section, at = -1, body
    while at < len(lines):
        start = starts.get(at)
        kind = start.kind if start else _guess_kind(lines, at, covered)
        end = _find_record_end(lines, at, start, starts) if start else _find_run_end(lines, at, kind, starts, covered)
        section += kind == "heading"
        text, cells = (start.text, start.cells) if start else ("", ())
        rows.append(Record(kind, at, end, section, text, cells))
        at = end
    return rows


def _guess_kind(lines: list[str], at: int, covered: set[int]) -> str:
    """Return the kind of a line that begins no block: blank, a link's definition, else the rest of a block."""
    if not strip_line_end(lines[at]).strip():
        return "blank"
    return "text" if at in covered else "definition"


def _find_run_end(lines: list[str], at: int, kind: str, starts: dict[int, _Start], covered: set[int]) -> int:
    end = at + 1
    while end < len(lines) and end not in starts and _guess_kind(lines, end, covered) == kind:
        end += 1
    return end


def _find_record_end(lines: list[str], at: int, start: _Start, starts: dict[int, _Start]) -> int:
    """Return the line after a record: before the next start, blank lines at its end left to themselves."""
    end = at + 1
    while end < min(start.end, len(lines)) and end not in starts:
        end += 1
    while start.kind != "code" and end > at + 1 and not strip_line_end(lines[end - 1]).strip():
        end -= 1
    return end


def _build_sections(records: list[Record], lines: list[str], total: int) -> list[Section]:
    sections: list[Section] = []
    following = dict[int, int]()  # level → where the next heading of that level or above begins
    for row in reversed([row for row in records if row.kind == "heading"]):
        level = _heading_level(row, lines)
        end = following.get(level, total)
        sections.append(
            Section(row.text, template_sections.canonical_section(row.text), level, row.start, row.end, end)
        )
        following |= dict.fromkeys(range(level, 7), row.start)
    return sections[::-1]


def _heading_level(row: Record, lines: list[str]) -> int:
    marks = strip_line_end(lines[row.start]).lstrip()
    signs = len(marks) - len(marks.lstrip("#"))
    return signs or (1 if strip_line_end(lines[row.end - 1]).lstrip().startswith("=") else 2)


def find_problem(page: Page) -> tuple[int, str] | None:
    """Return (line, why) for a text that is not understood and so is never rewritten; None for any other."""
    if len(page.lines) > MOST_LINES:
        return MOST_LINES + 1, f"is beyond the {MOST_LINES:,} lines that are read"
    for row in page.records:
        first = strip_line_end(page.lines[row.start])
        if row.kind != "code" and any(line.startswith(_CONFLICT) for line in page.lines[row.start : row.end]):
            return row.start + 1, "holds git's conflict markers"
        mark = first.lstrip()[:3]
        if row.kind == "code" and mark in ("```", "~~~") and not _is_closed(page, row, mark):
            return row.start + 1, "opens a code block that nothing closes"
    return None


def _is_closed(page: Page, row: Record, mark: str) -> bool:
    last = strip_line_end(page.lines[row.end - 1]).strip()
    return row.end - row.start > 1 and last.startswith(mark) and not last.strip(mark[0])
