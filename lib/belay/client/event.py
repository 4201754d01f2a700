"""Hook JSON in and out (HOST §2.2, §2.3)."""

from __future__ import annotations

import os
import zlib

from belay.core import json_codec, paths
from belay.core.json_codec import as_path, fields_of, first_text, rows_of, text_or_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypedDict

    # The names of the client's fields, once (HOST §2.2, §2.3); tests/test_house.py keeps them inside client/.
    # Every value comes from another program, so its type is `object` until it was looked at.
    class ToolInput(TypedDict, total=False):
        """What a tool is given: the fields that Belay reads."""

        command: object
        content: object
        description: object
        edits: object
        file_path: object
        file_text: object
        insert_text: object
        newText: object
        new_source: object
        new_str: object
        new_string: object
        notebook_path: object
        old_string: object
        path: object
        plan: object
        prompt: object
        questions: object
        subject: object
        status: object
        taskId: object
        todos: object

    class CallFields(TypedDict, total=False):
        """One tool call as a hook gets it."""

        tool_input: object
        tool_name: object
        tool_response: object
        tool_use_id: object

    class HookFields(CallFields, total=False):
        """The JSON that the client passes to a hook, of any event."""

        agent_id: object
        agent_type: object
        background_tasks: object
        custom_instructions: object
        cwd: object
        hook_event_name: object
        last_assistant_message: object
        model: object
        permission_mode: object
        prompt: object
        prompt_id: object
        reason: object
        session_id: object
        source: object
        stop_hook_active: object
        tool_calls: object
        transcript_path: object
        trigger: object

    class HookOutput(TypedDict, total=False):
        """What a hook answers on its event."""

        additionalContext: str
        hookEventName: str
        permissionDecision: str
        permissionDecisionReason: str

    class ReplyFields(TypedDict, total=False):
        """The JSON that a hook prints."""

        hookSpecificOutput: HookOutput
        systemMessage: str


BINDINGS = "bindings"
"""The user's folder with a file for each session that says which process and which work tree it is bound to."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_SESSION_CHARS = 64
_TAKEN = frozenset(("health", "ledger", "settings"))
"""Names that other files beside journals and states have."""


class ToolCall:
    """One tool call: the tool's name, the id of its use, and what it was given; what is missing is empty."""

    __slots__ = ("given", "name", "response", "use")

    def __init__(self, data: CallFields) -> None:
        self.given: ToolInput = fields_of(data.get("tool_input"))
        self.name, self.use = text_or_empty(data.get("tool_name")), text_or_empty(data.get("tool_use_id"))
        self.response = data.get("tool_response")

    @property
    def file(self) -> str:
        """The file that the client's own editors change."""
        return as_path(first_text(self.given, "file_path", "notebook_path"))

    @property
    def path(self) -> str:
        """The file or folder that the call is about, `path` of other servers' tools included."""
        return as_path(first_text(self.given, "file_path", "notebook_path", "path"))

    @property
    def command(self) -> str:
        """The command line of a shell."""
        return first_text(self.given, "command")

    @property
    def purpose(self) -> str:
        """What a call that names no file is for: its command, its description or its prompt."""
        return first_text(self.given, "command", "description", "prompt")

    @property
    def plan(self) -> str:
        """The plan that a call puts up for approval (ExitPlanMode)."""
        return first_text(self.given, "plan")

    @property
    def old_text(self) -> str:
        """The text that an edit replaces."""
        return first_text(self.given, "old_string")

    @property
    def new_text(self) -> str:
        """The text that an edit puts there instead."""
        return first_text(self.given, "new_string")


