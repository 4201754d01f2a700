"""The parts that a memory should have by its form, and what each missing one costs (docs/health.md)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.memory_facts import Facts

FIRST_FORM = {
    "overview": 20, "left": 20, "active": 10, "decisions": 10, "files": 10, "completed": 5, "architecture": 5,
    "log": 5, "blockers": 2, "issues": 1, "preferences": 1, "external": 1,
}  # fmt: skip
"""What a missing section of seed 003's template costs, in tenths of a point; all together 9 points."""
SECOND_FORM = {"overview": 25, "workstreams": 30, "decisions": 20, "references": 15}
"""The same for seed 004's form."""
OTHER_FORM = {"overview": 40, "next": 30, "decisions": 20}
MINIMAL_FORM = {"overview": 45, "next": 45}
NEXT_TENTHS = 10
"""What "Where We Left Off" costs without a next step in it."""
MINIMAL_LINES = 15


def expected_parts(facts: Facts) -> dict[str, int]:
    """Return part → what it costs when it is missing, in tenths of a point."""
    if is_minimal(facts):
        return MINIMAL_FORM
    return {"003": FIRST_FORM, "004": SECOND_FORM}.get(expected_form(facts), OTHER_FORM)


def expected_form(facts: Facts) -> str:
    """Return the form a file is held to: a template's only if it is a memory: a session's header, or a place left off.

    Many a CLAUDE.md has an overview and key files under the same titles and never meant to have the rest.
    """
    header = facts.get("header") or {}
    meant = any(header.get(key) for key in ("session", "branch", "health"))
    meant = meant or any(row.get("name") in ("left", "workstreams") for row in facts.get("sections") or [])
    return str(facts.get("form", "empty")) if meant or facts.get("form") == "empty" else "other"


def is_minimal(facts: Facts) -> bool:
    """Whether a memory is one of a few lines (seed 003's minimal example): under 15."""
    return bool(facts.get("lines", 0) < MINIMAL_LINES)


def needs_no_sections(facts: Facts) -> bool:
    """Whether a file is asked for contents and not for sections: it has no template, or a few lines."""
    return is_minimal(facts) or expected_form(facts) == "other"


def start_advice(own: bool) -> str:
    """Return the advice for a memory that says nothing at all."""
    return "belay rebuild" if own else "write what the project is and what comes next"
