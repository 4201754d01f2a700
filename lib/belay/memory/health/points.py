"""Points of a score as people see them, and the reasons for those lost: they add up to exactly what was lost."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.health.health_types import Dimension, Health, Reason

TENTHS = 100
"""Ten points in tenths, in which everything is counted, so that no rounding makes a sum wrong."""
MOST = 90
"""A dimension never falls below 1 point (seed 003: 1–10)."""
RECOVER_BELOW = 5
"""A score below which recovery is offered (seed 003)."""
LISTED = 20
"""Reasons listed by name in one dimension; what is beyond shares one."""


def build_reason(tenths: int, line: int, what: str, mend: str) -> Reason:
    """Return a reason: what was lost, in tenths of a point, where (line 0: nowhere), why, and how to fix it."""
    return {"lost": tenths, "line": line, "what": what, "mend": mend}


def build_dimension(note: str, reasons: list[Reason]) -> Dimension:
    """Return {"score", "note", "reasons"} in points; what would go below 1 is cut from the last reasons."""
    left = MOST
    counted: list[Reason] = []
    for row in reasons:
        lost = min(int(row["lost"]), left)
        left -= lost
        if lost:
            counted.append({**row, "lost": lost / 10})
    return {"score": (TENTHS - MOST + left) / 10, "note": note, "reasons": counted}


def split_total(total: int, weights: list[int]) -> list[int]:
    """Return a total split by weights; every rounding goes to the next, so that the sum is the total."""
    whole, done, given, parts = sum(weights), 0, 0, []
    for weight in weights:
        done += weight
        part = total * done // whole - given
        given += part
        parts.append(part)
    return parts


def round_points(points: float) -> int:
    """Return a dimension's score as people see it: rounded half up, and 10 only if nothing was lost."""
    return 10 if points >= 10 else min(9, (round(points * 10) + 5) // 10)


def needs_recovery(health: Health) -> bool:
    """Whether recovery is offered: a memory below 5 points, before they are rounded (seed 003)."""
    return health["points"] < RECOVER_BELOW
