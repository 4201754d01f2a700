"""What is told when context was lost or begins anew: buffer lines, files in their order, what changed since."""

from __future__ import annotations

import os

from belay import atomic, buffer, checkpoint, clock, paths
from belay.intent import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from belay.session import Session

FILE_ROLES = (
    "long-term state",
    "today's log",
    "the task's last log",
    "active work items",
    "patterns to avoid",
)
FILES_NAMED = 5


def buffer_lines(session: Session, older: list[Session]) -> list[str]:
    """Return current task and open captures, this session's first, then those of the project's other sessions."""
    lines: list[str] = []
    seen: set[str] = set()
    for one in (session, *older):
        state = one.state
        if state["task"] and not lines:
            lines.append(f"Current task: {buffer.one_line(state['task'], 160)}")
        over = checkpoint.expired(state, clock.now())
        for capture in sorted(state["captures"].values(), key=lambda row: str(row["time"]), reverse=True):
            if capture["id"] not in seen and capture["id"] not in over:
                seen.add(capture["id"])
                lines.append(
                    f"{buffer.main_class(capture)} {capture['id']}: {cut(buffer.one_line(capture['text']), 200)}"
                )
    return lines


def file_lines(project: paths.Project, last_worked: str = "") -> list[str]:
    """Return one line for each memory file that stands, in the order of seed 004's recovery."""
    today = project.daily(clock.local_date())
    earlier = project.daily(clock.local_date(last_worked)) if last_worked else today
    found = (project.memory_md, today, earlier if earlier != today else "", project.todo, project.lessons)
    rows = [
        (path, role) for path, role in zip(found, FILE_ROLES, strict=True) if path and os.path.isfile(path)
    ]
    return [f"{project.relative(path)}: {role}, {_count(path)} lines" for path, role in rows]


def _count(path: str) -> int:
    return atomic.read(path).count(b"\n")


def drift(session: Session, since: str, files: bool = True) -> str:
    """Return one line on commits since a journal time, and on uncommitted files if asked; "" if there are none.

    Commits are counted, not quoted: their messages may be anybody's words (HOUSE.md §6).
    """
    from belay.errors import BelayError
    from belay.git import ask

    if not session.project.git_dir:
        return ""
    try:
        commits = ask.commits_since(session.project.root, since[:19] + "Z") if since else []
        changed = (
            [path for _, path in ask.status(session.project.root) if not session.project.is_own(path)]
            if files
            else []
        )
    except BelayError:
        return ""
    parts = [f"{len(commits)} commit{_s(commits)}, the last {commits[0].sha[:9]}"] if commits else []
    parts += [_files(changed)] if changed else []
    return "Since the last session: " + "; ".join(parts) if parts else ""


def _files(changed: list[str]) -> str:
    named = ", ".join(buffer.one_line(path, 80) for path in changed[:FILES_NAMED])
    more = len(changed) - FILES_NAMED
    return f"{len(changed)} uncommitted file{_s(changed)}: {named}" + (
        f" and {more} more" if more > 0 else ""
    )


def _s(rows: list[Any]) -> str:
    return "s" * (len(rows) != 1)
