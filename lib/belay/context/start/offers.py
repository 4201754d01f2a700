"""What a session's start may offer: at most two things, the most urgent first; nothing is done unasked."""

from __future__ import annotations

import os

from belay.context.start import texts
from belay.core import files, settings
from belay.memory.health import cached_score
from belay.memory.health.points import RECOVER_BELOW, needs_recovery
from belay.safety import shown_notices, trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.memory.branches.offers import OfferLookup
    from belay.memory.health.health_types import Health
    from belay.memory.memory_facts import Facts

MOST = 2
PATIENCE = 0.05
"""Seconds a start waits for the merged branches; where the history is longer, the next start names them."""


def start_looking_for_merged(project: Project, environ: Mapping[str, str]) -> OfferLookup | None:
    """Start looking for branches that were merged; None where no branch has a memory."""
    if not os.path.isdir(project.overlays):
        return None
    from belay.memory.branches import offers

    return offers.OfferLookup(project, environ)


def list_offers(
    project: Project,
    environ: Mapping[str, str],
    facts: Facts,
    health: Health | None,
    asked: OfferLookup | None = None,
) -> list[str]:
    """Return the offers, each a line that names its command; `asked` comes from `start_looking_for_merged`."""
    candidates = [
        _rebuild(health),
        *_branches(project, asked),
        _compression(project, environ, facts["lines"]),
        _distill(project, facts),
    ]
    found = [line for line in candidates if line][:MOST]
    return found if len(found) == MOST else [*found, *_check(project, environ)]


def _check(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the offer to check the CLAUDE.md files, once until somebody did."""
    from belay.places.checks import reminder

    due = reminder.describe_due(project, environ)
    stamp = f"memory-check {project.root} {reminder.find_last_check(project, environ):.0f}" if due else ""
    return [due] if due and shown_notices.is_new(environ, stamp) else []


def _rebuild(health: Health | None) -> str:
    return texts.offer_rebuild(health, RECOVER_BELOW) if health and needs_recovery(health) else ""


def _compression(project: Project, environ: Mapping[str, str], lines: int) -> str:
    """Return the offer to compress; a start never does it itself (seed 003, "Smart Compression").

    None where a compression found nothing to take out of this very text.
    """
    long = lines > settings.load_settings(project, environ)["memory_suggest"]
    long = long and not cached_score.is_tight(project, trust.digest(files.read(project.memory_md)))
    return texts.offer_compression(lines) if long else ""


def _branches(project: Project, asked: OfferLookup | None) -> list[str]:
    """Return the offer to fold a merged branch, and the one to set up a teammate's merge driver."""
    from belay.memory.branches import merge_driver

    ready = asked.answer(PATIENCE) if asked else []
    fold = [texts.offer_fold(row["branch"], row["command"], len(ready) - 1) for row in ready[:1]]
    return [
        *fold,
        *([texts.MERGE_DRIVER] if project.git_dir and merge_driver.explain_missing(project) else []),
    ]


def _distill(project: Project, facts: Facts) -> str:
    if not os.path.isdir(project.logs):
        return ""
    from belay.memory import distillation

    newer = distillation.count_due_logs(project, facts)
    return texts.offer_distill(newer) if newer >= distillation.OFFERED_FROM else ""
