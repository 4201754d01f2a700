"""The consolidator, a detached process after a session: finishes dead sessions, writes daily logs, removes old files.

Everything it writes can be written again from the journal; if it is killed, the next run does the rest.
"""

from __future__ import annotations

import os

from belay.client import processes
from belay.consolidate import memory, retention, single_run, sweep
from belay.core import clock, environment, lock, paths, plain_text
from belay.core import settings as core_settings
from belay.core.constants import BUFFER_LINES
from belay.core.errors import LockTimeout
from belay.repository import projects, vetting
from belay.session import continuation_files, working_buffer
from belay.session import state as session_state
from belay.session.session import Session, at_its_work_tree, find_others
from belay.session.work import answer
from belay.session.work.steps import describe_status, find_work, is_unfinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypedDict

    from belay.session.state_types import State

    class Counts(TypedDict):
        """What a run did: sessions and files; `busy` where another run was at work."""

        busy: bool
        finished: int
        kept: int
        folded: int
        expired: int
        dropped: int


LOOK_BACK_DAYS = 400.0
UNDER_WAY_SECONDS = 60.0
"""After a session's end; by then its run has written the daily log, or has broken off."""
MOST = 500
TRIED_SHOWN = 8
_NO_COUNTS: Counts = {"busy": False, "finished": 0, "kept": 0, "folded": 0, "expired": 0, "dropped": 0}


def run(project: paths.Project, environ: Mapping[str, str], *, ending: bool = False) -> Counts:
    """Consolidate a project; return what was done. One that is busy elsewhere is no error: it runs once more there.

    `ending`: a session just ended, so that a memory file that is too long is compressed.
    """
    if not os.path.isdir(project.journals):
        return {**_NO_COUNTS}
    from belay.repository.git.reader import gitpython_reader  # a start loads this module and reads no history

    environment.add_packages(environ)
    before = lock.use_filelock()
    try:
        with gitpython_reader():
            done = single_run.run_alone(project.states, lambda: _run(project, environ, ending))
    finally:
        lock.use_filelock(before)
    return done or {**_NO_COUNTS, "busy": True}


def _run(project: paths.Project, environ: Mapping[str, str], ending: bool) -> Counts:
    from belay.consolidate import knowledge  # a start loads this module too, and needs none of that
    from belay.session.snapshots import breadcrumbs

    sessions = find_others(Session(project, "", environ), LOOK_BACK_DAYS, most=MOST)[::-1]
    compile_settings(project, environ)
    finished = _count_each(finish, sessions)
    kept = memory.run(project, environ, sessions, ending=ending)
    folded = _count_each(write_daily_log, sessions)
    expired = _count_each(close_expired, sessions) if clock.is_settled(project.states) else 0
    knowledge.run(project, environ, sessions)
    breadcrumbs.take_due(project, environ, sessions)
    try:
        update_buffer(project, sessions)
    except OSError as error:
        from belay.safety import log

        log.log_note(f"the working buffer was not brought up to date: {error}", environ)
    _list_project(project, environ, sessions)
    dropped = retention.remove_old_files(project, environ) + sweep.remove_transient(project, environ, sessions)
    dropped += sweep.prune_evidence(project, environ)
    return {
        "busy": False, "finished": finished, "kept": kept, "folded": folded, "expired": expired, "dropped": dropped,
    }  # fmt: skip


def _list_project(project: paths.Project, environ: Mapping[str, str], sessions: list[Session]) -> None:
    """List the project in the workspace, unless a setting says no; an error here costs a session nothing else."""
    last = max((session.state["active"] for session in sessions), default="")
    if not last or not core_settings.load_settings(project, environ)["workspace"]:
        return
    from belay.core.errors import BelayError
    from belay.workspace import survey  # a start loads this module too, and needs no database

    try:
        survey.record_project(project, environ, last)
    except (OSError, BelayError) as error:
        from belay.safety import log

        log.log_note(f"the project was not listed in the workspace: {error}", environ)


def _count_each(work: Callable[[Session], int], sessions: list[Session]) -> int:
    """Do something with each session, the oldest first; return how often it did anything. An error stops no other."""
    count = 0
    for session in sessions:
        try:
            count += work(session)
        except (OSError, LockTimeout):
            continue
    return count


