"""How many captures wait for a person: counted when they are judged, so that a start can say so without a look."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import clock, files
from belay.safety import shown_notices

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

MANY = 5
"""So many are worth a line at a session's start."""


def save_count(project: Project, waiting: int) -> None:
    """Write the number down; a copy, so never waited for."""
    try:
        files.write(_count_path(project), b"%d" % waiting, sync=False)
    except OSError:
        return


def load_count(project: Project) -> int:
    """Return the number as it was kept, 0 where none was."""
    text = files.read(_count_path(project), 8)
    return int(text) if text.isdigit() else 0


def format_line(project: Project, environ: Mapping[str, str]) -> str:
    """Return the line for a session's start, once a day; "" where few wait."""
    waiting = load_count(project)
    if waiting < MANY or not shown_notices.is_new(environ, f"review {project.root} {clock.local_date()}"):
        return ""
    return f"Belay: {waiting} captures wait for your decision; `belay review` shows them."


def _count_path(project: Project) -> str:
    return os.path.join(project.states, "waiting")
