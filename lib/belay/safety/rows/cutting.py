"""A memory file cut into rows that each say something by themselves, wherever they are moved (docs/trust.md).

A row is a list item with all that is below it, a line of a table, a paragraph, a heading, a block of code or a
comment. No parser is loaded: a start of a session cuts files that hold a stranger's rows.
"""

from __future__ import annotations

import io
import itertools

from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HEADING, ITEM, TEXT, BLOCK, HEAD, LINE, BREAK = "heading", "item", "text", "block", "head", "line", "break"
"""Kinds of rows; HEAD is the head of a table with the line below it, LINE one of its other lines."""
STRUCTURE = (HEADING, HEAD, BREAK)
"""Kinds that say nothing by themselves."""
_BLOCK_LINES = 200
"""A longer block of code, comment or front matter is no row: its lines are."""
_FAILED_BLOCKS = 200
"""After so many blocks that are not known, each line is a row: a hostile file costs no more than an honest one."""
_DEPTHS = 9
"""Items deeper in other items than that count as one depth."""
_BULLETS = "-*+"
_PLAIN_ITEMS = ("- ", "* ", "+ ")


class Row(NamedTuple):
    """Lines `start` to `end` of a text (0-based), what they say without their layout, and what leads to them.

    `lead` is the paragraph with a colon above a list, or the head of a table: the row means nothing without it.
    """

    kind: str
    start: int
    end: int
    text: str
    lead: str = ""


def split_lines(text: str, most: int) -> list[str]:
    """Return the lines of a text with their ends, at most so many, and behind them the rest as it is, if any.

    \\r\\n, \\n and \\r end a line and nothing else does.
    """
    source = io.StringIO(text, newline="")
    lines = [*itertools.islice(source, most)]
    rest = source.read()
    return [*lines, rest] if rest else lines


def cut(lines: list[str], leads: Callable[[Row], bool], opens: Callable[[Row], bool]) -> list[Row]:
    """Return the rows of lines without their ends, blank lines left out.

    `leads` says whether a paragraph or the head of a table, `opens` whether a block is to be taken as one. Of a block
    that is not, the first line is a row, and what follows is cut as if that line were not there: what a stranger opens
    does not hide the rows below it.
    """
    return _Cutter(lines, leads, opens).cut()


class _Cutter:
    def __init__(self, lines: list[str], leads: Callable[[Row], bool], opens: Callable[[Row], bool]) -> None:
        self.lines, self.leads, self.opens = lines, leads, opens
        self.rows: list[Row] = []
        self.failed = 0
        self.lead = ""

    def cut(self) -> list[Row]:
        at = 0
        while at < len(self.lines):
            if self.lines[at].strip(" \t"):
                at = self._take(at)
            else:
                at += 1
        return self.rows

    def _take(self, at: int) -> int:
        """Add the row that begins at a line; return the line behind it."""
        kind = _find_kind(self.lines, at)
        if kind == HEAD:
            return self._take_table(at)
        end = self._find_end(at, kind)
        if kind == BLOCK and not (end and self._takes_block(at, end)):
            end = at + 1
        text = "\n".join(self.lines[at:end]) if kind == BLOCK else _flatten(self.lines[at:end], kind)
        self._add(Row(kind, at, end, text, self.lead if kind == ITEM else ""))
        return end

    def _add(self, row: Row) -> None:
        self.rows.append(row)
        if row.kind != ITEM:
            self.lead = row.text if self._is_lead(row) and self.leads(row) else ""

    def _is_lead(self, row: Row) -> bool:
        """Whether a paragraph belongs to the list below it: it ends with a colon, or nothing is between them."""
        is_field = row.text.startswith("**")
        is_near = row.end < len(self.lines) and bool(self.lines[row.end].strip(" \t"))
        return row.kind == TEXT and (row.text.rstrip("*_ ").endswith((":", "：")) or (is_near and not is_field))

    def _take_table(self, at: int) -> int:
        head = Row(HEAD, at, at + 2, _flatten(self.lines[at : at + 1], HEAD))
        self._add(head)
        lead, at = head.text if self.leads(head) else "", at + 2
        while at < len(self.lines) and _find_kind(self.lines, at) == TEXT and self.lines[at].strip(" \t"):
            self._add(Row(LINE, at, at + 1, _flatten(self.lines[at : at + 1], LINE), lead))
            at += 1
        return at

    def _find_end(self, at: int, kind: str) -> int:
        if kind == ITEM:
            return _find_item_end(self.lines, at)
        if kind == BLOCK:
            end = _find_block_end(self.lines, at) if self.failed < _FAILED_BLOCKS else 0
            self.failed += not end
            return end
        if kind != TEXT:
            return at + 1
        end = at + 1
        while end < len(self.lines) and _goes_on(self.lines, end):
            end += 1
        return end

    def _takes_block(self, at: int, end: int) -> bool:
        taken = self.opens(Row(BLOCK, at, end, "\n".join(self.lines[at:end])))
        self.failed += not taken
        return taken


