"""Which sessions a step of the consolidator has processed, and up to where: a list that may be lost."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from belay.core import files

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.session.session import Session


def select_changed(project: Project, step: str, sessions: list[Session]) -> list[Session]:
    """Return the sessions in which something happened since the step last saved."""
    seen = _load(_state_path(project, step))
    return [session for session in sessions if seen.get(session.name) != session.state["last"]]


def save_processed(project: Project, step: str, sessions: list[Session]) -> None:
    """Note the sessions as looked at."""
    text = json.dumps({session.name: session.state["last"] for session in sessions})
    files.write(_state_path(project, step), text.encode(), sync=False)


def _state_path(project: Project, step: str) -> str:
    return os.path.join(project.states, step + ".json")


def _load(path: str) -> dict[str, object]:
    try:
        times = json.loads(files.read(path) or b"{}")
    except ValueError:
        return {}
    return times if isinstance(times, dict) else {}
