"""SessionStart: reads the memory first, so that a changed one is compiled while everything else loads."""

from __future__ import annotations

from belay.context.start import compiled_memory
from belay.session import binding
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, Reply

_GOES_ON = ("resume", "fork", "compact")
"""Sources of a session that has the memory already (HOST §2.3)."""


def handle(event: Event) -> Reply | None:
    """Return what the session begins with, fenced, and what the person reads once."""
    if event.is_subagent:
        return None  # what waits is for the person, not for a subagent
    project = binding.bind(event)
    session = Session(project, event.session, event.environ, event.cwd, hurries=True) if project else None
    started = _start_compiling(event, session) if session else None
    from belay.hooks import start_sequence

    return start_sequence.begin(event, session, started)


def _start_compiling(event: Event, session: Session) -> compiled_memory.StartedMemory | None:
    if event.source in _GOES_ON:
        return None
    return compiled_memory.start_compiling(session.project, session.environ, event.cwd)
