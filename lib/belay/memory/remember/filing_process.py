"""The process that files captures: hooks start it, so that the parser of memory files loads in that process alone."""

from __future__ import annotations

from belay.client import processes
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start_filing(session: Session, milestone: dict[str, Any] | None = None) -> bool:
    """File what is pending, or a milestone, in a process of its own; False where the system cannot fork.

    What it does not come to, the next one does: the consolidator, `belay remember`, the wrap-up.
    """

    def work() -> None:
        from belay.memory.remember import filing

        filing.file_pending(Session(session.project, session.name, session.environ), milestone)

    return processes.run_detached(work)
