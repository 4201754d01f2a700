"""Read the project's own memory where it is trusted: MEMORY.md as facts, lessons as lines (docs/trust.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from belay.core.errors import BelayError, mend_foreign
from belay.core.paths import Project
from belay.memory import memory_files
from belay.memory.branches import overlay as branches_overlay
from belay.memory.document import layers, page
from belay.memory.document.facts import read_facts
from belay.memory.drift import session_diff
from belay.memory.handoff import outdated
from belay.memory.memory_facts import Facts
from belay.repository import row_vetting
from belay.repository.survey import last_update as written
from belay.repository.survey import quotes

LESSONS = 12


class OwnMemory(NamedTuple):
    """The memory's facts (those of an empty one where there is none), lessons, what was left out and why.

    `written`: the time up to which it knows the work (`survey.last_update`); `age`: how old that is, in words, "" where
    nothing was committed since.
    """

    facts: Facts
    lessons: list[str]
    left_out: str
    written: str
    age: str = ""


def read_memory(project: Project, environ: Mapping[str, str]) -> OwnMemory:
    """Return what MEMORY.md, the branch's overlay on it and tasks/lessons.md say.

    A stranger's text that was not accepted says nothing. What the project contradicts is flagged (`outdated`).
    """
    lessons = project.relative(project.lessons)
    texts, _, unknown = row_vetting.read_known(project, environ, ["MEMORY.md", lessons])
    text = texts.get("MEMORY.md", "")
    unclear = memory_files.explain_problem(text) if text else ""
    base = page.parse("" if unclear else text)
    path, overlay, _ = branches_overlay.read_overlay(project, environ, branches_overlay.current_branch(project))
    known_facts = read_facts(page.parse(layers.merge_overlay(base, page.parse(overlay))) if overlay else base)
    why = f"MEMORY.md {unclear}" if unclear else _explain_unknown([name for name in unknown if name == "MEMORY.md"])
    moment = written.find_last_update(known_facts, *([project.memory_md] if text else []), *([path] if overlay else []))
    flagged, age = _compare_with_project(project, environ, known_facts)
    return OwnMemory(flagged, _read_lessons(texts.get(lessons, "")), why, moment, age)


def _compare_with_project(project: Project, environ: Mapping[str, str], known: Facts) -> tuple[Facts, str]:
    """Return the facts, flagged where the project contradicts them, and their age."""
    if not known["sections"]:
        return known, ""
    try:
        diff = session_diff.gather_diff(project, known, environ, thorough=True)
    except BelayError:
        return known, ""
    return outdated.flag_outdated(known, diff), outdated.format_age(diff)


def _explain_unknown(names: list[str]) -> str:
    return f"MEMORY.md came with a clone; {mend_foreign('MEMORY.md')}" if names else ""


def _read_lessons(text: str) -> list[str]:
    rows = [line.strip()[2:] for line in text.splitlines() if line.strip().startswith(("- ", "* "))]
    return [lesson for lesson in (quotes.line(row) for row in rows) if lesson][-LESSONS:]
