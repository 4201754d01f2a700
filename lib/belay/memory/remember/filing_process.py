"""The process that files captures: hooks start it, so that the parser of memory files loads in that process alone."""

from __future__ import annotations

from belay.client import processes
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class Milestone(TypedDict):
        """What a milestone changes: its name, text and files, items that are done too, and Where We Left Off.

        `line` is how it is announced.
        """

        what: str
        text: str
        files: list[str]
        also: list[str]
        left: dict[str, str]
        line: str


def start_filing(session: Session, milestone: Milestone | None = None) -> bool:
    """File what is pending, or a milestone, in a process of its own; False where the system cannot fork.

    What it does not come to, the next one does: the consolidator, `belay remember`, the wrap-up.
    """

    def work() -> None:
        from belay.memory.remember import filing

        filing.file_pending(Session(session.project, session.name, session.environ), milestone)

    return processes.run_detached(work)
