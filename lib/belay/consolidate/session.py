"""What the detached consolidator does seconds after a session: finish dead ones, fold journals into logs, sweep.

Everything it writes can be written again from the journal; killed at any point, the next run does the rest.
"""

from __future__ import annotations

import os
import time

from belay.client import processes
from belay.consolidate import memory
from belay.core import clock, environment, lock, paths, plain_text
from belay.core import settings as core_settings
from belay.core.constants import BUFFER_LINES
from belay.core.errors import LockTimeout
from belay.repository import projects, vetting
from belay.session import continuation_files, journal, working_buffer
from belay.session import state as session_state
from belay.session.session import Session, at_its_work_tree, find_others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from belay.session.state_types import State

LOOK_BACK_DAYS = 400.0
MOST = 500
KEPT = ("capture", "close", "wrap-up")
SWEEP_DAYS = 14.0
TRIED_SHOWN = 8
COUNTS = {"busy": False, "finished": 0, "kept": 0, "folded": 0, "expired": 0, "dropped": 0}


def run(project: paths.Project, environ: Mapping[str, str], *, ending: bool = False) -> dict[str, Any]:
    """Consolidate a project once; return counts {finished, kept, folded, expired, dropped}; busy is no error.

    `ending`: a session ended this moment, so that a memory file that grew too long is compressed.
    """
    if not os.path.isdir(project.journals):
        return dict(COUNTS)
    from belay.repository.git.reader import gitpython_reader  # a start loads this module and reads no history

    environment.add_packages(environ)
    before = lock.use_filelock()
    try:
        with lock.hold(os.path.join(project.states, "consolidate.lock"), deadline=0.0), gitpython_reader():
            return _run(project, environ, ending)
    except LockTimeout:
        return {**COUNTS, "busy": True}
    finally:
        lock.use_filelock(before)


def _run(project: paths.Project, environ: Mapping[str, str], ending: bool) -> dict[str, Any]:
    from belay.consolidate import knowledge  # a start loads this room, too, and does none of that

    sessions = find_others(Session(project, "", environ), LOOK_BACK_DAYS, most=MOST)[::-1]
    settings(project, environ)
    finished = _each(finish, sessions)
    kept = memory.run(project, environ, sessions, ending=ending)
    folded, expired = (_each(doing, sessions) for doing in (fold, expire))
    knowledge.run(project, environ, sessions)
    publish(project, sessions)
    dropped = retire(project, environ)
    counts = {"finished": finished, "kept": kept, "folded": folded, "expired": expired, "dropped": dropped}
    return {**COUNTS, **counts}


def _each(doing: Callable[[Session], int], sessions: list[Session]) -> int:
    """Return what a doing did with all sessions, the oldest first; one that cannot be written stops no other."""
    count = 0
    for session in sessions:
        try:
            count += doing(session)
        except (OSError, LockTimeout):
            continue
    return count


