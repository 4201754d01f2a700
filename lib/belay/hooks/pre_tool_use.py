"""PreToolUse: refuses a write, asks the person, or records the intent; recalls what fits a file, one read too."""

from __future__ import annotations

import os

from belay.client import tool_guard, tool_results
from belay.client.event import Reply
from belay.context.recall import recall
from belay.core import files
from belay.repository import projects
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, ToolCall
    from belay.session.records import Caller, Target

COMMAND_CHARS = 200
SEARCH_BYTES = 1024 * 1024


def handle(event: Event) -> Reply | None:
    """Record tool, file and line or command, so that a session killed in the middle leaves a cursor."""
    session = Session.from_event(event)
    call = event.tool_call
    if session is None or not call.name:
        return None
    if call.name == tool_results.READER:  # changes nothing: no refusal, no intent
        return _recall(session, event, call)
    reason = tool_guard.find_refusal(session.project, call)
    if reason:
        return Reply(deny=reason)
    question = tool_guard.find_question(session.project, call) if call.command else ""
    asked = Reply(ask=question) if question else None
    own = tool_guard.is_belay_command(call.command)
    if own or not os.path.isdir(session.project.journals):
        return asked
    if call.name == tool_results.PLANNER:
        from belay.session.work import plans

        plans.record_plan(session, call.plan, "proposed")
        return None
    if call.command:
        _remember_texts(session, call.command)
    session.log("intent", tool=call.name, **_describe_target(session, call), **_describe_caller(event, call))
    return asked or _recall(session, event, call)


def _remember_texts(session: Session, command: str) -> None:
    """Look at the memory files before a command that may bring text into them: what is there now is known as it is."""
    from belay.client.shell_command import brings_text

    if brings_text(command):
        from belay.repository import row_vetting, vetting

        vetting.read_trusted(session.project, session.environ, row_vetting.list_candidates(session.project))


def _recall(session: Session, event: Event, call: ToolCall) -> Reply | None:
    """Return what the memory says about a file before it is read or edited, each line once a session."""
    if not call.file or event.is_subagent or not os.path.isdir(session.project.journals):
        return None
    reads = call.name == tool_results.READER
    lines = recall.recall_for_file(session, projects.make_label(session.project.relative(call.file)), reads=reads)
    if not lines:
        return None
    from belay.core.text import composer

    return Reply(composer.fence("\n".join(lines)))


def _describe_caller(event: Event, call: ToolCall) -> Caller:
    caller: Caller = {}
    if call.use:
        caller["use"] = call.use
    if event.prompt_id:
        caller["prompt_id"] = event.prompt_id
    if event.agent:
        caller["agent"] = event.agent
    return caller


def _describe_target(session: Session, call: ToolCall) -> Target:
    if call.path:
        return {
            "file": projects.make_label(session.project.relative(call.path)),
            "line": find_line(call.path, call.old_text),
        }
    return {"command": first_line(call.purpose)}


def first_line(command: str) -> str:
    """Return a command's first line, redacted and cut."""
    from belay.safety.redaction import redact_head

    return redact_head(command.lstrip(), COMMAND_CHARS * 8, COMMAND_CHARS).split("\n", 1)[0].rstrip()


def find_line(path: str, text: str) -> int:
    """Return the line (from 1) of a text in a file; 0 where it is not there."""
    if not text:
        return 0
    data = b"" if "\0" in path else files.read(path, SEARCH_BYTES)
    at = data.find(text.encode("utf-8", "replace"))
    return data.count(b"\n", 0, at) + 1 if at >= 0 else 0
