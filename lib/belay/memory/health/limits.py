"""What a memory's score is at most, whatever the mean of its dimensions: one rotten part is not made up for.

The seed's weights alone gave a memory of another project ten points: fresh, complete, and false.
"""

from __future__ import annotations

from belay.memory.document import next_step
from belay.memory.health.expected_parts import expected_form
from belay.memory.health.words import is_vague, says_nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.health.health_types import Dimension, Evidence, Limit
    from belay.memory.memory_facts import Facts

ABOVE_RELEVANCE = 20
"""Tenths of a point that a score may be above a relevance which is low because something is false."""
ANOTHER_PROJECT, UNFILLED, NO_NEXT_STEP, UNSURE_STEP, UNCHECKED = 30, 30, 60, 80, 70
"""Tenths of a point: the most for a memory of another project, a template nobody filled in, one from which no work can
start, one whose next step names nothing that exists, and one that was rebuilt and nobody checked."""
_CONTENT = ("active", "blockers", "decisions", "files", "architecture", "issues", "workstreams", "completed")


def find_limits(facts: Facts, evidence: Evidence, relevance: Dimension) -> list[Limit]:
    """Return what limits a memory's score, the lowest first."""
    found = [
        *_limit_relevance(evidence, relevance),
        *_limit_unfilled(facts),
        *_limit_next_step(facts, evidence),
    ]
    if facts.get("unverified"):
        found.append((UNCHECKED, "it was reconstructed and nobody has checked it"))
    return [{"points": tenths / 10, "why": why} for tenths, why in sorted(found)]


def _limit_relevance(evidence: Evidence, relevance: Dimension) -> list[tuple[int, str]]:
    foreign = evidence.get("foreign") or []
    if foreign:
        return [(ANOTHER_PROJECT, f"the project does not use {', '.join(foreign)}: is this another project's memory?")]
    if evidence.get("false") or evidence.get("missing"):
        return [(round(relevance["score"] * 10) + ABOVE_RELEVANCE, "parts of it are false")]
    return []


def _limit_unfilled(facts: Facts) -> list[tuple[int, str]]:
    """Limit a template whose headings have nothing, or only placeholders, below them."""
    if expected_form(facts) not in ("003", "004"):
        return []
    left = facts.get("left") or {}
    says = facts.get("overview") or any(left.get(key) for key in ("task", "next"))
    says = says or any(facts.get(name) for name in _CONTENT)
    return [] if says else [(UNFILLED, "the template is not filled in")]


def _limit_next_step(facts: Facts, evidence: Evidence) -> list[tuple[int, str]]:
    step = next_step.find_next_step(facts)
    if expected_form(facts) == "other" and not step.text:
        return []  # a guide was never meant to have one
    if step.over and not step.text:
        return []
    if not step.text or says_nothing(step.text) or (is_vague(step.text) and not evidence.get("anchored")):
        return [(NO_NEXT_STEP, "no next step that work can start from")]
    if evidence.get("repo") and evidence.get("anchored") is False:
        return [(UNSURE_STEP, "the next step names no existing file, function or command")]
    return []
