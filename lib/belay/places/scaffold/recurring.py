"""Sections that memory files of one kind have in common and their template lacks (seed 000: "update the template")."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.places.scaffold.sections import TemplateText, make_key
from belay.repository import vetting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.places.hierarchy import Hierarchy

LEAST = 3
"""Files that have a section before it is offered."""


class RecurringSection(NamedTuple):
    """A section's title and the files that have it, as (path, line of the heading)."""

    title: str
    places: list[tuple[str, int]]


def find_recurring(
    project: Project, environ: Mapping[str, str], hierarchy: Hierarchy, level: str, template: TemplateText
) -> list[RecurringSection]:
    """Return the sections that three or more memory files of a level have and the template does not.

    Only files whose text is trusted count: a title of another's would get into every new file.
    """
    from belay.memory.document import page

    paths = [place.path for place in hierarchy.places if place.level == level]
    known, _ = vetting.read_trusted(project, environ, paths)
    has = {make_key(section.title) for section in template.sections}
    found: defaultdict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for path, text in known.items():
        for section in page.parse(text).sections:
            key = make_key(section.title)
            if section.level == 2 and key and key not in has and path not in [row[1] for row in found[key]]:
                found[key].append((section.title, path, section.start + 1))
    return [
        RecurringSection(rows[0][0], [(path, line) for _, path, line in rows])
        for rows in found.values()
        if len(rows) >= LEAST
    ]


def add_section(text: str, title: str) -> str:
    """Return a template with one more section at its end."""
    return f"{text.rstrip()}\n\n## {title}\n<!-- What belongs here. -->\n"
