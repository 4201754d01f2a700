"""What a session's start may offer, at most two at once, the most pressing first; nothing is done unasked."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from belay.memory.health import RECOVER_BELOW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.paths import Project

MOST = 2
SUGGEST_LINES = 150
"""A memory longer than this is suggested to be compressed; never at a start itself (seed 003, "Smart Compression")."""
DRIVER = "git merges MEMORY.md by lines on this machine: `belay branch merge-driver --install`"
DAILY_LOGS = 3
"""Daily logs newer than MEMORY.md that call for distilling (docs/memory.md)."""


def lines(
    project: Project, environ: Mapping[str, str], facts: dict[str, Any], health: dict[str, Any] | None
) -> list[str]:
    """Return the offers, each a line that names its command."""
    found = [
        _recovery(health),
        *_branches(project, environ),
        f"MEMORY.md has {facts['lines']} lines: `/compress` shortens it"
        if facts["lines"] > SUGGEST_LINES
        else "",
        _distill(project),
    ]
    return [line for line in found if line][:MOST]


def _recovery(health: dict[str, Any] | None) -> str:
    low = health and health["score"] < RECOVER_BELOW
    return f"memory health is below {RECOVER_BELOW}: `/rebuild` proposes a new MEMORY.md" if low else ""


def _branches(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the offer to fold what was merged, and the one to set a teammate's merge driver up."""
    from belay.overlay import driver

    found = [DRIVER] if project.git_dir and driver.missing(project) else []
    if not os.path.isdir(project.overlays):
        return found
    from belay.overlay import offers

    ready = offers.offers(project, environ)
    more = f" (and {len(ready) - 1} more)" if len(ready) > 1 else ""
    told = [f"{row['branch']} was merged{more}: `{row['command']}` folds its memory" for row in ready[:1]]
    return [*told, *found]


def _distill(project: Project) -> str:
    stamp = os.path.join(project.states, "distilled")  # logs were gone through and held nothing new
    last = max(
        _written(path) for path in (project.memory_md, stamp) if path != stamp or os.path.exists(stamp)
    )
    newer = sum(_written(os.path.join(project.logs, name)) > last for name in _logs(project))
    return f"{newer} daily logs are newer than MEMORY.md: `belay distill`" if newer >= DAILY_LOGS else ""


def _logs(project: Project) -> list[str]:
    """Return the names of the daily logs."""
    try:
        names = os.listdir(project.logs)
    except OSError:
        return []
    return [name for name in names if name.endswith(".md") and _is_date(name[:-3])]


def _is_date(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and text.replace("-", "").isdigit()


def _written(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return time.time()
