"""The decisions of a wrap-up, as entries: so they reach the other branches, whose memory files do not have them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import signatures
from belay.knowledge.entries import entries, forgetting
from belay.knowledge.review import retirement
from belay.knowledge.review.context import find_named_files
from belay.knowledge.store import database_file
from belay.knowledge.store.store import Store
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.review.capture_list import CaptureView
    from belay.knowledge.review.context import Journals
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


def take_back(project: Project, environ: Mapping[str, str], digests: Collection[str]) -> list[Entry]:
    """Forget the entries that wrap-ups made which are undone, where nothing else said the same; return them."""
    return _change(
        project, environ, digests,
        lambda store, made: forgetting.forget(
            store, [one for one in made if one.status == entries.ACTIVE and one.seen == 1]
        ),
    )  # fmt: skip


def renew(project: Project, environ: Mapping[str, str], digest: str) -> list[Entry]:
    """Bring the entries of a wrap-up back that was undone and is saved again; return them."""
    return _change(
        project, environ, [digest],
        lambda store, made: [
            store.change(one.id, status=entries.ACTIVE) for one in made if one.status == entries.FORGOTTEN
        ],
    )  # fmt: skip


def _change(
    project: Project, environ: Mapping[str, str], digests: Collection[str],
    change: Callable[[Store, list[Entry]], list[Entry]],
) -> list[Entry]:  # fmt: skip
    """Change the entries of some wrap-ups where there are any; a project without a base has none."""
    heads = tuple(f"W-{digest}#" for digest in digests if digest)
    if not heads or not database_file.has_data(project.workshop):
        return []
    with Store(project.workshop, environ) as store:
        names = [
            str(record.get("id")) for record in journal.read(store.ledger)[0]
            if record.get("kind") == "entry" and _is_of(record.get("of"), heads)
            and signatures.is_own(environ, str(record.get("session", "")), record.get("mark"))
        ]  # fmt: skip
        made = (entries.load_entry(store.connection, name) for name in dict.fromkeys(names))
        return change(store, [one for one in made if one])


def _is_of(value: object, heads: tuple[str, ...]) -> bool:
    return isinstance(value, list) and any(isinstance(name, str) and name.startswith(heads) for name in value)


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
