"""SessionEnd: the end mark, then the consolidator in a process of its own (the client gives 1.5 s, HOST §2.3)."""

from __future__ import annotations

import os

from belay.client import processes
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event


def handle(event: Event) -> None:
    """Mark the end of a session that has a journal and leave the rest to the consolidator."""
    session = Session.from_event(event)
    if session is None or not os.path.exists(session.project.journal(session.name)):
        return
    session.log("end", reason=event.reason)

    def work() -> None:
        from belay.consolidate import session as consolidate_session

        consolidate_session.run(session.project, session.environ, ending=True)

    processes.run_detached(work)  # where the system cannot fork, the next session's start finishes the rest
