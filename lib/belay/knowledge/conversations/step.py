"""One run that keeps conversations searchable: collected, cleaned, kept within their limits, indexed.

The consolidator calls it with little time; `belay index` lets it finish. Killed anywhere, the next run does the rest.
"""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

from belay.core import clock, lock, settings
from belay.core.errors import BelayError, LockTimeout
from belay.core.tuples import NamedTuple
from belay.knowledge.conversations import archive, cleaning, collection, index
from belay.knowledge.conversations.archive import Archive
from belay.repository import excludes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from belay.core.paths import Project

SECONDS = 2.0
"""How long the consolidator collects, and then indexes, in one run."""
BYTES = 100_000_000
"""Of all files together; the oldest sessions go first."""


class Counts(NamedTuple):
    """What a run did: sessions with new text, sections written, sessions dropped for their age or the room they take;
    whether something is left for the next run."""

    sessions: int = 0
    sections: int = 0
    dropped: int = 0
    left: bool = False


def run_step(project: Project, environ: Mapping[str, str], _: object = ()) -> Counts | None:
    """Bring a project's conversations on by one bounded run; None where the setting `search_sessions` is off."""
    return run(project, environ, SECONDS)


def run(
    project: Project, environ: Mapping[str, str], seconds: float | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Counts | None:  # fmt: skip
    """Do all of it, each half in at most so many `seconds`; None where it is switched off: what was kept is removed.

    Nothing is done where another process is at it.
    """
    if not settings.load_settings(project, environ)["search_sessions"]:
        remove_all(project)
        return None
    if not os.path.isdir(project.sessions):
        excludes.write_excludes(project, environ)
    kept = Archive(project.sessions, environ)
    try:
        with lock.hold(project.stored("state", "sessions.lock"), deadline=0.0):
            return _run(project, kept, seconds, told)
    except LockTimeout:
        return Counts()


def _run(project: Project, kept: Archive, seconds: float | None, told: Callable[[int, int], None] | None) -> Counts:
    until = time.monotonic() + seconds if seconds else None
    collected = collection.collect(project, kept, until)
    cleaning.note_clean(kept, collected.begun)
    is_clean = cleaning.clean(kept, until)
    dropped = keep_limits(kept, by_age=clock.is_settled(project.states))
    if os.path.isdir(kept.folder):
        kept.hide(cleaning.load_forgotten(project, kept.environ))
    indexed = index.update(kept, time.monotonic() + seconds if seconds else None, told)
    left = collected.left or not is_clean or indexed.left > 0
    return Counts(len(collected.sessions), indexed.sections, dropped, left)


def keep_limits(kept: Archive, most: int = BYTES, days: float = collection.DAYS, *, by_age: bool = True) -> int:
    """Drop the sessions that ended longest ago, until the rest has room and none is too old; return how many.

    Not `by_age` where the clock has jumped: then only the room counts.

    What is left of one keeps its transcript from being read again; it goes when that is too old as well.
    """
    rows = sorted(_find_ages(kept))
    total, oldest, dropped = (
        sum(size for _, _, size, _ in rows),
        clock.moment() - days * clock.DAY if by_age else 0.0,
        0,
    )
    for moment, name, size, is_dropped in rows:
        if is_dropped:
            if moment < oldest:
                os.unlink(kept.path(name))
        elif moment < oldest or total > most:
            kept.drop(name)
            total, dropped = total - size, dropped + 1
    return dropped


def _find_ages(kept: Archive) -> Iterator[tuple[float, str, int, bool]]:
    """Yield (when it ended, session, bytes, whether it was dropped) of each file; foreign ones are left alone."""
    for name in kept.list_names():
        read = kept.load_progress(name)
        if read:
            ended = clock.seconds(read.get("until", "") or read.get("time", ""))
            yield ended, name, os.path.getsize(kept.path(name)), read["kind"] == archive.DROPPED


def hide_forgotten(project: Project, environ: Mapping[str, str]) -> bool:
    """Hide in the conversations what entries said that are forgotten now, and show what no longer is.

    False where that is left to the next run.
    """
    if not os.path.isdir(project.sessions):
        return True
    kept = Archive(project.sessions, environ)
    try:
        with lock.hold(project.stored("state", "sessions.lock"), deadline=2.0):
            kept.hide(cleaning.load_forgotten(project, environ))
            index.update(kept)
    except (LockTimeout, OSError, BelayError):
        return False
    return True


def remove_all(project: Project) -> None:
    """Remove every conversation that was kept, and the database of them."""
    if os.path.isdir(project.sessions) and not os.path.islink(project.sessions):
        shutil.rmtree(project.sessions, ignore_errors=True)
