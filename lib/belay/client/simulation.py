"""What the client would send to a hook and write to a transcript, for the demo; and what it would read of a reply."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from belay.client.event import CallFields, HookFields, ToolInput


def render_call(name: str, given: ToolInput, use: str, response: str | None = None) -> CallFields:
    """Return a tool call as hooks get it, before it has run or with its response."""
    call: CallFields = {"tool_name": name, "tool_input": given, "tool_use_id": use}
    if response is not None:
        call["tool_response"] = response
    return call


def batch(call: CallFields) -> HookFields:
    """Return the fields of PostToolBatch for one call."""
    return {"tool_calls": [call]}


def prompt(text: str, name: str) -> HookFields:
    """Return the fields of UserPromptSubmit."""
    return {"prompt": text, "prompt_id": name}


def stop(text: str) -> HookFields:
    """Return the fields of Stop after an answer."""
    return {"stop_hook_active": False, "last_assistant_message": text}


def edit(path: str, old: str, new: str) -> ToolInput:
    """Return what Edit is given."""
    return {"file_path": path, "old_string": old, "new_string": new}


def question(text: str) -> ToolInput:
    """Return what AskUserQuestion is given."""
    return {"questions": [{"question": text}]}


def render_event(event: str, session: str, transcript: str, cwd: str, fields: HookFields | CallFields) -> str:
    """Return the JSON that a hook of the event gets on stdin."""
    common: HookFields = {
        "session_id": session, "transcript_path": transcript, "cwd": cwd, "hook_event_name": event,
    }  # fmt: skip
    return json.dumps({**common, **fields}, ensure_ascii=False)


def render_answer(number: int, time: str, model: str, tokens: int) -> str:
    """Return the transcript's line of an answer of Claude whose request held that many tokens."""
    usage = {
        "input_tokens": min(tokens, 400),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": max(0, tokens - 400),
    }
    message = {"id": f"msg_{number}", "role": "assistant", "model": model, "usage": usage}
    return json.dumps({"type": "assistant", "isSidechain": False, "timestamp": time, "message": message})


def parse_reply(stdout: str) -> tuple[str, str]:
    """Return what a hook's output gives to Claude and what it shows to the person."""
    if not stdout.startswith("{"):
        return stdout, ""
    reply = json.loads(stdout)
    return reply.get("hookSpecificOutput", {}).get("additionalContext", ""), reply.get("systemMessage", "")
