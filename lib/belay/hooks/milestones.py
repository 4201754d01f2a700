"""Milestones of a session: the last open todo done, a commit made, a failing check that passes (seed 003, mid-session).

Each brings three sections of MEMORY.md up to date, in a process of its own, and is told in one line; a project
without the file is offered one, once.
"""

from __future__ import annotations

import os
import zlib

from belay.core import plain_text
from belay.core.plain_text import cut
from belay.memory.remember import filing_process, requests
from belay.safety import shown_notices
from belay.safety.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from belay.repository.git.history import Commit
    from belay.session.session import Session

    Reached = tuple[str, list[str]]

MOST = 3
"""Milestones told in one session."""
TEXT_CHARS = 100
FILES = 3
OFFER = (
    "This project has no MEMORY.md. When it fits, ask the user once: “Want me to start tracking our progress? I'll "
    "create a memory file so next session picks up instantly.” On yes: `belay wrap-up`."
)
SECTIONS = "Active Work, Completed and Where We Left Off"
_MARKS = (b"Where We Left Off", b"<!-- belay: project memory -->")
"""One of these a file must hold for a milestone to be written: no section is forced on a form of somebody's own."""


def tell(session: Session, reached: list[Reached]) -> list[str]:
    """Record milestones (kind, words) and start what they change; return one line each, at most three a session."""
    lines: list[str] = []
    for kind, words in reached:
        if len(session.state["milestones"]) >= MOST:
            break
        told = _STEPS[kind](session, words)
        if told and told["what"] not in session.state["milestones"]:
            lines += _one(session, told)
    return lines


def _one(session: Session, told: dict[str, Any]) -> list[str]:
    project = session.project
    if not os.path.lexists(project.memory_md):
        return [OFFER] if shown_notices.is_new(session.environ, f"{project.store} start tracking") else []
    if not _writable(session):
        return []
    session.log("milestone", what=told["what"], text=told["text"])
    session.save()
    if not filing_process.start_filing(session, told):
        return []
    return [f"Milestone: {told['line']}. The memory is being brought up to date ({SECTIONS})."]


def _writable(session: Session) -> bool:
    from belay.core import environment
    from belay.core import files as core_files
    from belay.memory import memory_files

    path = session.project.memory_md
    data = core_files.read(path) if requests.has_file(session) else b""
    known = any(mark in data for mark in _MARKS) and bool(environment.packages(session.environ))
    return known and memory_files.is_trusted(session.project, session.environ, path)


def _todos(session: Session, words: list[str]) -> dict[str, Any]:
    task = session.state["task"]
    text = _short(task or "; ".join(words))
    name = f"todos {zlib.crc32(' '.join(words).encode('utf-8', 'replace')):08x}"
    line = f"all {len(words)} todos are done" if len(words) > 1 else "the last todo is done"
    return _told(session, name, text, [], words, "done", line)


def _mended(session: Session, words: list[str]) -> dict[str, Any]:
    command, *files = words
    text = f"`{_short(command)}` passes again"
    return _told(session, f"mended {command}", text, files[:FILES], [], f"in progress: {text}", text)


def _committed(session: Session, _: list[str]) -> dict[str, Any] | None:
    """Return the commit that HEAD has moved to since the last prompt, None for any other or of memory files alone."""
    from belay.repository.git import history, reflog

    project = session.project
    action, sha = reflog.read_last_move(project.git_dir) if project.git_dir else ("", "")
    made = action in ("commit", "commit (initial)") and sha == session.head[1] != session.state["head"]
    commits = _asked(lambda: history.read_commits(project.root, "", 1)) if made else []
    if not commits or commits[0].sha != sha:
        return None
    files = [file.path for file in commits[0].files if not _is_memory(session, file.path)]
    text = _short(commits[0].subject)
    line = f"committed {sha[:9]} “{text}”"
    return _told(session, sha, text, files[:FILES], [], f"in progress: {line}", line) if files else None


def _asked(question: Callable[[], list[Commit]]) -> list[Commit]:
    from belay.core.errors import BelayError

    try:
        return question()
    except BelayError:
        return []


def _is_memory(session: Session, path: str) -> bool:
    project = session.project
    return (
        project.is_own(path)
        or path.startswith((".memory/", "MEMORY"))
        or path.endswith(("CLAUDE.md", "/MEMORY.md"))
    )


def _told(
    session: Session, what: str, text: str, files: list[str], also: list[str], status: str, line: str
) -> dict[str, Any]:
    left = {"task": plain_text.one_line(session.state["task"]), "status": status}
    paths = [plain_text.one_line(path, 120) for path in files]
    return {"what": what, "text": text, "files": paths, "also": also, "left": left, "line": line}


def _short(text: str) -> str:
    return cut(redact(plain_text.one_line(text)), TEXT_CHARS)


_STEPS = {"todos": _todos, "mended": _mended, "commit": _committed}
