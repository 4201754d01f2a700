"""A README or CLAUDE.md as blocks: what a project is in one sentence, and the commands below a heading.

Line by line and without a parser: READMEs are Markdown, reStructuredText, AsciiDoc or HTML, and one reader serves all
(3 ms for 4,000 lines; markdown-it takes 31 ms and reads one of the four). Only their beginning is looked at.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from belay.core.plain_text import cut

LINES = 4000
SENTENCE_CHARS = 220
HEADING_CHARS = 300
INLINE_CHARS = 4000
"""Characters of a paragraph that are looked at."""
PARAGRAPHS = 6
"""Paragraphs among which the first sentence is looked for."""

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)\s*(\w*)")
_ATX = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*$|^(={1,5})\s+(\S.*)$")
_RULED = re.compile(r"^\s*([=\-~^\"'*+#])\1{2,}\s*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TITLE = re.compile(r"<h([1-6])[^<>]*>(.{0,600}?)</h\1>", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"</?(?:p|div|br|center|table|tr|ul|li|picture|details|summary)\b[^<>]*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])?")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_SHORTCUT = re.compile(r"\[([^\[\]]+)\](?![(:\[])")
_RST_LINK = re.compile(r"`([^`<>]+?)\s*<[^<>`]*>`__?|`([^`<>]+)`_\b")
_ROLE = re.compile(r":[\w:]+:`~?([^`<>]+)`")
_EMPHASIS = re.compile(r"\*\*|__|``|(?<!\w)[*_](?=\w)|(?<=[\w.!?])[*_](?!\w)")
_NOT_PROSE = re.compile(
    r"^\s*(?:[-*+•]\s|\d+[.)]\s|\||>|\.\. |:\w+:|\[[^\]]+\]:|\+[-=+]|[$%]\s|!\[|\{%|\{\{|://|@import|include::|:\w+:)"
)
_HEADS = re.compile(
    r"^(?:(?:project )?(?:overview|description|summary|purpose)|introduction|about\b.*|what (?:it |this )?is\b.*"
    r"|what this (?:project|repo).*)$",
    re.IGNORECASE,
)
_EMPTY_WORDS = re.compile(
    r"^(?:this file (?:provides|gives|contains)|note:|warning:|see |sponsor|thanks|english\b|read this in|click|visit "
    r"|documentation|check out|this document|table of contents|supported by|we(?:'re| are) hiring"
    r"|(?:copy|install|run|use|add|download|clone|you|your|if|to|then|please|it|they|we|here|this (?:includes|will))\b"
    r"|for (?:more|information|(?:\S+ ){0,5}(?:see|head to|visit|refer|check|read))\b)"
    r"|^(?:\S+ ){0,6}\S+: \S+\.(?:md|rst|html|adoc)\.?$|\b(?:to|at|see|from) \.$",
    re.IGNORECASE,
)
"""Sentences that lead elsewhere."""
_END = re.compile(r"(?<=[^\s.][.!?])[\"')\]]*\s+(?=[\"'(]?[A-Z0-9])")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|vs|etc|cf|no|v|approx|incl|dr|mr|ms|st)\.$", re.IGNORECASE)
_LETTERS = 12


class Block(NamedTuple):
    """A heading, paragraph or code block, with the heading above it and the line (from 1) where it begins."""

    kind: str
    text: str
    above: str
    line: int
    language: str = ""


def blocks(text: str) -> list[Block]:
    """Return the blocks of a text's first 4,000 lines; lists, tables and directives are blocks of kind "other"."""
    return _Reader(_unwrapped(text).split("\n")[:LINES]).read()


def _unwrapped(text: str) -> str:
    """Return the text without HTML comments and front matter; HTML headings become Markdown's; lines stay."""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found.group().count("\n")

    def heading(found: re.Match[str]) -> str:
        words = " ".join(_TAG.sub(" ", found.group(2)).split())
        return f"\n{'#' * int(found.group(1))} {words}\n" if words else "\n"

    if text.startswith("---\n"):
        end = text.find("\n---", 3, 4000)
        text = "\n" * text.count("\n", 0, end + 4) + text[end + 4 :] if end > 0 else text
    return _TITLE.sub(heading, _COMMENT.sub(blank, text[:200_000]))


