"""The lines of a memory that report finished work: they may name files that no longer exist."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.memory_facts import Facts


def find_finished_lines(facts: Facts) -> set[int]:
    """Return the lines (1-based) of Completed, the Session Log, and of what is done or resolved."""
    lines = {row.get("line", 0) for row in facts.get("completed") or []}
    lines |= {row.get("line", 0) for row in facts.get("log") or []}
    lines |= {row.get("line", 0) for row in facts.get("active") or [] if row.get("done")}
    problems = [*(facts.get("issues") or []), *(facts.get("blockers") or [])]
    return lines | {row.get("line", 0) for row in problems if row.get("resolved")}
