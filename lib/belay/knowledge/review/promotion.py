"""Captures become entries: for whoever reads the base, and in the consolidator's step, which also counts rules.

Each entry is one synced record of the ledger that names its captures (`of`): killed anywhere, the next run does the
rest and nothing twice.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.core.lock import hold
from belay.knowledge.entries import entries
from belay.knowledge.review import (
    acceptance,
    capture_list,
    findings,
    fresh_captures,
    processed_sessions,
    repetition,
    rule_counts,
    wrapup_decisions,
    writing,
)
from belay.knowledge.review.capture_list import CaptureView
from belay.knowledge.review.context import Journals
from belay.knowledge.review.writing import Wish
from belay.knowledge.store.store import Store
from belay.session.session import Session, find_others

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.review.acceptance import Promotion

STEP = "harvest"
WAIT = 10.0
"""Seconds that a command waits for the consolidator's promotion, or the other way round."""
READER_WAIT = 1.0
"""Seconds that a reader waits: what another process is taking in, it finds a moment later."""
LOOK_BACK_DAYS = 400.0
CAPTURES_MOST = 2000
"""So many of the latest captures are taken in of a project whose captures were never taken in."""
READER_SESSIONS, READER_CAPTURES = 20, 40
"""So many of them a reader takes in, some tenths of a second; the consolidator does the rest."""


def promotion_lock(project: Project, wait: float = WAIT) -> hold:
    """Hold what keeps two from promoting one capture. Raises LockTimeout."""
    return hold(os.path.join(project.states, "harvest.lock"), deadline=wait)


def take_in(project: Project, environ: Mapping[str, str], wait: float = READER_WAIT) -> int:
    """Make entries of captures that are none yet; return how many were written. An error leaves them for the next."""
    try:
        if not fresh_captures.has_news(project):
            return 0
        with promotion_lock(project, wait):
            sizes, before = fresh_captures.measure(project), fresh_captures.load_sizes(project)
            sessions = _find_sessions(project, environ, sizes, before)
            view = capture_list.load_view(project, environ, sessions)
            news = _select_news(view, sessions, before)
            promotions = acceptance.find_promotions(view, news[-READER_CAPTURES:] if before is None else news)
            count = _write(project, environ, view, promotions, []) if promotions else 0
            if before is not None or (len(sessions) < READER_SESSIONS and len(news) <= READER_CAPTURES):
                fresh_captures.save_sizes(project, sizes)
    except (OSError, BelayError):
        return 0
    return count


def _find_sessions(
    project: Project, environ: Mapping[str, str], sizes: Mapping[str, int], before: Mapping[str, int] | None
) -> list[Session]:
    """Return the sessions to look at: those with new captures; the last ones where none were ever taken in."""
    if before is None:
        return find_others(Session(project, "", environ), LOOK_BACK_DAYS, most=READER_SESSIONS)
    return [Session(project, name, environ) for name in fresh_captures.find_sessions(project, sizes, before)]


def _select_news(view: CaptureView, sessions: Sequence[Session], before: Mapping[str, int] | None) -> list[str]:
    """Return the ids of the captures to look at; of a project whose captures were never taken in also older ones."""
    names = {one.name for one in sessions}
    news = [one.id for one in view.captures.values() if before is None or one.session in names]
    return news[-CAPTURES_MOST:]


def run_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Make entries of captures, take over decisions of wrap-ups, count rules; return entries.

    A knowledge base is made when there is the first entry to write. Raises LockTimeout, BelayError.
    """
    if not os.path.isdir(project.journals):
        return 0
    with promotion_lock(project):
        sizes, before = fresh_captures.measure(project), fresh_captures.load_sizes(project)
        fresh = processed_sessions.select_changed(project, STEP, sessions)
        if not fresh and before is not None:
            return 0
        view = capture_list.load_view(project, environ, sessions)
        promotions = acceptance.find_promotions(view, _select_news(view, fresh, before))
        decided = [one for session in fresh for one in wrapup_decisions.find_decisions(session, view)]
        counted = _write(project, environ, view, promotions, decided) if promotions or decided else 0
        counted += _save_findings(project, environ, view, fresh)
        rule_counts.count_rules(project, environ, view, fresh)
        processed_sessions.save_processed(project, STEP, sessions)
        fresh_captures.save_sizes(project, sizes)
    return counted


def _write(
    project: Project, environ: Mapping[str, str], view: CaptureView, promotions: list[Promotion],
    decided: list[wrapup_decisions.WrapUpDecision],
) -> int:  # fmt: skip
    journals = Journals(project, environ)
    with writing.open_store(project, environ) as store:
        for promotion in promotions:
            _save(store, journals, view, promotion)
        for one in decided:
            wrapup_decisions.save_decision(store, journals, one)
    return len(promotions) + len(decided)


def _save(store: Store, journals: Journals, view: CaptureView, promotion: Promotion) -> None:
    """Write the entry of captures; what they replaced, or contradict, is superseded by it."""
    last = promotion.captures[-1]
    repeated = repetition.find_repeated(store, last.text, last.time)
    if repeated:
        view.known[last.id] = repeated.id
        store.append({"kind": "entry-more", "id": repeated.id, "seen": 1, "of": [last.id], "confirms": True})
        return
    wish = Wish(promotion.captures, status=promotion.status, replaced=_find_replaced(view, promotion))
    entry, _ = writing.save_captures(store, journals, wish)
    for one in promotion.captures:
        view.known[one.id] = entry.id


def _save_findings(project: Project, environ: Mapping[str, str], view: CaptureView, sessions: list[Session]) -> int:
    journals = Journals(project, environ)
    stated = [finding for session in sessions for finding in findings.select_findings(session, journals, view)]
    if stated:
        with writing.open_store(project, environ) as store:
            for finding in stated:
                findings.save_finding(store, journals, finding)
    return len(stated)


def _find_replaced(view: CaptureView, promotion: Promotion) -> set[str]:
    """Return the entries of captures that these replaced within their session."""
    mine = {one.id for one in promotion.captures}
    names = {view.known.get(old, "") for old, new in view.replaced.items() if new in mine}
    return names - {""} - view.forgotten


def confirm_used(project: Project, environ: Mapping[str, str], _: object = ()) -> int:
    """Confirm what was heard once, recalled later, and of use then; return how many. A step of the consolidator.

    Not what Claude said: it comes back before its file is edited, and that edit would count as use.
    """
    if not os.path.lexists(project.workshop):
        return 0
    with Store(project.workshop, environ) as store:
        heard = entries.list_entries(store.connection, (), (entries.HEARD,), -1)
        useful = [entry.id for entry in heard if entry.used > entry.harmful and entry.source != entries.CLAUDE]
        for name in useful:
            store.change(name, status=entries.ACTIVE)
    return len(useful)
