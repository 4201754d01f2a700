"""PreToolUse: refuses a write, asks the person, or records the intent; recalls what fits a file, one read too."""

from __future__ import annotations

import os

from belay.client import tool_guard, tool_results
from belay.client.event import Reply
from belay.context.recall import recall
from belay.core import files, kinds, settings
from belay.repository import projects
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, ToolCall
    from belay.sentinel.gate import Remark
    from belay.session.state_types import Caller, Target

COMMAND_CHARS = 200
SEARCH_BYTES = 1024 * 1024
_AIMLESS = (kinds.QUESTION, kinds.PASTE, kinds.GO_ON)
"""Prompts that name no work: where nothing else does, it is not known what a change is for."""


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
    mode = _read_mode(session, event)
    remark = _remark_on(session, event, call, mode) if mode != settings.OFF and not asked else None
    caller = _describe_caller(event, call, remark)
    session.log("intent", tool=call.name, **_describe_target(session, call), **caller)
    if remark and session.trouble:
        return None  # what cannot be recorded would be said again at each call
    if remark and remark.ask:
        session.log("recalled", entries=dict.fromkeys(remark.told, 0))  # recall does not tell it once more
    if remark and (remark.deny or remark.ask):
        return Reply(deny=remark.deny, ask=remark.ask)
    return asked or _recall(session, event, call, remark.text if remark else "")


def _read_mode(session: Session, event: Event) -> str:
    """Return the sentinel's mode; plan mode changes nothing, and a subagent's calls wait for nobody."""
    if event.is_planning or event.is_subagent:
        return settings.OFF
    return settings.load_settings(session.project, session.environ)["sentinel"]


def _remark_on(session: Session, event: Event, call: ToolCall, mode: str) -> Remark | None:
    """Return what the sentinel says of a call that acts, None for nothing: memory files are always written."""
    state, corrections = session.state, _find_corrections(session)
    asks, is_aimless = mode == settings.ENFORCE and bool(call.file), _is_aimless(session)
    if not (corrections or asks or is_aimless):
        return None
    if call.path and tool_guard.is_memory_file(session.project.relative(call.path)):
        return None
    from belay.sentinel import classifier, gate

    prompt = event.prompt_id or str(state["prompts"])
    remark = gate.remark_on(mode, corrections, state["told"], prompt)
    if not remark and is_aimless:
        remark = gate.remind_of_task(state["told"])
    if not remark and asks:
        name = projects.make_label(session.project.relative(call.file))
        remark = gate.ask_about(name, recall.find_antipatterns(session, name), state["told"], prompt)
    return remark if remark and classifier.classify(call).acts else None


def _find_corrections(session: Session) -> dict[str, str]:
    """Return id → words of the open corrections that no memory file has and that no open preflight or check has told.

    A preflight tells those before it; whoever states a goal after reading them goes on with it.
    """
    stated = session.state["preflight"]
    return {
        name: capture["text"]
        for name, capture in session.state["captures"].items()
        if kinds.CORRECTION in capture["classes"]
        and not capture.get("filed")
        and not (stated and stated["time"] > capture["time"])
    }


def _is_aimless(session: Session) -> bool:
    """Whether a session has neither a task nor an open preflight, and its last prompt asked for no change either."""
    state = session.state
    if state["task"] or state["preflight"] or state["captures"] or session.is_partial:
        return False
    return state["request"] is not None and state["request"]["kind"] in _AIMLESS


def _remember_texts(session: Session, command: str) -> None:
    """Look at the memory files before a command that may bring text into them: what is there now is known as it is."""
    from belay.client.shell_command import brings_text

    if brings_text(command):
        from belay.repository import row_vetting, vetting

        vetting.read_trusted(session.project, session.environ, row_vetting.list_candidates(session.project))


def _recall(session: Session, event: Event, call: ToolCall, remark: str = "") -> Reply | None:
    """Return a remark and what the memory says about a file before it is read or edited, each line once a session."""
    lines = [remark] if remark else []
    if call.file and not event.is_subagent and os.path.isdir(session.project.journals):
        reads, name = call.name == tool_results.READER, projects.make_label(session.project.relative(call.file))
        lines += recall.recall_for_file(session, name, reads=reads)
    if not lines:
        return None
    from belay.core.text import composer

    return Reply(composer.fence("\n".join(lines)))


def _describe_caller(event: Event, call: ToolCall, remark: Remark | None) -> Caller:
    caller: Caller = {"told": remark.told, "refused": bool(remark.deny)} if remark else {}
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
