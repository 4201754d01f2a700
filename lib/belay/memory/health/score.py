"""How much a memory can be relied on: four scores of 1–10, and a reason for every point lost (seed 003).

Pure: what the memory says comes as facts, what the repository says as evidence. Anchors and costs: docs/health.md.
"""

from __future__ import annotations

from belay.memory.health import content, drift, limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.health.health_types import Evidence, Health
    from belay.memory.memory_facts import Facts

WEIGHTS = {"freshness": 30, "relevance": 30, "completeness": 20, "actionability": 20}
"""Per cent (seed 003, "Memory Health Scoring")."""


def score_memory(facts: Facts, evidence: Evidence, own: bool = True) -> Health:
    """Return {"score": 1–10} and, for each dimension, {"score": with one decimal, "note", "reasons"}.

    A reason is {"lost": points, "line": 1-based or 0, "what", "mend"}; those of a dimension add up to what it lost.
    The score is the weighted mean, but never above the lowest of "limits". What evidence is not known may be left out
    (`health_types.Evidence`). `own`: the project's memory, which Belay's commands fix; any other file is fixed by hand.
    """
    freshness = drift.score_freshness(facts, evidence, own)
    relevance = drift.score_relevance(facts, evidence, own)
    completeness = content.score_completeness(facts, own)
    actionability = content.score_actionability(facts, evidence, own)
    scores = {
        "freshness": freshness["score"],
        "relevance": relevance["score"],
        "completeness": completeness["score"],
        "actionability": actionability["score"],
    }
    mean = mean_points(scores)
    bounds = [limit for limit in limits.find_limits(facts, evidence, relevance) if limit["points"] < mean]
    points = min([mean, *(limit["points"] for limit in bounds)])
    return {
        "score": max(1, round_half_up(points)),
        "points": points,
        "limits": bounds,
        "freshness": freshness,
        "relevance": relevance,
        "completeness": completeness,
        "actionability": actionability,
    }


def mean_points(scores: dict[str, float]) -> float:
    """Return the weighted mean of the dimensions' scores, with two decimals."""
    return sum(round(scores[name] * 10) * weight for name, weight in WEIGHTS.items()) / 1000


def round_half_up(points: float) -> int:
    """Return points as a whole number."""
    return (round(points * 1000) + 500) // 1000