class _Reader:
    """Walks the lines once."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.found = lines, list[Block]()
        self.above, self.held, self.begun = "", list[str](), 0

    def read(self) -> list[Block]:
        at = 0
        while at < len(self.lines):
            at = self._step(at)
        self._close()
        return self.found

    def _step(self, at: int) -> int:
        line = self.lines[at]
        fence, atx = _FENCE.match(line), _ATX.match(line) if len(line) < HEADING_CHARS else None
        if fence:
            self._close()
            return self._code(at, fence.group(1), fence.group(2))
        if atx:
            self._close()
            self._head(atx.group(2) or atx.group(4) or "", at)
        elif _RULED.match(line) and len(self.held) == 1:
            title = self.held.pop()
            self._head(title, at - 1)
        elif not line.strip() or _RULED.match(line):
            self._close()
        elif line.startswith(("    ", "\t")) and not self.held:
            return self._indented(at)
        else:
            self.begun = self.begun if self.held else at
            self.held.append(line)
        return at + 1

    def _head(self, title: str, at: int) -> None:
        self.above = inline(title)
        self.found.append(Block("heading", self.above, self.above, at + 1))

    def _code(self, at: int, fence: str, language: str) -> int:
        end = at + 1
        while end < len(self.lines) and not self.lines[end].strip().startswith(fence):
            end += 1
        self.found.append(Block("code", "\n".join(self.lines[at + 1 : end]), self.above, at + 1, language.lower()))
        return end + 1

    def _indented(self, at: int) -> int:
        """Code of four blanks, or the body of a directive."""
        end = at
        while end < len(self.lines) and (self.lines[end].startswith((" ", "\t")) or not self.lines[end].strip()):
            end += 1
        body = "\n".join(line.strip() for line in self.lines[at:end])
        behind = bool(self.found) and self.found[-1].text.startswith(".. ")
        told = "" if not behind or "code" in self.found[-1].text else "other"
        self.found.append(Block(told or "code", body.strip(), self.above, at + 1))
        return end

    def _close(self) -> None:
        if self.held:
            other = bool(_NOT_PROSE.match(self.held[0]))
            text = "\n".join(self.held)
            self.found.append(Block("other" if other else "text", text, self.above, self.begun + 1))
            self.held = []


def inline(text: str) -> str:
    """Return text without tags, images, links' addresses and emphasis, on one line."""
    text = _IMAGE.sub("", _IMAGE.sub("", text[:INLINE_CHARS]))
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _SHORTCUT.sub(r"\1", text)
    text = _RST_LINK.sub(lambda found: found.group(1) or found.group(2), text)
    text = _EMPHASIS.sub("", _TAG.sub("", _BREAK.sub(" ", _ROLE.sub(r"\1", text))))
    return " ".join(html.unescape(text).split())


def first_sentence(text: str) -> tuple[str, int]:
    """Return the first sentence that says what a project is, and its line (from 1); ("", 0) where none does.

    Headings, badges, HTML, lists, tables, notes and rows of links are passed over. A section called overview,
    about or the like comes first; a heading that is a sentence counts as one.
    """
    found = blocks(text)
    prose = [block for block in found if block.kind == "text" or _is_saying(block)][:PARAGRAPHS]
    headed = [block for block in found if block.kind == "text" and _HEADS.match(block.above)][:2]
    for block in [*headed, *prose]:
        told = _sentence(block.text)
        if told:
            return told, block.line
    return "", 0


def _is_saying(block: Block) -> bool:
    """Whether a heading is a sentence of its own, as the subtitle of many a page is."""
    return block.kind == "heading" and block.text.endswith(".") and len(block.text.split()) >= 5


def _sentence(paragraph: str) -> str:
    """Return a paragraph's first sentence, "" where the paragraph is no prose."""
    if _is_links(paragraph):
        return ""
    told = sentence(inline(paragraph))
    words = told.split()
    if len(words) < 4 or told.endswith((":", "?")) or _EMPTY_WORDS.match(told):
        return ""
    if sum(char.isalpha() for char in told) < _LETTERS or sum(word in "|·•/" for word in words) > 2:
        return ""
    return told


def _is_links(paragraph: str) -> bool:
    """Whether most of a paragraph's words are links: badges, or a bar of languages."""
    bare = _LINK.sub("", _LINK.sub("", _IMAGE.sub("", paragraph[:INLINE_CHARS])))
    whole = inline(paragraph)
    return len(inline(bare)) * 2 < len(whole)


def sentence(text: str) -> str:
    """Return the first sentence of a line of text, cut at a word."""
    for mark in _END.finditer(text[: SENTENCE_CHARS * 2]):
        if not _SHORT.search(text[: mark.start()]) and mark.start() > 15:
            return cut(text[: mark.start()].strip(), SENTENCE_CHARS)
    return cut(text, SENTENCE_CHARS)


def commands(text: str, wanted: re.Pattern[str]) -> list[tuple[str, int]]:
    """Return (command, line) of the shell blocks below headings that match, prompts taken off, output left out."""
    rows: list[tuple[str, int]] = []
    for block in blocks(text):
        shell = block.language in (
            "",
            "sh",
            "shell",
            "bash",
            "console",
            "zsh",
            "text",
            "shell-session",
            "sh-session",
        )
        if block.kind == "code" and shell and wanted.search(block.above):
            rows += _typed(block)
    return rows


def _typed(block: Block) -> list[tuple[str, int]]:
    lines = [(line.strip(), block.line + 1 + at) for at, line in enumerate(block.text.split("\n"))]
    prompted = [(line[2:].strip(), at) for line, at in lines if line.startswith(("$ ", "> ", "% "))]
    return prompted or [(line, at) for line, at in lines if line and not line.startswith(("#", "//"))]
