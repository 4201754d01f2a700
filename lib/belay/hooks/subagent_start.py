"""SubagentStart: a few project facts, for a subagent starts without memory (HOST §4)."""

from __future__ import annotations

from belay.client.event import Reply
from belay.core.text import composer
from belay.hooks import replies
from belay.session import recovery
from belay.session.session import Session, find_others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event

FACT_TOKENS = 150


def handle(event: Event) -> Reply | None:
    """Return the current task and open captures; a subagent gets no budget notice and no continuation."""
    session = Session.from_event(event)
    if session is None or not event.agent_type:
        return None
    lines = recovery.list_open_work(session, find_others(session, days=1.0, most=3))
    text = composer.fit(lines, FACT_TOKENS)
    return Reply(context=composer.fence(replies.for_subagent(text))) if text else None
