"""When a memory's "Where We Left Off" was written: what a session did before that moment is in it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from belay.core import clock, files

_EPOCH = "1970-01-01T00:00:00"


def find_last_update(facts: Mapping[str, Any], *paths: str) -> str:
    """Return when a memory was written (a journal time), "" where Where We Left Off names neither task nor next step.

    `paths` are its files, the newest counts. A checkout makes a file newer: one that is younger than the day its
    header names was written at the latest when that day ended.
    """
    if not (facts["left"]["task"] or facts["left"]["next"]):
        return ""
    return _stamp(min(max(map(files.written_at, paths), default=0.0), _end(str(facts["header"]["updated"]))))


def _end(day: str) -> float:
    """Return the moment at which a local date YYYY-MM-DD ends; for none, one that never comes."""
    try:
        year, month, number = (int(part) for part in day.split("-"))
        return time.mktime((year, month, number + 1, 0, 0, 0, 0, 0, -1))
    except (ValueError, OverflowError):
        return float("inf")


def _stamp(at: float) -> str:
    return f"{clock.shifted(_EPOCH, int(at))}.{int(at % 1 * 1e6):06d}Z"
