"""What `belay wrap-up --undo` needs: every file before the wrap-up, and what it changed in the sessions' states."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING, Any

from belay.core import clock
from belay.knowledge.review import wrapup_decisions
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.memory.branches import overlay
from belay.memory.wrapup import audit, layer_files
from belay.session import captures
from belay.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.core.paths import Project

COMMAND = "wrap-up"
_FIELDS = ("captures", "wrapped", "task", "status", "next", "todos")
"""What a wrap-up changes in a session's state (`folding.fold_wrapped`)."""


class UndoEntry:
    """The record of one wrap-up, begun before it and finished after it; the caller holds the lock at its beginning."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._existing = set(_list_archives(session.project))
        project = session.project
        paths = _list_files(session)
        own = dict.fromkeys([project.buffer, project.own_lines(), project.continuation], "own")
        appended = dict.fromkeys(_list_logs(session), "append")
        self._folder = memory_undo.begin_record(
            project, session.environ, COMMAND, [*paths, *appended, *own], later={**own, **appended},
            more={"sessions": _read_states(session)},
        )  # fmt: skip

    def finish(self) -> None:
        """Note what the files hold now."""
        project = self.session.project
        created = [path for path in _list_archives(project) if path not in self._existing]
        memory_undo.finish_record(project, self.session.environ, self._folder, created=created, changed=True)


def undo_wrapup(session: Session) -> list[str]:
    """Put every file back that the last wrap-up touched, and its captures into their sessions; return the files.

    Raises NothingToUndo, or BelayError where a file was edited since: then nothing changes.
    """
    project, environ = session.project, session.environ
    with memory_files.lock_memory(project):
        record = memory_undo.read_last_change(project, environ, COMMAND)
        files = memory_undo.undo_last_change(project, environ, COMMAND)
        digests: list[str] = []
        for name, fields in record.get("more", {}).get("sessions", {}).items():
            owner = Session(project, name, environ)
            digests += list_saved(owner)[-1:]
            owner.log("unwrapped", state=fields)
            owner.save()
            _accept_memory(owner)
        session.reload()
    wrapup_decisions.take_back(project, environ, digests)
    rows = {row["path"]: row for row in record["files"]}
    buffer = rows.get(project.relative(project.buffer))
    if buffer is None or memory_undo.is_changed_since(project, buffer):
        captures.update_buffer(session)  # it was written again since: it takes the open captures up
    return [name for name in files if name != project.relative(project.own_lines())]


def list_saved(session: Session) -> list[str]:
    """Return the digests of a session's saved wrap-ups, the oldest first, those that were undone left out."""
    saved: list[str] = []
    for record in session.own_records():
        if record["kind"] == "wrap-up":
            saved.append(record.get("digest", ""))
        elif record["kind"] == "unwrapped":
            saved = saved[:-1]
    return saved


def _list_files(session: Session) -> list[str]:
    """Return the files that a wrap-up may change and nobody else changes by the way."""
    project, branch = session.project, session.branch or "no branch"
    layers = [layer.path for layer in layer_files.find_layers(session, branch)]
    settled = [overlay.overlay_path(project, branch)] if session.branch else []
    archives = [path for path in _list_archives(project) if os.path.dirname(path) == project.root]
    return list(dict.fromkeys([project.todo, project.lessons, *layers, *settled, *archives]))


def _list_logs(session: Session) -> list[str]:
    """Return the daily logs of today and of every form of the session that was begun before."""
    drafts = [str(row["time"]) for row in session.own_records() if row["kind"] == "wrap-up-document"]
    dates = dict.fromkeys([clock.local_date(), *map(clock.local_date, drafts)])
    return [session.project.daily(date) for date in dates]


def _list_archives(project: Project) -> Iterable[str]:
    """Return the files of the memory's archive, and the continuations that were put away."""
    memories = glob.glob(os.path.join(glob.escape(project.root), "MEMORY-ARCHIVE*.md"))
    return [*memories, *glob.glob(os.path.join(glob.escape(project.archive), "*.md"))]


def _read_states(session: Session) -> dict[str, Any]:
    owners = {owner.name: owner for owner, _ in audit.find_open_captures(session)} | {session.name: session}
    return {name: {key: dict(owner.state)[key] for key in _FIELDS} for name, owner in owners.items()}


def _accept_memory(session: Session) -> None:
    """Let the next form of the session be applied: what the last audit saw is what is there again."""
    seen = audit.read_seen(session.project, session.name)
    if seen:
        sha = audit.check_memory(session.project)["sha256"]
        audit.write_seen(session.project, session.name, {**seen, "sha256": sha})
