"""The whole check of a project's memory files: every finding with its place, the false ones first."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from belay.places import hierarchy as tree
from belay.places.checks import (
    contradictions,
    findings,
    forms,
    memory_texts,
    orphans,
    repetitions,
    stale_facts,
    stale_paths,
    undecided,
)

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.checks.findings import Finding
    from belay.places.hierarchy import MemoryPlace

FIX = "belay memory check --fix {}"


class Checked(NamedTuple):
    """What was found, the memory files that were read, and those that were not, for they are others'."""

    findings: list[Finding]
    places: list[MemoryPlace]
    foreign: list[MemoryPlace]


def check(project: Project) -> Checked:
    """Return what is wrong in the memory files of a project. Nothing is changed."""
    hierarchy = tree.read(project.root)
    texts = memory_texts.load(hierarchy)
    found = [*orphans.find_orphans(hierarchy), *undecided.find_decided(hierarchy, texts)]
    found += contradictions.find_contradictions(texts)
    found += stale_paths.find_stale_paths(hierarchy, texts)
    found += stale_facts.find_stale_facts(project, hierarchy, texts)
    found += repetitions.find_repetitions(project.root, texts)
    for text in texts:
        found += forms.find_form_problems(text, hierarchy.names)
    return Checked(_sort(found), [text.place for text in texts], hierarchy.foreign)


def _sort(found: list[Finding]) -> list[Finding]:
    """Return the findings by kind and place, each kind once a line, with the commands that correct them."""
    once = {(row.path, row.line, row.kind): row for row in reversed(found)}
    rows = sorted(once.values(), key=lambda row: (findings.KINDS.index(row.kind), row.path, row.line))
    return [_add_fix(row) for row in rows]


def _add_fix(row: Finding) -> Finding:
    return row._replace(fix=FIX.format(shlex.quote(f"{row.path}:{row.line}"))) if row.proposed and not row.fix else row
