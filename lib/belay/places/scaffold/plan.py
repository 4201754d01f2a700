"""The text of a memory file with the sections of a template and the lists of what was found, all in one marked block.

A second run replaces the lists and adds sections that are missing; what a person wrote in the block or around it stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.memory.claude_files import marked_block
from belay.memory.templates import fill_template
from belay.places.scaffold.found_lists import SECTIONS
from belay.places.scaffold.sections import Section, TemplateText, list_headings, make_key

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "sections"
_BEGIN, _END = "<!-- belay:found-{} begin -->", "<!-- belay:found-{} end -->"


def plan_text(
    text: str, template: TemplateText, sections: list[Section], lists: Mapping[str, list[str]], name: str
) -> str:
    """Return a file's text completed; `sections` are those of the template that are wanted, `lists` lines by kind."""
    block = marked_block.find_block(text, NAME)
    known = {key for key, _, _ in list_headings(text)}
    body = list(block.body) if block else []
    if not text.strip():
        body += [fill_template(line, {"name": name}) for line in template.head]
    for section in sections:
        if make_key(section.title) not in known:
            body += [*([""] if body else []), *(fill_template(line, {"name": name}) for line in section.lines)]
    body = _place_lists(body, lists)
    if not body:
        return text
    return marked_block.replace_block(text, NAME, body) if block else marked_block.insert_block(text, NAME, body)


def _place_lists(body: list[str], lists: Mapping[str, list[str]]) -> list[str]:
    for kind, lines in lists.items():
        body = _replace_list(body, kind, lines) if _BEGIN.format(kind) in body else _insert_list(body, kind, lines)
    return body


def _replace_list(body: list[str], kind: str, lines: list[str]) -> list[str]:
    """Return the body with another list of a kind; without its marks where nothing was found any more."""
    begin, end = body.index(_BEGIN.format(kind)), _find_end(body, kind)
    if end < begin:
        return body
    return body[:begin] + (_mark(kind, lines) if lines else []) + body[end + 1 :]


def _find_end(body: list[str], kind: str) -> int:
    mark = _END.format(kind)
    return body.index(mark) if mark in body else -1


def _insert_list(body: list[str], kind: str, lines: list[str]) -> list[str]:
    """Return the body with a list at the end of the first section that is for it."""
    if not lines:
        return body
    headings = list(list_headings("\n".join(body)))
    starts = [start for _, start, _ in headings] + [len(body)]
    for number, (key, _, _) in enumerate(headings):
        if SECTIONS.get(key) == kind:
            at = starts[number + 1]
            while at and not body[at - 1].strip():
                at -= 1
            return body[:at] + _mark(kind, lines) + body[at:]
    return body


def _mark(kind: str, lines: list[str]) -> list[str]:
    return [_BEGIN.format(kind), *lines, _END.format(kind)]
