"""The decisions of a wrap-up, as entries: so they reach the other branches, whose memory files do not have them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.review import retirement
from belay.knowledge.review.context import find_named_files
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.review.capture_list import CaptureView
    from belay.knowledge.review.context import Journals
    from belay.knowledge.store.store import Store
    from belay.session.journal import Line
    from belay.session.session import Session

DRAFT, DONE = "wrap-up-document", "wrap-up"
"""Journal records of a wrap-up: what it says, and that it was saved."""


class WrapUpDecision(NamedTuple):
    """One decision of a wrap-up: its id ("W-" and digest, "#" and place), words, and where it was made."""

    id: str
    text: str
    reason: str
    affects: str
    session: str
    branch: str
    commit: str
    time: str


def find_decisions(session: Session, view: CaptureView) -> list[WrapUpDecision]:
    """Return the decisions of a session's finished wrap-ups that are no entries yet."""
    if not session.state["wrapped"]:
        return []
    records = journal.read(session.project.journal(session.name))[0]
    records_of_user = [row for row in records if session.is_own(row)]
    done = {str(row.get("digest")) for row in records_of_user if row.get("kind") == DONE}
    return [
        decision for decision in _list_decisions(session.name, records_of_user, done) if decision.id not in view.known
    ]


def _list_decisions(session: str, records: list[Line], done: set[str]) -> Iterator[WrapUpDecision]:
    commit = ""
    for row in records:
        commit = str(row.get("head") or commit)
        if row.get("kind") != DRAFT or not row.get("written") or str(row.get("digest")) not in done:
            continue
        branch = str(row.get("branch") or "")
        for at, made in enumerate(_parse_rows(row.get("document"))):
            yield WrapUpDecision(
                f"W-{row['digest']}#{at}", str(made.get("decision") or ""), str(made.get("reason") or ""),
                str(made.get("affects") or ""), session, "" if branch == "no branch" else branch, commit,
                str(row.get("time", "")),
            )  # fmt: skip


def _parse_rows(document: object) -> list[Line]:
    rows = document.get("decisions") if isinstance(document, dict) else None
    return [row for row in rows if isinstance(row, dict) and row.get("decision")] if isinstance(rows, list) else []


def save_decision(store: Store, journals: Journals, decision: WrapUpDecision) -> Entry:
    """Write a decision as an entry; tied to the files that it affects, where they exist."""
    store.session = decision.session
    project = journals.project
    paths = [decision.affects] if decision.affects and os.path.lexists(project.at(decision.affects)) else []
    files = paths or find_named_files(project, decision.affects.replace(",", " "), journals.edited(decision.session))
    retired = retirement.find_contradicted(store, "decision", decision.text, decision.time)
    return store.add(
        "decision", decision.text, reasoning=decision.reason, files=files,
        branch=decision.branch, commit=decision.commit, source="tool", created=decision.time, of=[decision.id],
        supersedes=[one.id for one in retired],
    )  # fmt: skip
