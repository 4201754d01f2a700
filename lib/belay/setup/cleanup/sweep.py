"""State of sessions that ended long ago, and half-written files of ours: what may go."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator

from belay.core import clock, files, json_codec
from belay.core.constants import FILE_BYTES
from belay.core.paths import Project
from belay.repository import projects
from belay.session import journal
from belay.setup.cleanup.places import is_folder, is_plain
from belay.setup.cleanup.plan import Step

STATE_DAYS = 14
UNFINISHED_DAYS = 1
_UNFINISHED = re.compile(r"\.\d+\.tmp\Z")
_OURS = ("CONTINUATION.md", "MEMORY.md", "MEMORY-ARCHIVE.md", "todo.md", "lessons.md", "working-buffer.md")
_DAILY = re.compile(r"\d{4}-\d\d-\d\d\.md\.")


def plan(project: Project, now: float | None = None) -> list[Step]:
    """Return one `sweep` step for each file that may go."""
    moment = time.time() if now is None else now
    old = [Step("sweep", path, "", "its session ended long ago") for path in _states(project, moment)]
    return old + [Step("sweep", path, "", "a write that was cut off") for path in _unfinished(project, moment)]


def _states(project: Project, now: float) -> Iterator[str]:
    before = now - STATE_DAYS * clock.DAY
    for name in files.list_names(project.states):
        path = os.path.join(project.states, name)
        old = name.endswith(".json") and is_plain(path) and os.path.getmtime(path) < before
        if old and _ended(project, name[: -len(".json")], path, before):
            yield path


def _ended(project: Project, session: str, state: str, before: float) -> bool:
    """Whether the journal ended before the moment; without one, whether the file is a session's state."""
    path = project.journal(session)
    if not journal.list_segments(path):
        return _session_of(state) == session
    records = journal.read_recent(path)
    last = records[-1] if records else {}
    return last.get("kind") in ("end", "folded") and clock.seconds(str(last.get("time", ""))) < before


def _session_of(path: str) -> str:
    try:
        content = json_codec.loads(files.read(path, FILE_BYTES).decode("utf-8"))
    except ValueError:
        return ""
    return str(content.get("session", "")) if isinstance(content, dict) else ""


def _unfinished(project: Project, now: float) -> Iterator[str]:
    before = now - UNFINISHED_DAYS * clock.DAY
    everywhere = [*_below(project.store, project.undo), *_below(project.orchestration, "")]
    for folder in {project.root, project.logs, project.tasks}:
        everywhere += [os.path.join(folder, name) for name in files.list_names(folder) if _is_ours(name)]
    for path in sorted(set(everywhere)):
        if _UNFINISHED.search(path) and is_plain(path) and os.path.getmtime(path) < before:
            yield path


def _below(folder: str, spared: str) -> Iterator[str]:
    if is_folder(folder):
        for path, inner, files in os.walk(folder):
            inner[:] = [name for name in inner if name != projects.GIT and os.path.join(path, name) != spared]
            yield from (os.path.join(path, name) for name in files)


def _is_ours(name: str) -> bool:
    return name.startswith(tuple(f"{ours}." for ours in _OURS)) or bool(_DAILY.match(name))
