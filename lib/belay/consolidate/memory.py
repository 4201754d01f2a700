"""What the consolidator does for memory files: begun wrap-ups, what was to be remembered, ended sessions, compression.

Each session's part is done once, under the lock; what one cannot be written stops no other and is tried again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.consolidate import memory_update
from belay.core import settings
from belay.core.errors import BelayError
from belay.memory import memory_files
from belay.session.session import at_its_work_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.core.paths import Project
    from belay.session.session import Session


def waits(sessions: list[Session]) -> bool:
    """Whether any of the sessions left something that a memory file was to be told of."""
    return any(one.state["drafted"] or memory_update.waits(one) for one in sessions)


def run(project: Project, environ: Mapping[str, str], sessions: list[Session], *, ending: bool) -> int:
    """Bring the memory files up to date, the oldest session first; return how many sessions changed one.

    `ending`: a session ends, so that a memory over the limit is compressed; at a start it never is (seed 003).
    Without the parser (the environment does not stand yet) everything waits.
    """
    from belay.memory import promotion
    from belay.memory.remember import filing, requests

    if not filing.has_parser(environ):
        return 0
    own: set[str] = set()
    for one in sessions:
        _tried(_finish_wrap_up, one)
    for one in filter(requests.find_pending, sessions):
        _tried(lambda one: bool(filing.file_pending(at_its_work_tree(one))), one)
        one.reload()
    kept = sum(_tried(lambda one: _keep(one, own), one) for one in sessions if memory_update.waits(one))
    try:
        if ending and compress(project, environ):
            kept += 1
        _compile(project, environ)
        promotion.record_project(project, environ)
    except (OSError, BelayError):
        return kept
    return kept


def _tried(doing: Callable[[Session], bool], session: Session) -> bool:
    try:
        return doing(session)
    except (OSError, BelayError):
        return False


def _keep(session: Session, own: set[str]) -> bool:
    done = memory_update.keep(at_its_work_tree(session), own)
    session.reload()
    return done


def _finish_wrap_up(session: Session) -> bool:
    """Save what a wrap-up that was killed in the middle had been given."""
    if not session.state["drafted"]:
        return False
    from belay.memory.wrapup import saving

    where = at_its_work_tree(session)
    with memory_files.lock_memory(where.project):
        session.reload()
        document = saving.find_unfinished(where)
        if document:
            saving.save_wrapup(where, document)
    session.reload()
    return document is not None


def compress(project: Project, environ: Mapping[str, str]) -> bool:
    """Compress MEMORY.md where it has more lines than the settings allow; return whether it changed."""
    from belay.memory.compression import compression as shrinking
    from belay.memory.document.page import split_lines

    path = project.memory_md
    if not os.path.isfile(path) or memory_files.explain_refusal(project, path):
        return False
    if (
        shrinking.check_length(
            len(split_lines(memory_files.read_text(path))), settings.load_settings(project, environ)
        )
        != "now"
    ):
        return False
    with memory_files.lock_memory(project):
        return shrinking.compress_file(project, environ).written


def _compile(project: Project, environ: Mapping[str, str]) -> None:
    """Do ahead what the next start would have to wait for: the memory's facts, and which branches were merged."""
    from belay.context.start import compiled_memory
    from belay.memory.branches import offers

    compiled_memory.compile_ahead(project, environ)
    offers.find_offers(project, environ)
