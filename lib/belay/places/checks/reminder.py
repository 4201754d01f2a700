"""When the memory files were last checked, and whether it is time to look at them again."""

from __future__ import annotations

import os
import time

from belay.core import clock, files, paths
from belay.core.plain_text import checksum, count
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

SESSIONS, DAYS = 10, 14
"""After so many sessions or days without a check one line offers it."""
PLACES = ("CLAUDE.md", ".claude/CLAUDE.md", ".orchestre/CLAUDE.md")
"""Without one of these there is nothing to look at."""


def record_check(project: Project, environ: Mapping[str, str]) -> None:
    """Remember that the memory files were checked now; where that cannot be written, the offer comes earlier."""
    path = _find_mark(project, environ)
    try:
        files.make_folder(os.path.dirname(path), 0o700)
        files.write(path, f"{time.time():.0f}\n".encode())
    except OSError:
        pass


def find_last_check(project: Project, environ: Mapping[str, str]) -> float:
    """Return when the memory files were last checked, in seconds since 1970; 0.0 for never."""
    text = files.read(_find_mark(project, environ), 20).decode("ascii", "ignore").strip()
    return float(text) if text.isdecimal() else 0.0


def describe_due(project: Project, environ: Mapping[str, str]) -> str:
    """Return the offer of a check, "" where none is due: never checked, the time since the first session counts."""
    if not any(os.path.isfile(project.at(name)) for name in PLACES):
        return ""
    checked = find_last_check(project, environ)
    newer = journal.list_sessions(project.journals, checked)
    begun = checked or (files.written_at(project.journal(newer[0])) if newer else time.time())
    days = int((time.time() - begun) // clock.DAY)
    if len(newer) < SESSIONS and days < DAYS:
        return ""
    since = count(len(newer), "session") if len(newer) >= SESSIONS else count(days, "day")
    what = f"not checked for {since}" if checked else f"never checked in {since}"
    return f"the CLAUDE.md files were {what}: `belay memory check`"


def _find_mark(project: Project, environ: Mapping[str, str]) -> str:
    return os.path.join(paths.data_home(environ), "checked", checksum(project.root))