class Event:
    """One hook call: the client's JSON with every field brought to its type; what is missing is empty."""

    __slots__ = ("_fields", "cwd", "environ", "session")

    def __init__(self, fields: HookFields, environ: Mapping[str, str]) -> None:
        self._fields, self.environ = fields, environ
        self.session = session_name(fields.get("session_id"))
        self.cwd = _folder(fields.get("cwd"), environ)

    @property
    def binding_file(self) -> str:
        """The file that the session's start wrote: its client's process, a line end, its work tree."""
        return os.path.join(paths.data_home(self.environ), BINDINGS, self.session)

    @property
    def prompt(self) -> str:
        """The text of a prompt, as the person or the client wrote it."""
        return text_or_empty(self._fields.get("prompt"))

    @property
    def prompt_id(self) -> str:
        """The client's id of the prompt that a call belongs to."""
        return text_or_empty(self._fields.get("prompt_id"))

    @property
    def is_planning(self) -> bool:
        """Whether the client is in plan mode, in which it changes nothing."""
        return self._fields.get("permission_mode") == "plan"

    @property
    def source(self) -> str:
        """Where a prompt came from, or how a session started (HOST §2.3)."""
        return text_or_empty(self._fields.get("source"))

    @property
    def model(self) -> str:
        """The model that a session starts with."""
        return text_or_empty(self._fields.get("model"))

    @property
    def reason(self) -> str:
        """Why a session ends."""
        return text_or_empty(self._fields.get("reason"))

    @property
    def trigger(self) -> str:
        """What started a compaction: `manual` or `auto`."""
        return text_or_empty(self._fields.get("trigger"))

    @property
    def transcript(self) -> str:
        """The path of the session's transcript."""
        return text_or_empty(self._fields.get("transcript_path"))

    @property
    def saved_outputs(self) -> str:
        """The folder in which the client saves outputs that are too long for an answer, "" without a transcript."""
        return self.transcript[:-6] + "/tool-results/" if self.transcript.endswith(".jsonl") else ""

    @property
    def last_message(self) -> str:
        """What Claude said last."""
        return text_or_empty(self._fields.get("last_assistant_message"))

    @property
    def agent(self) -> str:
        """The id of the subagent that makes the call."""
        return text_or_empty(self._fields.get("agent_id"))

    @property
    def agent_type(self) -> str:
        """The kind of subagent that starts."""
        return text_or_empty(self._fields.get("agent_type"))

    @property
    def tool_call(self) -> ToolCall:
        """The one tool call that PreToolUse is about."""
        return ToolCall(self._fields)

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tool calls of a finished batch."""
        return [ToolCall(row) for row in rows_of(self._fields.get("tool_calls"))]

    @property
    def is_subagent(self) -> bool:
        """Whether the call comes from inside a subagent (HOST §2.2: agent_id)."""
        return bool(self._fields.get("agent_id"))

    @property
    def is_headless(self) -> bool:
        """Whether the client runs under -p or an SDK (HOST §2.3: CLAUDE_CODE_ENTRYPOINT)."""
        return self.environ.get("CLAUDE_CODE_ENTRYPOINT", "cli") != "cli"


class Reply:
    """What a hook says: `context` for Claude, `user` for the person, `deny` or `ask` with its reason, `plain` as is.

    Of `ask` the person decides. `then` is done after it was said: what must not happen when nobody heard.
    """

    __slots__ = ("ask", "context", "deny", "plain", "then", "user")

    def __init__(self, context: str = "", user: str = "", deny: str = "", plain: str = "", ask: str = "") -> None:
        self.context, self.user, self.deny, self.plain, self.ask = context, user, deny, plain, ask
        self.then: Callable[[], None] | None = None

    def render(self, name: str) -> str:
        """Return stdout for the event: JSON, or plain text where the client takes only that (PreCompact)."""
        if not any((self.plain, self.user, self.deny, self.ask, self.context)):
            return ""
        from belay.core.text.invisible import drop_invisible

        if self.plain:
            return drop_invisible(self.plain)
        out: ReplyFields = {"systemMessage": drop_invisible(self.user)} if self.user else {}
        if self.deny or self.ask:
            out["hookSpecificOutput"] = {
                "hookEventName": name, "permissionDecision": "deny" if self.deny else "ask",
                "permissionDecisionReason": drop_invisible(self.deny or self.ask),
            }  # fmt: skip
        elif self.context:
            out["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": drop_invisible(self.context)}
        return json_codec.dumps(out)


def parse_event(raw: bytes, environ: Mapping[str, str]) -> Event:
    """Return the event of a hook's stdin; whatever is not a JSON object becomes an empty event."""
    try:
        value = json_codec.loads(raw.decode("utf-8", "replace"))
    except ValueError:
        value = None
    return Event(fields_of(value), environ)


def session_name(raw: object) -> str:
    """Return a session id that is safe as a file name: itself, or a hash of it where it is hostile."""
    if isinstance(raw, str) and 0 < len(raw) <= _SESSION_CHARS and _PLAIN.issuperset(raw) and raw.lower() not in _TAKEN:
        return raw
    text = raw if isinstance(raw, str) else repr(raw)
    return f"x-{zlib.crc32(text.encode('utf-8', 'replace')):08x}" if raw else "x-unknown"


def _folder(raw: object, environ: Mapping[str, str]) -> str:
    for candidate in (raw, environ.get("CLAUDE_PROJECT_DIR")):
        if isinstance(candidate, str) and "\0" not in candidate and os.path.isdir(candidate):
            return os.path.abspath(candidate)
    try:
        return os.getcwd()
    except OSError:
        return "/"
