"""Snapshots of a session for git notes: after a compaction, a wrap-up, and at the end; never inside a hook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay.core.errors import BelayError
from belay.repository.git import status as git_status
from belay.repository.notes import binding, consent, lines, store, upkeep
from belay.session import working_buffer
from belay.session.session import Session, at_its_work_tree
from belay.session.work.steps import find_work

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.repository.notes.consent import Record

_EVENTS = {"compact": "compaction", "wrap-up": "wrap-up", "end": "end"}
OFFER = (
    "Git notes are off. `belay notes on` would keep a snapshot of each session (task, next step, decisions) and "
    "confirmed entries in notes of this repository; nothing is pushed by itself. This is said once."
)


def take_due(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Write a breadcrumb for each session that was compacted, wrapped up or ended since its last one; return how many.

    Nothing without consent. A session whose note cannot be written is tried again by the next run.
    """
    if not consent.is_on(project, environ):
        return 0
    record = consent.load(project, environ)
    taken, since = record.get("taken", {}), record.get("since", "")
    count = 0
    for session in sessions:
        before = max(taken.get(session.name, ""), since)
        if session.state["last"] > before:
            count += _try(session, before)
    if count:
        _prune(project, environ)
    return count


def _try(session: Session, before: str) -> bool:
    try:
        return take(session, before)
    except (OSError, BelayError):
        return False


def _prune(project: Project, environ: Mapping[str, str]) -> None:
    try:
        upkeep.prune(project, environ, gone=False)
    except (OSError, BelayError):
        return


def take(session: Session, before: str = "") -> bool:
    """Write the breadcrumb of a session's last compaction, wrap-up or end after a journal time; return whether one was.

    Raises BelayError or OSError where the note cannot be written.
    """
    event = when = ""
    document: Mapping[str, Any] = {}
    for row in session.own_records():
        given: Any = row
        document = given.get("document", {}) if row["kind"] == "wrap-up-document" else document
        if row["kind"] in _EVENTS and row["time"] > before:
            event, when = _EVENTS[row["kind"]], row["time"]
    if not event:
        return False
    where = at_its_work_tree(session)
    line = lines.make_line(session.environ, build_snapshot(where, event, when, document))
    store.append(where.project, session.environ, line)
    consent.change(session.project, session.environ, lambda record: _mark_taken(record, session.name, when))
    return True


def _mark_taken(record: Record, name: str, when: str) -> None:
    taken = record.setdefault("taken", {})
    taken.pop(name, None)
    taken[name] = when


def build_snapshot(session: Session, event: str, when: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a breadcrumb says: the state of a session, and the decisions of its last wrap-up's document."""
    state, work = session.state, find_work(session.state)
    said = [str(row.get("decision", "")) for row in document.get("decisions", []) if isinstance(row, dict)]
    open_now = [*state["captures"].values()][::-1][: lines.CAPTURES]
    captures = [row for row in state["captures"].values() if working_buffer.main_class(row) == "decision"]
    return {
        "time": when,
        "kind": event,
        "session": session.name,
        "who": binding.find_name(session.project),
        "branch": session.branch,
        "head": session.head[1],
        "root": binding.find_root(session.project),
        "task": work.task,
        "next": state["next"] or (work.steps[0] if work.steps else ""),
        "decisions": list(dict.fromkeys([*said, *(row["text"] for row in captures)]))[: lines.DECISIONS],
        "captures": [f"{working_buffer.main_class(row)}: {row['text']}" for row in open_now],
        "files": _list_modified(session),
        "commits": [f"{row['sha'][:9]} {row['subject']}" for row in state["commits"][::-1][: lines.COMMITS]],
        "counts": {
            "prompts": state["prompts"],
            "edits": sum(edit["count"] for edit in state["edits"].values()),
            "commands": len(state["tried"]),
            "captures": len(state["captures"]),
            "commits": len(state["commits"]),
        },
    }


def _list_modified(session: Session) -> list[str]:
    """Return the files that git shows as changed, without Belay's own."""
    rows = git_status.list_uncommitted(session.project.root)
    return [path for _, path in rows if not session.project.is_own(path)][: lines.FILES]


def offer_once(session: Session) -> list[str]:
    """Return the line that tells of notes, at the first wrap-up of a repository; [] ever after, and without git."""
    project = session.project
    if not project.common_dir or consent.load(project, session.environ).get("asked"):
        return []
    try:
        consent.change(project, session.environ, _mark_asked)
    except (OSError, BelayError):
        return []
    return [OFFER]


def _mark_asked(record: Record) -> None:
    record["asked"] = True


def close_wrap_up(session: Session) -> list[str]:
    """Write the breadcrumb of a wrap-up where notes are on, else offer them once; return what there is to tell."""
    if not consent.is_on(session.project, session.environ):
        return offer_once(session)
    session.reload()
    record = consent.load(session.project, session.environ)
    try:
        take(session, max(record.get("taken", {}).get(session.name, ""), record.get("since", "")))
    except (OSError, BelayError) as error:
        return [f"No git note was written: {error}"]
    return []
