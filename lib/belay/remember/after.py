"""What the consolidator does for remembering: files what prompts asked for and nobody filed, notes what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay import pages, promote
from belay.errors import LockTimeout
from belay.remember import filing, wish

if TYPE_CHECKING:
    from belay.session import Session


def run(sessions: list[Session]) -> int:
    """File what sessions of one project still wait for, and note what its memory holds; return how many were filed.

    Each session stands at the work tree it worked in. What cannot be written waits for the next run.
    """
    found = [session for session in sessions if wish.has_file(session)]
    if not found or not filing.has_parser(found[0].environ):
        return 0
    filed = sum(_filed(session) for session in found if wish.pending(session))
    _learned(found[0])
    return filed


def _filed(session: Session) -> int:
    try:
        return sum(not outcome.why for outcome in filing.run(session))
    except (OSError, LockTimeout):
        return 0


def _learned(session: Session) -> None:
    from belay.memory import facts, page

    text = pages.read(session.project.memory_md)
    try:
        promote.note(session.project, session.environ, facts.facts(page.parse(text)))
    except (OSError, LockTimeout):
        return