def start(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Start a run in a process of its own; where the system cannot fork, the next session's start finishes the rest."""

    def work() -> None:
        run(project, environ)

    return processes.run_detached(work)


def settings(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Compile the settings where a file of them changed; return one line for each that was left out."""
    if not core_settings.is_stale(project, environ):
        return []
    environment.add_packages(environ)
    try:
        return core_settings.compile_settings(project, environ, accepted(project, environ))
    except ImportError:
        return ["settings wait for Belay's environment"]


def accepted(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Whether the project's settings file was written or accepted here."""
    home = projects.find(project.home, environ) or project
    name = home.relative(project.settings)
    return name in vetting.read_trusted(home, environ, [name])[0]


def dead(session: Session) -> bool:
    """Whether a session has records, no end mark, and a client that runs no more."""
    state = session.state
    return bool(state["last"]) and not state["ended"] and not processes.is_alive(state["client"])


def finish(session: Session) -> bool:
    """Give a dead or ended session its end mark and its continuation; return whether anything was missing."""
    if not _unfinished(session):
        return False
    with lock.hold(session.project.lock):
        session.reload()
        if not _unfinished(session):  # another process was first
            return False
        lost = dead(session)
        if session.state["dirty"]:
            why = continuation_files.refresh(at_its_work_tree(session), always=False)
            if why:
                session.log("continued", skipped=why)
        if lost:
            session.log("end", reason="lost")
        session.save()
    return True


def _unfinished(session: Session) -> bool:
    return dead(session) or bool(session.state["ended"] and session.state["dirty"])


def fold(session: Session) -> bool:
    """Write what an ended session did, tried and failed into its day's log, and its captures into the ledger."""
    state = session.state
    if not state["ended"] or state["folded"] == state["last"]:
        return False
    with lock.hold(session.project.lock):
        where = at_its_work_tree(session).project
        date = clock.local_date(state["started"] or state["active"])
        lines = day_lines(state)
        if len(lines) > 1:
            own = session.project.own_lines(date)
            working_buffer.update(where.daily(date), own, [(session.name, lines)], title=f"# {date}\n\n")
        keep(session)
        session.log("folded")
        session.save()
    return True


def day_lines(state: State) -> list[str]:
    """Return what a session did, tried and failed, as lines of a daily log."""
    branch = state["branch"] or "no branch"
    lines = [
        f"## Session {state['session'][:8]} ({branch}): {plain_text.one_line(state['task'] or 'no task named', 120)}"
    ]
    for path, edit in state["edits"].items():
        lines.append(f"- did: edited `{path}`" + (f", last at line {edit['line']}" if edit["line"] else ""))
    for tried in state["tried"][-TRIED_SHOWN:]:
        how = "passed" if tried["ok"] else f"failed: {plain_text.one_line(tried['output'], 160)}"
        lines.append(f"- tried: `{plain_text.one_line(tried['command'], 120)}` {how}")
    for lesson in state["lessons"]:
        files = ", ".join(f"`{path}`" for path in lesson["files"] or ["no file"])
        lines.append(
            f"- learned: `{plain_text.one_line(lesson['passed'], 120)}` passed after edits of {files}"
        )
    return lines


def keep(session: Session) -> None:
    """Copy a session's captures, and what closed them, into the ledger where it does not have them yet."""
    ledger = session.project.ledger
    held = {_name(record) for record in journal.read(ledger)[0]}
    for record in journal.read(session.project.journal(session.name))[0]:
        kept = record.get("kind") in KEPT and record.get("mark") == session.mark
        if kept and _name(record) not in held:
            journal.append(ledger, record)


def _name(record: dict[str, Any]) -> tuple[object, ...]:
    return record.get("kind"), record.get("id"), record.get("time"), record.get("session")


def expire(session: Session) -> int:
    """Close the captures of a session that are past their days; return how many."""
    ids = session_state.find_expired(session.state["captures"], clock.now())
    if ids:
        session.log("close", ids=ids, how="expired")
        session.save()
    return len(ids)


def publish(project: paths.Project, sessions: list[Session]) -> None:
    """Bring the buffer's blocks up to date: an ended session keeps one only while it has open captures."""
    blocks, room = [], BUFFER_LINES
    for session in sessions[::-1]:
        state = session.state
        if state["root"] not in ("", project.root):
            continue
        wanted = room > 0 and (state["captures"] or not state["ended"])
        blocks.append((session.name, working_buffer.render(state, room) if wanted else []))
        room -= len(blocks[-1][1])
    if os.path.exists(project.buffer):
        with lock.hold(project.lock):
            working_buffer.update(project.buffer, project.own_lines(), blocks)


def retire(project: paths.Project, environ: Mapping[str, str]) -> int:
    """Remove journals that were folded longer ago than retention keeps them, and stale state; return how many files."""
    days = int(core_settings.load_settings(project, environ)["retention_days"])
    before = time.time() - days * clock.DAY
    dropped = 0
    for name in set(journal.list_sessions(project.journals)) - set(
        journal.list_sessions(project.journals, before)
    ):
        session = Session(project, name, environ)
        if session.mark and session.state["folded"]:
            keep(session)
            if name in journal.list_sessions(project.journals, before):
                continue  # resumed this moment
            # The first segment goes last: without it nobody would find the others.
            dropped += sum(_remove(part) for part in journal.list_segments(project.journal(name))[::-1])
            dropped += _remove(project.state(name))
    return dropped + sum(_remove(path) for path in stale_files(project))


def stale_files(project: paths.Project) -> list[str]:
    """Return what lies about: writes that a kill left unfinished, own-line lists of long-gone days."""
    now, found = time.time(), []
    for folder in {project.states, project.logs, project.tasks, project.archive, project.root}:
        for name in _names(folder):
            days = _days_kept(name, folder == project.states)
            if days and now - _written(os.path.join(folder, name)) > days * clock.DAY:
                found.append(os.path.join(folder, name))
    return found


def _days_kept(name: str, state: bool) -> float:
    """Return after how many days a file is stale, 0 for never; `atomic` names what it writes NAME.PID.tmp."""
    stem, _, end = name.rpartition(".")
    target, _, number = stem.rpartition(".")
    if end == "tmp" and number.isdigit() and (state or target.endswith((".md", ".json", ".jsonl"))):
        return 1.0
    return SWEEP_DAYS if state and name.startswith("own-lines-") else 0.0


def _written(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return time.time()


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _remove(path: str) -> int:
    try:
        os.unlink(path)
    except OSError:
        return 0
    return 1