def _indent(line: str) -> int:
    if line[:1] not in (" ", "\t"):
        return 0
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def _find_kind(lines: list[str], at: int) -> str:
    """Return the kind of the row that begins at a line."""
    line = lines[at].lstrip(" \t")
    if line[:2] in _PLAIN_ITEMS and not _is_break(line) and _indent(lines[at]) <= 3:
        return ITEM
    if line.startswith(("```", "~~~", "<!--")) or (at == 0 and line.rstrip(" \t") == "---"):
        return BLOCK
    if _indent(lines[at]) > 3:
        return TEXT
    if line.lstrip("#")[:1] in ("", " ", "\t") and 0 < len(line) - len(line.lstrip("#")) <= 6:
        return HEADING
    if _is_break(line):
        return BREAK
    if _marker(line):
        return ITEM
    return HEAD if "|" in line and at + 1 < len(lines) and _is_rule(lines[at + 1]) else TEXT


def _is_break(line: str) -> bool:
    return line[:1] in "-*_" and not line.strip(line[:1] + " \t") and line.count(line[:1]) > 2


def _is_rule(line: str) -> bool:
    """Whether a line is the one below a table's head."""
    return "-" in line and ("|" in line or ":" in line) and not line.strip(" \t|:-")


def _marker(line: str) -> str:
    """Return the mark of a list item without its number, "" where a line is none."""
    if line[:1] and line[0] in _BULLETS and line[1:2] in ("", " ", "\t"):
        return "-"
    number = line[:10].lstrip("0123456789")
    size = len(line[:10]) - len(number)
    return "1." if size > 0 and number[:1] in (".", ")") and number[1:2] in ("", " ", "\t") else ""


def _goes_on(lines: list[str], at: int) -> bool:
    """Whether a line belongs to the paragraph above it; a bold word begins a field of its own."""
    line = lines[at].strip(" \t")
    if not line or line.startswith("**"):
        return False
    kind = _find_kind(lines, at)
    return kind == TEXT or (kind == BREAK and line.startswith("-"))  # a line of dashes makes it a heading


def _find_item_end(lines: list[str], at: int) -> int:
    """Return the line behind a list item and all that is below it."""
    base, end, behind = _indent(lines[at]), at + 1, at + 1
    while behind < len(lines):
        line = lines[behind]
        if not line.strip(" \t"):
            behind += 1
            continue
        if line[:2] in _PLAIN_ITEMS:
            return end
        is_deeper = _indent(line) > base + 1
        if not is_deeper and (behind > end or _find_kind(lines, behind) != TEXT):
            return end
        behind += 1
        end = behind
    return end


def _find_block_end(lines: list[str], at: int) -> int:
    """Return the line behind a block of code, a comment or front matter; 0 where nothing near closes it."""
    line = lines[at].lstrip(" \t")
    if line.startswith("<!--"):
        return next((end + 1 for end in _near(lines, at) if "-->" in lines[end][_skip(lines, at, end) :]), 0)
    mark = line[0] * (len(line) - len(line.lstrip(line[0])))
    for end in list(_near(lines, at))[1:]:
        bare = lines[end].strip(" \t")
        if bare.startswith(mark) and not bare.strip(mark[0]):
            return end + 1
    return 0


def _near(lines: list[str], at: int) -> range:
    return range(at, min(at + _BLOCK_LINES, len(lines)))


def _skip(lines: list[str], at: int, end: int) -> int:
    return lines[at].index("<!--") + 4 if at == end else 0


def _flatten(lines: list[str], kind: str) -> str:
    """Return what lines say without their layout: blanks, the marks and numbers of items, where lines are broken."""
    if len(lines) == 1 and (kind != ITEM or lines[0][:2] == "- "):
        text = _strip_blanks(lines[0]).strip()
        text = f"- {text}" if kind == ITEM else text
    else:
        text = _join(lines, kind)
    if kind == HEADING:
        return text.strip("#").strip()
    return "|".join(cell.strip() for cell in text.strip("|").split("|")) if kind in (HEAD, LINE) else text


def _join(lines: list[str], kind: str) -> str:
    parts: list[str] = []
    depths: list[int] = []
    for at, line in enumerate(lines):
        bare = _strip_blanks(line)
        mark = _marker(bare) if kind == ITEM else ""
        if mark:
            indent = _indent(line)
            depths = [*[depth for depth in depths if depth < indent][:_DEPTHS], indent]
            bare = f"{len(depths) * '-'} {mark} {bare.split(' ', 1)[1] if ' ' in bare else ''}"
        is_plain = bare[:1].isalnum() and not mark and at and lines[at - 1].strip(" \t")
        parts.append((" " if is_plain else "\n") + bare if bare else "")
    return "".join(parts).strip()


def _strip_blanks(line: str) -> str:
    """Return a line with one blank between its words, none around them."""
    if "  " not in line and "\t" not in line:
        return line.strip(" ")
    return " ".join(filter(None, line.replace("\t", " ").split(" ")))
