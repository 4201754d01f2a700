"""Check the files that a memory names: rows of Key Files follow renames, and health looks at all paths.

A row is a person's: it is never taken out, and not marked either, for the file may exist on another branch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from belay.core import plain_text
from belay.core.paths import Project
from belay.memory.document import facts, key_files, path_references
from belay.memory.document.page import Page, parse
from belay.memory.health import score as health_score
from belay.memory.health.evidence import find_renames, gather_evidence
from belay.memory.wrapup import sections
from belay.repository import row_vetting

SHOWN = 5
PATH_CHARS = 120


def find_missing_files(project: Project, page: Page) -> list[str]:
    """Return the paths of Key Files that are not in the work tree, each once."""
    named = [row["path"] for row in facts.read_facts(page)["files"]]
    inside = [path for path in dict.fromkeys(named) if path and not path_references.leads_out(path)]
    return [path for path in inside if not os.path.lexists(project.at(path))]


def follow_renames(project: Project, text: str) -> str:
    """Return a memory file whose Key Files follow what git knows to be renamed since its last update."""
    page = parse(text)
    gone = find_missing_files(project, page)
    if not gone or sections.detect_form(page) != "003":
        return text
    renames = find_renames(project, facts.read_facts(page))
    return key_files.rename_files(page, {path: new for path, new in renames.items() if path in gone}).text


def describe_missing(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return one line that names the known Key Files which are not there, none where all are."""
    name = project.relative(project.memory_md)
    texts = row_vetting.read_known(project, environ, [name]).texts
    gone = find_missing_files(project, parse(texts.get(name, "")))
    names = ", ".join(f"`{plain_text.one_line(path, PATH_CHARS)}`" for path in gone[:SHOWN])
    more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
    return [f"Key Files names what is not there: {names}{more}"] if gone else []


def build_scorer(project: Project) -> Callable[[Page], int]:
    """Return what scores a finished page of this project."""

    def score(page: Page) -> int:
        known = facts.read_facts(page)
        return int(health_score.score_memory(known, gather_evidence(project, known))["score"])

    return score
