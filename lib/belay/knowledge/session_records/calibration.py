"""How well a stated confidence fits what came of it, over sessions.

A session is rated where a preflight stated a confidence and its postflight an outcome; what was inferred never counts.
An outcome counts as the share of the goal that was reached (`preflight.ACHIEVED`). Several pairs of one session are
averaged, so that each session counts once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from belay.core.tuples import NamedTuple
from belay.session.work import preflight

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from belay.knowledge.store.records import ReflexRow

LEAST = 5
"""Rated sessions below which nothing is said or written."""
CLEAR, LARGE = 1.96, 0.1
"""When a bias is clear: were the stated confidences right, each outcome would have the expectation p and at most the
variance p(1 - p); so the sum of n outcomes is more than 1.96 of its standard deviations away in about 1 case of 20. One
below a tenth changes nothing that anybody would do."""
EDGE = 0.05
"""A confidence of 0 or 1 would have no variance at all: it counts as this far from it where the spread is computed."""


class Calibration(NamedTuple):
    """Numbers of rated sessions: how many, means of what was stated and reached, the mean squared error (Brier), z.

    `z` is the difference of the two sums in standard deviations; positive where too much was promised.
    """

    sessions: int
    stated: float
    achieved: float
    brier: float
    z: float

    @property
    def bias(self) -> float:
        """How much more was stated than reached; negative where it was less."""
        return self.stated - self.achieved

    @property
    def is_clear(self) -> bool:
        """Whether the bias says something."""
        return self.sessions >= LEAST and abs(self.bias) >= LARGE and abs(self.z) >= CLEAR

    @property
    def correction(self) -> float:
        """What to add to a stated confidence: the bias taken off, 0 where that is not clear."""
        return -self.bias if self.is_clear else 0.0

    def correct(self, confidence: float) -> float:
        """Return a stated confidence as the outcomes so far suggest it."""
        return min(1.0, max(0.0, confidence + self.correction))


def rate_sessions(reflexes: Iterable[tuple[str, ReflexRow]]) -> list[tuple[float, float]]:
    """Return (mean confidence, mean share reached) of each rated session, by what was stated in order."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    waiting: dict[str, float | None] = {}
    for session, reflex in reflexes:
        if reflex["phase"] == preflight.PREFLIGHT:
            waiting[session] = reflex["confidence"]
        elif reflex["phase"] == preflight.POSTFLIGHT:
            confidence = waiting.pop(session, None)
            achieved = preflight.ACHIEVED.get(reflex["outcome"])
            if confidence is not None and achieved is not None:
                pairs.setdefault(session, []).append((confidence, achieved))
    return [(_mean([one for one, _ in rows]), _mean([other for _, other in rows])) for rows in pairs.values()]


def compute(rated: Sequence[tuple[float, float]]) -> Calibration | None:
    """Return the calibration of rated sessions, None for fewer than LEAST."""
    if len(rated) < LEAST:
        return None
    held = [min(1 - EDGE, max(EDGE, confidence)) for confidence, _ in rated]
    spread = math.sqrt(sum(p * (1 - p) for p in held))
    over = sum(confidence - achieved for confidence, achieved in rated)
    brier = _mean([(confidence - achieved) ** 2 for confidence, achieved in rated])
    stated, achieved = _mean([one for one, _ in rated]), _mean([other for _, other in rated])
    return Calibration(len(rated), stated, achieved, brier, over / spread)


def describe(found: Calibration | None) -> str:
    """Return one line for a session's start; "" where the bias is not clear."""
    if found is None or not found.is_clear:
        return ""
    how = "less" if found.bias > 0 else "more"
    return (
        f"Calibration: over {found.sessions} rated sessions the stated confidence was {found.stated:.2f} on average, "
        f"the outcome {found.achieved:.2f}; state about {abs(found.bias):.2f} {how}."
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
