"""The consolidator's step: what the sessions left becomes knowledge where it may, and rules are counted.

Each entry is one synced record of the ledger that names its captures (`of`): killed anywhere, the next run does the
rest and nothing twice.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import clock
from belay.core.lock import hold
from belay.knowledge.entries import entries
from belay.knowledge.review import (
    acceptance,
    capture_list,
    processed_sessions,
    rule_counts,
    waiting_count,
    wrapup_decisions,
    writing,
)
from belay.knowledge.review.capture_list import CaptureView
from belay.knowledge.review.context import Journals
from belay.knowledge.review.writing import Wish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.session.session import Session

STEP = "harvest"
WAIT = 10.0
"""Seconds that a command waits for the consolidator's promotion, or the other way round."""


def promotion_lock(project: Project) -> hold:
    """Hold what keeps two from promoting one capture. Raises LockTimeout."""
    return hold(os.path.join(project.states, "harvest.lock"), deadline=WAIT)


def run_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Promote what is explicit, structural or repeated, take over decisions of wrap-ups, count rules; return entries.

    A knowledge base is made when there is the first entry to write. Raises LockTimeout, BelayError.
    """
    if not os.path.isdir(project.journals):
        return 0
    with promotion_lock(project):
        fresh = processed_sessions.select_changed(project, STEP, sessions)
        if not fresh:
            return 0
        view = capture_list.load_view(project, environ, sessions)
        news = {one.name for one in fresh}
        promotions = acceptance.find_promotions(view, {one.id for one in view.captures.values() if one.session in news})
        decided = [one for session in fresh for one in wrapup_decisions.find_decisions(session, view)]
        counted = _write(project, environ, view, promotions, decided) if promotions or decided else 0
        rule_counts.count_rules(project, environ, view, fresh)
        processed_sessions.save_processed(project, STEP, sessions)
        waiting_count.save_count(project, len(acceptance.find_waiting(view, clock.now())))
    return counted


def _write(
    project: Project, environ: Mapping[str, str], view: CaptureView, promotions: list[acceptance.Promotion],
    decided: list[wrapup_decisions.WrapUpDecision],
) -> int:  # fmt: skip
    journals = Journals(project, environ)
    with writing.open_store(project, environ) as store:
        for promotion in promotions:
            entry, _ = writing.save_captures(store, journals, Wish(promotion.captures))
            for old in _find_replaced(view, promotion) - {entry.id}:
                if entries.load_entry(store.connection, old):  # it may be in another base
                    store.supersede(old, entry.id)
        for one in decided:
            wrapup_decisions.save_decision(store, journals, one)
    return len(promotions) + len(decided)


def _find_replaced(view: CaptureView, promotion: acceptance.Promotion) -> set[str]:
    """Return the entries of captures that these replaced within their session."""
    mine = {one.id for one in promotion.captures}
    names = {view.known.get(old, "") for old, new in view.replaced.items() if new in mine}
    return names - {""} - view.forgotten
