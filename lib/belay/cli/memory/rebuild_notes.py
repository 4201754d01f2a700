"""`belay rebuild --from-notes`: entries, sessions, buffer and next step again, from git notes, in a fresh clone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.cli.knowledge import base as opening
from belay.cli.output import Result, here
from belay.cli.setup import waiting_notes
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import count, shown
from belay.knowledge.notes import arrivals, entry_lines
from belay.repository import excludes, projects, vetting
from belay.repository.git import process, reflog
from belay.repository.notes import accepted, store
from belay.session import captures, continuation_files
from belay.session.snapshots import restored
from belay.session.work.steps import find_work

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.knowledge.notes.entry_lines import Line
    from belay.repository.notes.lines import Found
    from belay.session.session import Session

COMMITS = 5000
"""Commits of HEAD that are looked at for snapshots of this branch."""


class FromNotes(TypedDict):
    """`belay rebuild --from-notes`: how much came back, the next step, how many snapshots were of rewritten commits."""

    entries: int
    known: int
    sessions: list[str]
    task: str
    next: str
    continuation: bool
    rewritten: int
    waiting: list[waiting_notes.ForeignLine]


def from_notes() -> Result:
    """Bring back what this user's notes hold; what others wrote waits until it is accepted."""
    project = here()
    if not project.git_dir:
        raise BadInput(project.root, "is no git repository", "run it in a git work tree")
    lines = entry_lines.read_lines(project, os.environ).found
    crumbs = store.read_breadcrumbs(project, os.environ)[0]
    if not lines and not crumbs:
        raise BadInput(project.root, "has no git notes", "belay notes pull fetches them, if the remote has any")
    excludes.write_excludes(project, os.environ)
    vetting.read_trusted(project, os.environ, vetting.candidates(project))
    own = [line for line in lines if line.own]
    taken = _take_entries(own)
    usable = [row for row in crumbs if row["own"] or accepted.is_accepted(project, os.environ, row)]
    history, rewritten = _read_history(project, usable)
    try:
        sessions = restored.restore(project, os.environ, usable)
        last = restored.find_last(usable, projects.branch_and_commit(project)[0], history)
        session = next((one for one in sessions if last and one.name == restored.name_of(last)), None)
        written = _continue(session) if session else False
        for one in sessions:
            if one.state["captures"] or one is session:
                captures.update_buffer(one)
    except OSError as error:
        where = error.filename or project.store
        raise BelayError(where, f"cannot be written ({error.strerror})", "make it writable") from None
    work = find_work(session.state) if session else None
    data: FromNotes = {
        "entries": taken, "known": len({str(line.row["id"]) for line in own}) - taken,
        "sessions": [one.name for one in sessions], "task": work.task if work else "",
        "next": work.next if work else "", "continuation": written, "rewritten": rewritten,
        "waiting": waiting_notes.list_waiting(project),
    }  # fmt: skip
    return Result(data, "\n".join(_format(data)))


def _take_entries(own: list[Line]) -> int:
    if not own:
        return 0
    with opening.open_base(create=True) as base:
        return arrivals.take_own(base, own)


def _read_history(project: Project, crumbs: list[Found]) -> tuple[set[str], int]:
    """Return the commits of HEAD with those that they took the place of, and how many snapshots are of such ones.

    Without notes.rewriteRef a note stays at the commit that was amended or rebased; git's own log leads to it.
    """
    try:
        answer = process.run(project.root, "rev-list", f"-n{COMMITS}", "HEAD", ok=(0, 128))
    except BelayError:
        return set(), 0
    commits = {*answer.split()}
    before = {old for old, new in reflog.read_rewritten(project.common_dir).items() if new in commits} - commits
    return commits | before, sum(row["commit"] in before for row in crumbs)


def _continue(session: Session) -> bool:
    """Write the continuation of the last session, where none waits, its work is open, and nobody worked here since."""
    if continuation_files.find_waiting(session.project) is not None or not restored.is_latest(session):
        return False
    time = session.state["active"]
    refused = continuation_files.refresh(session, always=False)
    session.reload()
    restored.date_back(session, time)
    return not refused


def _format(data: FromNotes) -> list[str]:
    back = f"{count(data['entries'], 'entry', 'entries')} and {count(len(data['sessions']), 'session')}"
    told = [f"Brought back from git notes: {back}."]
    if data["known"]:
        told.append(f"{count(data['known'], 'entry', 'entries')} had not to be brought back.")
    if data["rewritten"]:
        told.append(f"{count(data['rewritten'], 'snapshot')} of commits that were amended or rebased since.")
    work = (("Task", data["task"]), ("Next step", data["next"]))
    told += [f"{name}: {shown(text, 400)}" for name, text in work if text]
    if data["continuation"]:
        told.append("The next session starts from there; `belay continue` shows it.")
    return [*told, *waiting_notes.format_waiting(data["waiting"])]
