"""SessionEnd: the end mark, then the consolidator in a process of its own (the client gives 1.5 s, HOST §2.3)."""

from __future__ import annotations

import os

from belay import detach
from belay.session import of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.event import Event
    from belay.session import Session


def handle(event: Event) -> None:
    """Mark the end of a session that has a journal and leave the rest to the consolidator."""
    session = of(event)
    if session is None or not os.path.exists(session.project.journal(session.name)):
        return
    session.log("end", reason=event.text("reason"))
    consolidate(session)


def consolidate(session: Session) -> None:
    """Start the consolidator detached; where the system cannot fork, the next session start does its work."""

    def work() -> None:
        import sys

        from belay import consolidate
        from belay.setup import stand

        sys.path += [folder for folder in [stand.packages(session.environ)] if folder]  # settings are YAML
        consolidate.run(session.project, session.environ)

    detach.run(work)
