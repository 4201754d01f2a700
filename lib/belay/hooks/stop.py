"""Stop: refresh the checkpoint with what Claude said last; no output, which would continue the turn (HOST §2.3)."""

from __future__ import annotations

import os

from belay.safety.redaction import redact
from belay.session.session import Session
from belay.session.work import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event


def handle(event: Event) -> None:
    """Journal the end of the last answer and what it says about the work, and save the state."""
    session = Session.from_event(event)
    if session is None or event.is_subagent or not os.path.exists(session.project.journal(session.name)):
        return
    answer.record_answer(session, redact(event.last_message))
    if session.state["captures"]:
        from belay.session import captures

        # Its block names task, status and next step, which the answer may have changed.
        if captures.update_buffer(session):
            return  # the state is saved with it
    session.save()
