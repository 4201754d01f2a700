"""Stop: refresh the checkpoint with what Claude said last; no output, which would continue the turn (HOST §2.3)."""

from __future__ import annotations

import os

from belay.safety.redaction import redact
from belay.session import intent
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event

SAID_CHARS = 600


def handle(event: Event) -> None:
    """Journal the end of the last answer and its last sentence of intent, and save the state."""
    session = Session.from_event(event)
    if session is None or event.is_subagent or not os.path.exists(session.project.journal(session.name)):
        return
    said = redact(event.last_message)
    session.log("said", text=said[-SAID_CHARS:], intent=intent.find_intent(said))
    session.save()
