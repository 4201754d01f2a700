"""When somebody last looked through a memory: a wrap-up or a change by hand, not what Belay saved by itself."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from belay.core import clock
from belay.safety import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.memory.memory_facts import Facts

FORMS_WITH_DATE = ("003",)
"""Forms whose header has a date; others get git's (seed 004 has none)."""


def find_last_review(project: Project, environ: Mapping[str, str], facts: Facts, path: str = "") -> str:
    """Return the local date YYYY-MM-DD on which a memory file (MEMORY.md) was last reviewed, "" for none.

    The header's date, or its `Reviewed` where Belay alone has saved since; a later change by hand counts too. A file
    of a form without a date has that of its last commit, or of its last change if that is not committed.
    """
    header, memory = facts["header"], path or project.memory_md
    date = header.get("reviewed") or header["updated"]
    if not date and not header["line"] and facts.get("form") not in FORMS_WITH_DATE:
        date = _find_change_date(project, memory)
    edited = find_hand_edit(project, environ, memory) if date else ""
    if edited > date:  # another branch's text was only checked out: git knows when it was written
        edited = min(edited, _find_change_date(project, memory) or edited)
    return max(date, edited)


def find_hand_edit(project: Project, environ: Mapping[str, str], path: str) -> str:
    """Return the local date of the last change by hand to a file that Belay had written before, "" for none."""
    entry = trust.entry(trust.load(environ), project.root, project.relative(path))
    hashes = entry.get("hashes")
    written, date = False, ""
    for about in hashes.values() if isinstance(hashes, dict) else ():
        how, _, when = str(about).partition(" ")
        date = clock.local_date(when) if written and how == "changed" else date
        written |= how == "written"
    return date


def _find_change_date(project: Project, path: str) -> str:
    """Return when a file without a date was last changed: by git, which a checkout does not mislead."""
    from belay.core.errors import BelayError
    from belay.repository.git import history, status

    name = project.relative(path)
    if not project.git_dir or not os.path.isfile(path):
        return ""
    try:
        committed = "" if status.list_uncommitted(project.root, name) else history.find_change_date(project.root, name)
        return committed or time.strftime("%Y-%m-%d", time.localtime(os.stat(path).st_mtime))
    except (BelayError, OSError):
        return ""