def start_detached(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Start a run in a process of its own; where the system cannot fork, the next session's start finishes the rest."""

    def work() -> None:
        run(project, environ)

    return processes.run_detached(work)


def is_left_unfinished(project: paths.Project, sessions: list[Session]) -> bool:
    """Whether the run after some session's end broke off: a full disk, or it was killed. One at work is no such run."""
    latest = clock.moment() - UNDER_WAY_SECONDS
    over = [session.state for session in sessions if session.state["ended"] and not session.state["folded"]]
    if not any(clock.seconds(state["last"]) < latest for state in over):
        return False
    try:
        with lock.hold(os.path.join(project.states, single_run.LOCK), deadline=0.0):
            return True
    except (OSError, LockTimeout):
        return False


def compile_settings(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Compile the settings if a file of them changed; return one line for each that was left out."""
    if not core_settings.is_stale(project, environ):
        return []
    environment.add_packages(environ)
    try:
        return core_settings.compile_settings(project, environ, has_trusted_settings(project, environ))
    except ImportError:
        return ["settings wait for Belay's environment"]


def has_trusted_settings(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Whether the project's settings file was written or accepted here."""
    home = projects.find(project.home, environ) or project
    name = home.relative(project.settings)
    return name in vetting.read_trusted(home, environ, [name])[0]


def is_dead(session: Session) -> bool:
    """Whether a session has records, no end mark, and a client that does not run any more."""
    state = session.state
    return bool(state["last"]) and not state["ended"] and not processes.is_alive(state["client"])


def finish(session: Session) -> bool:
    """Write the missing end mark and continuation of a session that is over; return whether any was missing."""
    if not _is_unfinished(session):
        return False
    with lock.hold(session.project.lock):
        session.reload()
        if not _is_unfinished(session):  # another process was first
            return False
        is_lost = is_dead(session)
        if is_lost and is_unfinished(session.state):
            _recover_answer(session)
        if session.state["dirty"] and not continuation_files.give_back(at_its_work_tree(session)):
            why = continuation_files.refresh(at_its_work_tree(session), always=False)
            if why:
                session.log("continued", skipped=why)
        if is_lost:
            session.log("end", reason="lost")
        session.save()
    return True


def _recover_answer(session: Session) -> None:
    """Journal what Claude said last in a session that was killed, as far as the client's transcript has it."""
    from belay.client import transcript
    from belay.safety.redaction import redact

    root = projects.find_root(session.project, session.state["root"])
    folder = paths.client_project(session.environ, root or session.project.root)
    request = session.state["request"]
    since = request["time"] if request else ""
    said, is_over = transcript.find_last_answer(os.path.join(folder, f"{session.name}.jsonl"), since)
    if said:
        said = redact(said)
        answer.record_answer(session, said, is_over=is_over, reason="lost")


def _is_unfinished(session: Session) -> bool:
    return is_dead(session) or bool(session.state["ended"] and session.state["dirty"])


def write_daily_log(session: Session) -> bool:
    """Write what an ended session did, tried and learned into its day's log, and its captures into the ledger."""
    state = session.state
    if not state["ended"] or state["folded"] == state["last"]:
        return False
    with lock.hold(session.project.lock):
        where = at_its_work_tree(session).project
        date = clock.local_date(state["started"] or state["active"])
        lines = render_day(state)
        if len(lines) > 1:
            own = session.project.own_lines(date)
            working_buffer.update(where.daily(date), own, [(session.name, lines)], title=f"# {date}\n\n")
        retention.copy_to_ledger(session)
        session.log("folded")
        session.save()
    return True


def render_day(state: State) -> list[str]:
    """Return what a session did and how its checks ended last, as lines of a daily log.

    Files outside the project, commands without a result and probes that failed tell a later reader nothing.
    """
    branch = state["branch"] or "no branch"
    work, status = find_work(state), describe_status(state)
    lines = [f"## Session {state['session'][:8]} ({branch}): {plain_text.one_line(work.task or 'no task named', 120)}"]
    lines += [f"- status: {plain_text.one_line(status, 160)}"] if status and work.task else []
    for made in state["commits"]:
        lines.append(f"- committed {made['sha'][:9]} “{made['subject']}”")
    for path, edit in state["edits"].items():
        if not path.startswith(("/", "~", "..")):
            lines.append(f"- did: edited `{path}`" + (f", last at line {edit['line']}" if edit["line"] else ""))
    return [*lines, *_render_checks(state)]


def _render_checks(state: State) -> list[str]:
    """Return how each check ended last."""
    from belay.client import checks  # a start loads this module and renders nothing

    last = {run["command"]: run for run in state["tried"] if run["check"] in (checks.PASSED, checks.FAILED)}
    rows = []
    for command, run in list(last.items())[-TRIED_SHOWN:]:
        how = "passed" if run["check"] == checks.PASSED else f"failed: {plain_text.one_line(run['output'], 160)}"
        rows.append(f"- tried: `{plain_text.one_line(command, 120)}` {how}")
    return rows


def close_expired(session: Session) -> int:
    """Close the captures of a session that are too old; return how many."""
    ids = session_state.find_expired(session.state["captures"], clock.now())
    if ids:
        session.log("close", ids=ids, how="expired")
        session.save()
    return len(ids)


def update_buffer(project: paths.Project, sessions: list[Session]) -> None:
    """Bring the buffer's blocks up to date: an ended session has one only while it has open captures."""
    blocks, room = [], BUFFER_LINES
    for session in sessions[::-1]:
        state = session.state
        if state["root"] not in ("", projects.make_label(project.root)):
            continue
        wanted = room > 0 and (state["captures"] or not state["ended"])
        blocks.append((session.name, working_buffer.render(state, room) if wanted else []))
        room -= len(blocks[-1][1])
    if os.path.exists(project.buffer):
        with lock.hold(project.lock):
            working_buffer.update(project.buffer, project.own_lines(), blocks)
