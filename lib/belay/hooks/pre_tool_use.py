"""PreToolUse of a mutating tool: refuse what must not be written, else journal the intent; recall what it is about."""

from __future__ import annotations

import os

from belay.client import tool_guard
from belay.client.event import Reply
from belay.context.recall import recall
from belay.core import files
from belay.safety.redaction import redact, redact_head
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, ToolCall
    from belay.session.records import Caller, Target

COMMAND_CHARS = 200
SEARCH_BYTES = 1024 * 1024


def handle(event: Event) -> Reply | None:
    """Journal tool, file and line or command head, so that a session killed in the middle leaves a cursor."""
    session = Session.from_event(event)
    call = event.tool_call
    if session is None or not call.name:
        return None
    reason = tool_guard.find_refusal(session.project, call)
    if reason:
        return Reply(deny=reason)
    own = tool_guard.is_belay_command(call.command)
    if own or not os.path.isdir(session.project.journals):
        return None
    session.log("intent", tool=call.name, **_what(session, call), **_who(event, call))
    return _recalled(session, call.file) if call.file and not event.is_subagent else None


def _recalled(session: Session, path: str) -> Reply | None:
    """Return what the memory says of a file that is about to be edited, once a session."""
    lines = recall.edited(session, session.project.relative(path))
    if not lines:
        return None
    from belay.core.text import composer

    return Reply(composer.fence("\n".join(lines)))


def _who(event: Event, call: ToolCall) -> Caller:
    caller: Caller = {}
    if call.use:
        caller["use"] = call.use
    if event.prompt_id:
        caller["prompt_id"] = event.prompt_id
    if event.agent:
        caller["agent"] = event.agent
    return caller


def _what(session: Session, call: ToolCall) -> Target:
    if call.path:
        return {
            "file": redact(session.project.relative(call.path)),
            "line": line_of(call.path, call.old_text),
        }
    return {"command": head(call.purpose)}


def head(command: str) -> str:
    """Return a command's first line, redacted and cut."""
    return redact_head(command.lstrip(), COMMAND_CHARS * 8, COMMAND_CHARS).split("\n", 1)[0].rstrip()


def line_of(path: str, text: str) -> int:
    """Return the line (from 1) where a text stands in a file; 0 when it is not to be found there."""
    if not text:
        return 0
    data = b"" if "\0" in path else files.read(path, SEARCH_BYTES)
    at = data.find(text.encode("utf-8", "replace"))
    return data.count(b"\n", 0, at) + 1 if at >= 0 else 0
