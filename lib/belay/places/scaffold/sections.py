"""A template or a memory file as sections; titles are compared by their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.core.plain_text import words
from belay.memory.document import page

if TYPE_CHECKING:
    from collections.abc import Iterator

STAGES = ("planning", "design", "coding")
_STAGE = re.compile(r"\s*<!--\s*stage:\s*(planning|design|coding)\s*-->\s*")
_KNOWN_STAGES = {
    "planning": ("overview", "project overview", "purpose", "goals", "business logic", "current development phase"),
    "design": ("architecture decisions", "architecture", "key design decisions", "technology stack",
               "integration points", "state management", "data flow"),
}  # fmt: skip
"""Stage → titles, for templates without marks (seed 000: overview while planning, decisions in design)."""
_SAME = {"identified patterns": "discovered patterns", "known issues": "known issues workarounds"}


class Section(NamedTuple):
    """A section of a template: its title, its stage, its lines from the heading on, without blank ones at the end."""

    title: str
    stage: str
    lines: list[str]


class TemplateText(NamedTuple):
    """A template as the lines before its first section (its title) and its sections."""

    head: list[str]
    sections: list[Section]


def make_key(title: str) -> str:
    """Return what makes two titles the same section."""
    found = words(title.replace("&", " "))
    return _SAME.get(found, found)


def parse_template(text: str) -> TemplateText:
    """Return a template in parts; its sections are those of the second level, with what is below them."""
    found = page.parse(text)
    lines = [page.strip_line_end(line) for line in found.lines]
    tops = [section for section in found.sections if section.level == 2]
    head = lines[: tops[0].start] if tops else lines
    sections = [_make_section(section.title, lines[section.start : section.end]) for section in tops]
    return TemplateText(_trim(head), sections)


def _make_section(title: str, lines: list[str]) -> Section:
    marks = [match[1] for line in lines if (match := _STAGE.fullmatch(line))]
    kept = [line for line in lines if not _STAGE.fullmatch(line)]
    return Section(title, marks[0] if marks else _guess_stage(title), _trim(kept))


def _guess_stage(title: str) -> str:
    key = make_key(title)
    return next((stage for stage, titles in _KNOWN_STAGES.items() if key in map(make_key, titles)), "coding")


def _trim(lines: list[str]) -> list[str]:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def list_headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (key of the title, 0-based line of the heading, line behind it) of each section of a text."""
    for section in page.parse(text).sections:
        yield make_key(section.title), section.start, section.body
