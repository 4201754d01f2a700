"""PreCompact: the last checkpoint, CONTINUATION.md, and a request to the summariser (plain text, HOST §2.3).

It can fire several times, or with no compaction after it: everything here replaces what it wrote before.
"""

from __future__ import annotations

import os

from belay.client.event import Reply
from belay.core.text import composer
from belay.hooks import replies, reply_builder
from belay.session import continuation_files, recovery
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event

KEEP_TOKENS = 300


def handle(event: Event) -> Reply | None:
    """Save the state and the continuation; ask the summariser to keep what is open."""
    session = Session.from_event(event)
    if session is None or not os.path.exists(session.project.journal(session.name)):
        return None
    continuation_files.refresh(session)
    session.log("compact", trigger=event.trigger)
    session.save()
    asked = reply_builder.ask_for_closing_line(session)
    lines = composer.fit(recovery.list_open_work(session, []), KEEP_TOKENS)
    if not lines:
        return Reply(plain=asked) if asked else None
    where = "CONTINUATION.md" if os.path.exists(session.project.continuation) else "the working buffer"
    return Reply(plain="\n".join(filter(None, (replies.to_keep(lines, where), asked))))
