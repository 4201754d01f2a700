"""What is wrong in the form of a memory: too long, configuration instead of sentences, headings that say nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.core.plain_text import count, shown
from belay.memory.compression import waste
from belay.memory.document import facts, page, path_references
from belay.memory.document.template_sections import canonical_section
from belay.places import hierarchy as tree
from belay.places.checks.findings import CODE, CONFIGURATION, EMPTY, HEADING, LONG, REASON, Finding
from belay.repository.survey.places import is_code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from belay.memory.document.page import Record, Section
    from belay.places.checks.memory_texts import MemoryText

LINES = 200
"""Lines of a memory file that the client's own documentation advises (HOST §4)."""
EXAMPLE_LINES = 15
"""Lines of code that are welcome as an example in a CLAUDE.md."""
RUN = 3
"""Lines with plain keys in a row that are configuration; of those with dotted keys two are enough."""
_SAYS_NOTHING = frozenset("notes note misc miscellaneous stuff other others various general random things info".split())
_SAYS_NOTHING |= {"additional notes", "other notes", "random notes", "general notes", "other stuff", "more", "etc"}
_DOTTED = re.compile(r"^\s*(?:[-*]\s+)?`?([a-z][a-z0-9_-]*(?:\.[a-z][\w-]*)+)`?\s*[:=]\s*(\S.*)$")
_CODE_NAMES = ("window.", "this.", "self.", "process.", "console.", "module.", "document.", "import.")
_TYPES = re.compile(r"[:=]\s*(?:string|number|boolean|int|float|str|bool|any|void|object|date)\b", re.IGNORECASE)
_PLAIN = re.compile(
    r"^\s*(?:[-*]\s+)?[a-z][a-z0-9]*(?:[_A-Z-][\w-]*)?\s*[:=]\s*(?:[\w./@-]+|\[.*\]|\{.*\}|\"[^\"]*\")\s*$"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|so\b|due to|as it|as they|as we|in order|to (?:avoid|keep|allow|prevent|reduce|make"
    r"|let|ensure|support|simplify|get|have|share|enable|isolate|limit|be able|minimi[sz]e|not)|why|reason\w*|rationale"
    r"|trade-?offs?|instead of|rather than|over\b|allows?|avoids?|prevents?|enables?|keeps?|reduces?|simplif\w+"
    r"|ensures?|needed|needs|requires?|required|otherwise|without|for (?:\w+ ){0,2}\w+|cheaper|faster|simpler"
    r"|easier|smaller|safer|better)\b|→|—|–|\(.{12,}\)",
    re.IGNORECASE,
)
_DECISIONS = re.compile(r"^\W*(?:\w+ ){0,3}decisions?(?: log| record)?s?(?: made| & rationale)?\W*$", re.IGNORECASE)
_NO_DECISIONS = re.compile(r"\b(?:when|ask|escalat\w+|how|open|pending)\b", re.IGNORECASE)
_WRITTEN_WITH_CODE = re.compile(
    r"^(?:implementation|implementation details|key components|components|data flow|api|api endpoints|api routes"
    r"|endpoints|routes|state management|error handling|testing|testing strategy|tests|dependencies|integration points"
    r"|architecture|architecture decisions|technology stack|tech stack|overview|project overview|feature overview)$",
    re.IGNORECASE,
)
"""Sections of seed 000 that can be filled once there is code."""
_PLACEHOLDER = re.compile(
    r"^\W*(?:tbd|todo|to be (?:done|decided|written|defined)|none yet|n/?a|\.\.\.|…|\[[^\]]*\])?\W*$", re.I
)


def find_form_problems(text: MemoryText, names: Collection[str]) -> Iterator[Finding]:
    """Yield what is wrong in the form of one memory file; `names` are the files of the project."""
    if not text.is_memory:
        yield from _find_long(text)
        yield from _find_long_code(text)
        yield from _find_empty(text, names)
    else:
        yield from _find_waste(text)
    yield from _find_configuration(text)
    yield from _find_headings(text)
    yield from _find_unreasoned(text)


def _find_long(text: MemoryText) -> Iterator[Finding]:
    lines = len(text.page.lines)
    if lines > LINES:
        longest = max(_list_top_sections(text), key=lambda one: one.end - one.start, default=None)
        where = f"; its longest section is “{shown(longest.title)}”, line {longest.start + 1}" if longest else ""
        why = f"has {count(lines, 'line')}, more than {LINES}{where}"
        advice = "move what concerns one feature into the memory beside it"
        yield Finding(text.place.path, 1, LONG, why, advice=advice)


def _list_top_sections(text: MemoryText) -> list[Section]:
    return [section for section in text.page.sections if section.level == 2]


def _find_long_code(text: MemoryText) -> Iterator[Finding]:
    """Yield the longest block of code over the limit: one finding a file, which counts the others."""
    found = []
    for record in text.page.records:
        lines = [line for line in record.text.split("\n") if line.strip()]
        if record.kind == "code" and len(lines) > EXAMPLE_LINES and waste.is_snippet(text.page, record):
            found.append((len(lines), -record.start, lines[0]))
    if found:
        length, start, first = max(found)
        others = f", and {count(len(found) - 1, 'other block')} too" if len(found) > 1 else ""
        why = f"is {length} lines of code{others}; up to {EXAMPLE_LINES} are an example"
        yield Finding(text.place.path, 1 - start, CODE, why, shown(first), "name file:line; the code is in the file")


def _find_waste(text: MemoryText) -> Iterator[Finding]:
    """Yield the code blocks of MEMORY.md, as `belay lint` finds them."""
    for found in waste.find_waste(text.page):
        if found.rule == "code":
            why = "is code, which a memory need not keep"
            yield Finding(text.place.path, found.line, CODE, why, shown(found.text), found.mend)


def _find_configuration(text: MemoryText) -> Iterator[Finding]:
    """Yield lines that are keys and values where a sentence would say why: one finding a run of them."""
    for record in text.page.records:
        if record.kind not in ("text", "item"):
            continue
        lines = text.page.lines[record.start : record.end]
        dotted = [at for at, line in enumerate(lines) if _is_dotted(line)]
        plain = [at for at, line in enumerate(lines) if _PLAIN.match(line) and not _TYPES.search(line)]
        first = dotted[0] if dotted else plain[0] if len(plain) >= RUN else -1
        is_run = len(dotted) > 1 or len(plain) >= RUN or _goes_on(text, record)
        if first >= 0 and is_run and not _is_dotted(text.read_line(record.start)):
            why = "is written like configuration; a sentence also says what it means"
            advice = "write it as a sentence"
            line = record.start + 1 + first
            yield Finding(text.place.path, line, CONFIGURATION, why, text.read_line(line).strip(), advice)


def _is_dotted(line: str) -> bool:
    found = _DOTTED.match(page.strip_line_end(line))
    if not found or found[1].startswith(_CODE_NAMES) or _TYPES.search(line):
        return False
    value = found[2].rstrip("`")
    is_value = len(value.split()) <= 3 or re.fullmatch(r"\[[^\]]*\]|\{[^}]*\}", value)
    end = found[1].rpartition(".")[2].lower()
    return (
        bool(is_value) and value.isascii() and end not in path_references.EXTENSIONS and not value.endswith((";", "."))
    )


def _goes_on(text: MemoryText, record: Record) -> bool:
    """Whether the next item of a list is configuration too: two of them are, and a list is one finding."""
    return record.kind == "item" and _is_dotted(text.read_line(record.end + 1))


def _find_headings(text: MemoryText) -> Iterator[Finding]:
    for section in text.page.sections:
        if " ".join(re.sub(r"[^\w ]", " ", section.title).split()).casefold() in _SAYS_NOTHING:
            why = f"“{shown(section.title)}” does not say what is below it"
            yield Finding(
                text.place.path, section.start + 1, HEADING, why, section.title, "name what the section is about"
            )


def _find_unreasoned(text: MemoryText) -> Iterator[Finding]:
    """Yield decisions that give no reason: items and rows of a section for decisions."""
    columns: tuple[str, ...] = ()
    for record in text.page.records:
        columns = record.cells if record.kind == "head" else columns
        if record.kind in ("item", "row") and _is_decisions(text, record) and not _is_nested(text, record):
            said = _list_below(text, record)
            if len(said.split()) > 2 and not _REASON.search(said) and not _has_reason_column(columns, record):
                why = "is a decision without its reason"
                line = text.read_line(record.start + 1).strip()
                yield Finding(text.place.path, record.start + 1, REASON, why, line, "add why: “…, because …”")


def _is_decisions(text: MemoryText, record: Record) -> bool:
    title = text.find_title(record)
    if _NO_DECISIONS.search(title):
        return False
    return bool(_DECISIONS.match(title)) or canonical_section(title) == "decisions"


def _is_nested(text: MemoryText, record: Record) -> bool:
    return text.read_line(record.start + 1)[:1] in (" ", "\t")


def _list_below(text: MemoryText, record: Record) -> str:
    """Return an item with what is indented below it, "Why: …" for instance."""
    lines = text.page.lines[record.start : record.end]
    for line in text.page.lines[record.end :]:
        if not line.startswith((" ", "\t")):
            break
        lines = [*lines, line]
    return " ".join(page.strip_line_end(line) for line in lines)


def _has_reason_column(columns: tuple[str, ...], record: Record) -> bool:
    pairs = zip(columns, record.cells, strict=False)
    return any(re.search(r"reason|why|rationale", name, re.I) and len(cell.split()) > 1 for name, cell in pairs)


def _find_empty(text: MemoryText, names: Collection[str]) -> Iterator[Finding]:
    """Yield empty sections that could be filled, for the folder has code."""
    first = next((name for name in sorted(names) if is_code(name) and _is_own(text, name)), "")
    for section in text.page.sections if first else ():
        if _WRITTEN_WITH_CODE.match(section.title.strip()) and _is_empty(text, section):
            why = f"“{shown(section.title)}” is empty although the code is there ({first})"
            yield Finding(
                text.place.path, section.start + 1, EMPTY, why, section.title, "fill it, or take the heading out"
            )


def _is_own(text: MemoryText, name: str) -> bool:
    return text.place.level != tree.RULE and tree.is_within(name, text.place.folder)


def _is_empty(text: MemoryText, section: Section) -> bool:
    rows = [row for row in text.page.within(section) if row.kind not in ("blank", "comment", "break", "head", "rule")]
    return all(
        row.kind != "heading" and (_PLACEHOLDER.match(row.text) or facts.is_placeholder(row.text)) for row in rows
    )
