"""SessionStart: the memory is read first of all, so that one that changed is compiled while everything else loads."""

from __future__ import annotations

import gc

from belay.context.start import compiled_memory
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, Reply

_GOES_ON = ("resume", "fork", "compact")
"""Sources of a session that has the memory already (HOST §2.3)."""


def handle(event: Event) -> Reply | None:
    """Return what the session should begin with, fenced, and what the user is told once."""
    if event.is_subagent:
        return None  # a subagent never takes what waits for the person
    gc.disable()  # nothing here lives long enough to be collected; looking for it takes a tenth of the time
    session = Session.from_event(event)
    ready = _read(event, session) if session else None
    from belay.hooks import start_sequence

    return start_sequence.begin(event, session, ready)


def _read(event: Event, session: Session) -> compiled_memory.StartedMemory | None:
    if event.source in _GOES_ON:
        return None
    return compiled_memory.start_compiling(session.project, session.environ, event.cwd)
