"""What a session's start may offer, at most two at once, the most pressing first; nothing is done unasked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import files, settings
from belay.memory.health import cached_score
from belay.memory.health.score import RECOVER_BELOW
from belay.safety import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.memory.branches.offers import OfferLookup
    from belay.memory.health.health_types import Health
    from belay.memory.memory_facts import Facts

MOST = 2
PATIENCE = 0.05
"""Seconds a start waits for what was merged; a longer history is told of by the next one."""
DRIVER = "git merges MEMORY.md by lines on this machine: `belay branch merge-driver --install`"


def merged(project: Project, environ: Mapping[str, str]) -> OfferLookup | None:
    """Begin to look for branches that were merged; None where no branch has a memory."""
    if not os.path.isdir(project.overlays):
        return None
    from belay.memory.branches import offers

    return offers.OfferLookup(project, environ)


def lines(
    project: Project,
    environ: Mapping[str, str],
    facts: Facts,
    health: Health | None,
    asked: OfferLookup | None = None,
) -> list[str]:
    """Return the offers, each a line that names its command; `asked` is what `merged` began."""
    found = [
        _recovery(health),
        *_branches(project, asked),
        _compression(project, environ, facts["lines"]),
        _distill(project, facts),
    ]
    return [line for line in found if line][:MOST]


def _recovery(health: Health | None) -> str:
    low = health and health["score"] < RECOVER_BELOW
    return f"memory health is below {RECOVER_BELOW}: `/rebuild` proposes a new MEMORY.md" if low else ""


def _compression(project: Project, environ: Mapping[str, str], lines: int) -> str:
    """Return the suggestion to compress; a start never does it itself (seed 003, "Smart Compression").

    Not where a compression found nothing to take out of this very text.
    """
    long = lines > settings.load_settings(project, environ)["memory_suggest"]
    long = long and not cached_score.is_tight(project, trust.digest(files.read(project.memory_md)))
    return f"MEMORY.md has {lines} lines: `/compress` shortens it" if long else ""


def _branches(project: Project, asked: OfferLookup | None) -> list[str]:
    """Return the offer to fold what was merged, and the one to set a teammate's merge driver up."""
    from belay.memory.branches import merge_driver

    ready = asked.answer(PATIENCE) if asked else []
    more = f" (and {len(ready) - 1} more)" if len(ready) > 1 else ""
    told = [f"{row['branch']} was merged{more}: `{row['command']}` folds its memory" for row in ready[:1]]
    return [*told, *([DRIVER] if project.git_dir and merge_driver.explain_missing(project) else [])]


def _distill(project: Project, facts: Facts) -> str:
    if not os.path.isdir(project.logs):
        return ""
    from belay.memory import distillation

    newer = distillation.count_due_logs(project, facts)
    return (
        f"{newer} daily logs are newer than MEMORY.md: `belay distill`"
        if newer >= distillation.OFFERED_FROM
        else ""
    )
