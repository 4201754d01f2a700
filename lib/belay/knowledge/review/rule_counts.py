"""How often a rule was followed: sessions that touched what it concerns, with and without the same correction.

A session counts for a rule once it has ended, if it began after the rule was made and touched what the rule concerns
(`concern`): broken where it was corrected by the same fact (`duplicates`), held where it was not. A session that
goes on and breaks the rule later is counted anew: the difference is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.text import duplicates
from belay.knowledge.entries import standards
from belay.knowledge.review import entry_kinds, relevance
from belay.knowledge.store import database
from belay.knowledge.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.entries.standards import Standard
    from belay.knowledge.review.capture_list import CapturedText, CaptureView
    from belay.session.session import Session


def count_rules(project: Project, environ: Mapping[str, str], view: CaptureView, sessions: list[Session]) -> int:
    """Write `standard-count` records for sessions that ended; return how many."""
    ended = [one for one in sessions if one.state["ended"]]
    if not view.standards or not ended:
        return 0
    try:
        store = Store(project.workshop, environ)
    except database.Missing:
        return 0
    with store:
        rows = standards.list_standards(store.connection)
        return sum(_count_session(store, view, rule, session) for rule in rows for session in ended)


def _count_session(store: Store, view: CaptureView, rule: Standard, session: Session) -> int:
    if session.name == rule.session or str(session.state["started"]) <= rule.created:
        return 0
    held, broken = judge_session(session, rule, [one for one in view.captures.values() if one.session == session.name])
    before = view.counts.get((rule.id, session.name), (0, 0))
    if (held, broken) == before:
        return 0
    store.session = session.name
    store.append({
        "kind": "standard-count", "id": rule.id, "of": session.name,
        "held": held - before[0], "broken": broken - before[1],
    })  # fmt: skip
    return 1


def judge_session(session: Session, rule: Standard, captures: list[CapturedText]) -> tuple[int, int]:
    """Return (held, broken) of a rule in one session: one of the two is 1 where the session concerns it."""
    said = [one for one in captures if entry_kinds.is_standard(one) or "preference" in one.classes]
    if any(duplicates.same(entry_kinds.strip_opening(one.text), rule.rule) for one in said):
        return 0, 1
    return (1, 0) if relevance.find_touched(session.state, rule.files, rule.rule) else (0, 0)
