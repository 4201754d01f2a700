"""What Claude or a person states of a piece of work: a goal before it, what came of it afterwards.

A preflight is open from its record to the next postflight. It belongs to its session: a compaction and a resume leave
it open; where a session ends with it, its outcome is inferred (docs/session-records.md).
"""

from __future__ import annotations

from belay.core.plain_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.state_types import State

PREFLIGHT, CHECK, POSTFLIGHT = "preflight", "check", "postflight"
ACHIEVED = {"done": 1.0, "partly": 0.5, "failed": 0.0}
"""Outcome → how much of the goal was reached, the scale on which a confidence is stated."""
OUTCOMES = tuple(ACHIEVED)
GOAL, UNKNOWN = "Goal stated: ", "Still unknown: "
LABELS = (GOAL, UNKNOWN)
GOAL_CHARS, UNKNOWNS_CHARS = 240, 400


def list_open(state: State) -> list[str]:
    """Return the goal of the open preflight and what is unknown of it, a line each; [] where none is open."""
    stated = state["preflight"]
    if not stated:
        return []
    goal = f"{GOAL}{one_line(stated['goal'], GOAL_CHARS)}"
    open_now = describe_unknowns(stated["unknowns"])
    return [goal, open_now] if open_now else [goal]


def describe_unknowns(unknowns: list[str]) -> str:
    """Return one line with numbered unknowns, "" for none."""
    numbered = (f"{number}) {text}" for number, text in enumerate(unknowns, 1))
    return f"{UNKNOWN}{one_line(' '.join(numbered), UNKNOWNS_CHARS)}" if unknowns else ""
