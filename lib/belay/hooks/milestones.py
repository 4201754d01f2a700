"""Milestones of a session: the last open todo done, a commit made, a failing check that passes (seed 003, mid-session).

Each brings three sections of MEMORY.md up to date, in a process of its own, and is announced in one line; a project
without the file is offered one, once.
"""

from __future__ import annotations

import os
import zlib

from belay.core import plain_text
from belay.core.plain_text import cut
from belay.hooks import replies
from belay.memory.remember import filing_process, requests
from belay.safety import shown_notices
from belay.safety.labels import make_label
from belay.safety.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.memory.remember.filing_process import Milestone
    from belay.repository.git.history import Commit
    from belay.session.session import Session

    Reached = tuple[str, list[str]]

MOST = 3
"""Milestones that are announced in one session."""
TEXT_CHARS = 100
FILES = 3
_MARKS = (b"Where We Left Off", b"<!-- belay: project memory -->")
"""A file must have one of these for a milestone to be written: no section is forced on a person's own form."""


def announce(session: Session, reached: list[Reached]) -> list[str]:
    """Record milestones (kind, words) and start what they change; return one line each, at most three a session."""
    lines: list[str] = []
    for kind, words in reached:
        if len(session.state["milestones"]) >= MOST:
            break
        milestone = _MAKERS[kind](session, words)
        if milestone and milestone["what"] not in session.state["milestones"]:
            lines += _announce_one(session, milestone)
    return lines


def _announce_one(session: Session, milestone: Milestone) -> list[str]:
    project = session.project
    if not os.path.lexists(project.memory_md):
        is_first = shown_notices.is_new(session.environ, f"{project.store} start tracking")
        return [replies.START_TRACKING] if is_first else []
    if not _can_write(session):
        return []
    session.log("milestone", what=milestone["what"], text=milestone["text"])
    session.save()
    is_work_done = not milestone["what"].startswith(requests.MENDED)
    line = replies.milestone(milestone["line"], is_work_done)
    return [line] if filing_process.start_filing(session, milestone) else []


def _can_write(session: Session) -> bool:
    from belay.core import environment
    from belay.core import files as core_files
    from belay.memory import memory_files

    path = session.project.memory_md
    data = core_files.read(path) if requests.has_file(session) else b""
    has_sections = any(mark in data for mark in _MARKS) and bool(environment.packages(session.environ))
    return has_sections and memory_files.is_trusted(session.project, session.environ, path)


def _all_todos_done(session: Session, words: list[str]) -> Milestone:
    is_plan = bool(session.state["task"] and session.state["task_path"])
    text = _shorten(session.state["task"]) if is_plan else ""
    name = f"todos {zlib.crc32(' '.join(words).encode('utf-8', 'replace')):08x}"
    return _make(session, name, text, [], words, "done", replies.todos_done(len(words)))


def _check_passes(session: Session, words: list[str]) -> Milestone:
    command, *files = words
    text = replies.passes_again(_shorten(command))
    return _make(session, f"{requests.MENDED}{command}", text, files[:FILES], [], f"in progress: {text}", text)


def _commit_made(session: Session, _: list[str]) -> Milestone | None:
    """Return the commit that HEAD moved to since the last prompt; None for any other, or of memory files alone."""
    from belay.repository.git import history, reflog

    project = session.project
    action, sha = reflog.read_last_move(project.git_dir) if project.git_dir else ("", "")
    made = action in ("commit", "commit (initial)") and sha == session.head[1] != session.state["head"]
    commits = _ask_git(lambda: history.read_commits(project.root, "", 1)) if made else []
    if not commits or commits[0].sha != sha:
        return None
    files = [make_label(file.path) for file in commits[0].files if not _is_memory(session, file.path)]
    text = _shorten(commits[0].subject)
    line = replies.committed(sha, text)
    return _make(session, sha, text, files[:FILES], [], line, line) if files else None


def _ask_git(question: Callable[[], list[Commit]]) -> list[Commit]:
    from belay.core.errors import BelayError

    try:
        return question()
    except BelayError:
        return []


def _is_memory(session: Session, path: str) -> bool:
    project = session.project
    return project.is_own(path) or path.startswith((".memory/", "MEMORY")) or path.endswith(("CLAUDE.md", "/MEMORY.md"))


def _make(
    session: Session, what: str, text: str, files: list[str], also: list[str], status: str, line: str
) -> Milestone:
    left = {"task": plain_text.one_line(session.state["task"]), "status": status}
    paths = [plain_text.one_line(path, 120) for path in files]
    return {"what": what, "text": text, "files": paths, "also": also, "left": left, "line": line}


def _shorten(text: str) -> str:
    return cut(redact(plain_text.one_line(text)), TEXT_CHARS)


_MAKERS = {"todos": _all_todos_done, "mended": _check_passes, "commit": _commit_made}
