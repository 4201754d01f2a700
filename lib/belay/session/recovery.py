"""What Claude gets when context was lost or a session starts: open work, memory files, what changed since."""

from __future__ import annotations

from belay.core import clock, plain_text
from belay.core.plain_text import cut
from belay.repository import vetting
from belay.session import state as session_state
from belay.session import working_buffer
from belay.session.hand_notes import list_hand_notes
from belay.session.state import find_cursor
from belay.session.work import preflight
from belay.session.work.steps import OPEN, WAITING, find_work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from belay.session.session import Session
    from belay.session.state_types import State

FILE_ROLES = (
    "long-term state",
    "today's log",
    "the task's last log",
    "active work items",
    "patterns to avoid",
)
FILES_NAMED = 5


def list_open_work(session: Session, older: list[Session]) -> list[str]:
    """Return current task and open captures, this session's first, then those of the project's other sessions.

    A task comes from this session or from the last one before it: what an older one left was not taken up since.
    What another session filed is in MEMORY.md already. Behind the task comes what this session's open preflight states,
    then what is in the buffer by hand.
    """
    notes = [f"Working buffer: {note}" for note in list_hand_notes(session.project, session.environ)]
    lines: list[str] = []
    last = next((origin for origin in older if origin.state["prompts"]), None)
    seen: set[str] = set()
    for origin in (session, *older):
        state = origin.state
        lines += _task_lines(state, session.branch) if origin in (session, last) and not lines else []
        lines += preflight.list_open(state) if origin is session else []
        over = session_state.find_expired(state["captures"], clock.now())
        for capture in sorted(state["captures"].values(), key=lambda row: str(row["time"]), reverse=True):
            is_done = capture["id"] in over or (origin is not session and capture.get("filed"))
            if capture["id"] not in seen and not is_done:
                seen.add(capture["id"])
                lines.append(
                    f"{working_buffer.main_class(capture)} {capture['id']}: "
                    f"{cut(plain_text.one_line(capture['text']), 200)}"
                )
    tasks = next((at for at, line in enumerate(lines) if not _is_task_line(line)), len(lines))
    return [*lines[:tasks], *notes, *lines[tasks:]]


def _is_task_line(line: str) -> bool:
    return line.startswith(("Current task", "Task on ", "Resume from: ", "Next step: ", *preflight.LABELS))


def _task_lines(state: State, branch: str) -> list[str]:
    """Return task, place and next step of a session whose work is open; of another branch the task alone."""
    work = find_work(state)
    if work.status not in (OPEN, WAITING):
        return []
    path, line = find_cursor(state)
    here = state["branch"] in ("", branch)
    label = "Current task" if here else f"Task on {plain_text.one_line(state['branch'], 80)}"
    rows = {label: work.task}
    if here:
        rows["Resume from"] = (f"{path}:{line}" if line else path) if work.task else ""
        rows["Next step"] = work.next
    return [f"{label}: {plain_text.one_line(value, 240)}" for label, value in rows.items() if value]


def list_memory_files(session: Session, last_worked: str = "") -> list[str]:
    """Return one line for each of this user's memory files, in the order of seed 004's recovery."""
    project = session.project
    today = project.daily(clock.local_date())
    earlier = project.daily(clock.local_date(last_worked)) if last_worked else today
    paths = (project.memory_md, today, earlier if earlier != today else "", project.todo, project.lessons)
    rows = {project.relative(path): role for path, role in zip(paths, FILE_ROLES, strict=True) if path}
    known, _ = vetting.read_trusted(project, session.environ, list(rows))
    return [
        f"{name}: {rows[name]}, {plain_text.count(known[name].count(chr(10)), 'line')}"
        for name in rows
        if name in known
    ]


def describe_drift(session: Session, since: str, files: bool = True) -> str:
    """Return one line on commits since a journal time, and on uncommitted files if asked; "" if there are none.

    Git counts whole seconds, so the second of that time is the last session's own.
    Commits are counted, not quoted: their messages may be anybody's words (docs/architecture.md).
    """
    if not session.project.git_dir or not (since or files):
        return ""
    from belay.core.errors import BelayError
    from belay.repository.git import status

    try:
        commits = status.list_commits(session.project.root, clock.shifted(since, 1) + "Z") if since else []
        changed = (
            [path for _, path in status.list_uncommitted(session.project.root) if not session.project.is_own(path)]
            if files
            else []
        )
    except BelayError:
        return ""
    parts = [f"{len(commits)} commit{_plural(commits)}, the last {commits[0].sha[:9]}"] if commits else []
    parts += [_name_files(changed)] if changed else []
    return "Since the last session: " + "; ".join(parts) if parts else ""


def describe_uncommitted(session: Session) -> str:
    """Return one line on uncommitted files, "" where there are none or git does not answer."""
    return describe_drift(session, "").replace("Since the last session: ", "Not committed: ", 1)


def _name_files(changed: list[str]) -> str:
    named = ", ".join(plain_text.one_line(path, 80) for path in changed[:FILES_NAMED])
    more = len(changed) - FILES_NAMED
    return f"{len(changed)} uncommitted file{_plural(changed)}: {named}" + (f" and {more} more" if more > 0 else "")


def _plural(rows: list[Any]) -> str:
    return "s" * (len(rows) != 1)
