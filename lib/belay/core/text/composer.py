"""The one composer of injected text: slots with a budget each, left out completely when they do not fit."""

from __future__ import annotations

from belay.core.constants import FENCE_CLOSE, FENCE_OPEN, INJECT_CHARS, INJECT_TOKENS
from belay.core.text.invisible import drop_invisible
from belay.core.text.tokens import estimate

WITH_CONTINUATION = {"continuation": 500, "drift": 60, "captures": 90, "notices": 50}
WITHOUT = {"memory": 200, "captures": 150, "drift": 120, "knowledge": 180, "notices": 50}
"""Slot → tokens (docs/architecture.md)."""

_MARKS = (FENCE_OPEN.strip("<>"), "system-reminder")
"""Names of fences: ours, and the one in which the client passes a hook's output to Claude (HOST §2.2)."""
_MARK_CHARS = 40

DRIFT_MOST, CAPTURES_MOST, KNOWLEDGE_MOST = 120, 150, 180
"""What drift, captures and knowledge may take of what a short continuation leaves: as much as without one."""


def eased(continuation: str) -> dict[str, int]:
    """Return the slots of a start with a continuation; what it leaves goes to drift, then captures, then knowledge."""
    spare = max(0, WITH_CONTINUATION["continuation"] - (estimate(continuation + "\n") if continuation else 0))
    drift = min(DRIFT_MOST, WITH_CONTINUATION["drift"] + spare)
    spare -= drift - WITH_CONTINUATION["drift"]
    captures = min(CAPTURES_MOST, WITH_CONTINUATION["captures"] + spare)
    spare -= captures - WITH_CONTINUATION["captures"]
    more = {"drift": drift, "captures": captures, "knowledge": min(KNOWLEDGE_MOST, spare)}
    return {**WITH_CONTINUATION, **more, "notices": WITH_CONTINUATION["notices"]}


def compose(texts: dict[str, str], slots: dict[str, int], total: int = INJECT_TOKENS) -> str:
    """Return the fenced text of the slots in their order; a slot over its budget, or over the rest, is left out."""
    parts: list[str] = []
    left = total - estimate(fence(""))
    for name, budget in slots.items():
        text = texts.get(name, "").strip()
        cost = estimate(text + "\n") if text else 0
        if 0 < cost <= min(budget, left) and sum(map(len, parts)) + len(text) < INJECT_CHARS:
            parts.append(text)
            left -= cost
    return fence("\n".join(parts)) if parts else ""


def fit(lines: list[str], budget: int) -> str:
    """Return as many lines, from the first on, as fit the token budget."""
    kept: list[str] = []
    for line in lines:
        if estimate("\n".join([*kept, line]) + "\n") > budget:
            break
        kept.append(line)
    return "\n".join(kept)


def fence(text: str) -> str:
    """Return text inside Belay's fence, so that it is recognised and never captured again.

    A fence inside the text is broken first, in whatever spelling: what is quoted closes neither ours nor the client's.
    What a person would not see goes first: it may hide a fence, or words.
    """
    head, *rest = drop_invisible(text).split("<")
    text = head + "".join(("&lt;" if _is_mark(part) else "<") + part for part in rest)
    return f"{FENCE_OPEN}\n{text}\n{FENCE_CLOSE}"


def _is_mark(part: str) -> bool:
    return part[:_MARK_CHARS].lstrip(" \t\r\n/").casefold().startswith(_MARKS)
