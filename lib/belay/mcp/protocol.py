"""JSON-RPC 2.0 as the Model Context Protocol speaks it: one line in, its answer out; no I/O.

Revisions up to 2025-11-25 agree on a version at `initialize`; from 2026-07-28 on each request states its own and each
result says its type (modelcontextprotocol.io, "Lifecycle", "Versioning"). Both are spoken side by side.
"""

from __future__ import annotations

from belay.core import json_codec
from belay.core.constants import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Message = dict[str, Any]

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = ("2026-07-28",)
KNOWN = HANDSHAKE + STATELESS
STRUCTURED = KNOWN[2:]
"""Revisions that have outputSchema and structuredContent."""

PARSE, REQUEST, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
UNKNOWN_VERSION = -32022

_STATED, _ABLE = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
_SERVER = {"name": "belay", "title": "Belay", "version": VERSION}
_KEPT = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""How long a client may keep what never changes while a server runs."""


class Refused(Exception):
    """A request that gets an error in place of a result."""

    def __init__(self, code: int, message: str, data: Message | None = None) -> None:
        super().__init__(code, message)
        self.code, self.message, self.data = code, message, data


class Answer:
    """What a tool answers: `text` for every client, `data` beside it where results are structured."""

    __slots__ = ("data", "is_error", "text")

    def __init__(self, text: str, data: Message | None = None, is_error: bool = False) -> None:
        self.text, self.data, self.is_error = text, data, is_error


class Server:
    """One client's connection: the tools, who calls them, and the version that was agreed on."""

    __slots__ = ("call", "instructions", "tools", "version")

    def __init__(
        self, tools: Sequence[Mapping[str, object]], instructions: str, call: Callable[[str, Message], Answer]
    ) -> None:
        self.tools, self.instructions, self.call = tools, instructions, call
        self.version = HANDSHAKE[-1]

    def reply(self, line: bytes) -> bytes:
        """Return the answer to one line, b"" where there is none: a notification, a blank line."""
        if not line.strip():
            return b""
        try:
            message = json_codec.loads(line.decode("utf-8"))
        except ValueError:
            return json_codec.encode(make_error(None, PARSE, "the line is no JSON"))
        if isinstance(message, list) and message:
            answers = [answer for one in message if (answer := self.answer(one))]
            return json_codec.encode(answers) if answers else b""
        answer = self.answer(message)
        return json_codec.encode(answer) if answer else b""

    def answer(self, message: object) -> Message | None:
        """Return the answer to one message, None for a notification or another's answer."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return make_error(_read_id(message), REQUEST, "no JSON-RPC 2.0 message")
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            return None  # nothing was asked of the client
        if not isinstance(method, str) or ("id" in message and _read_id(message) is None):
            return make_error(_read_id(message), REQUEST, "`method` is no text, or `id` no text and no whole number")
        if "id" not in message:
            return None
        try:
            result = self._result(method, message.get("params", {}))
        except Refused as error:
            return make_error(message["id"], error.code, error.message, error.data)
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _result(self, method: str, params: object) -> Message:
        if not isinstance(params, dict):
            raise Refused(PARAMS, "`params` is no object")
        stated = _read_version(params)
        step = _STEPS.get(method)
        if step is None or (stated in STATELESS and method in _OF_HANDSHAKE):
            raise Refused(METHOD, f"Method not found: {method[:80]}")
        result = step(self, params, stated or self.version)
        if stated not in STATELESS:
            return result
        return {**result, "resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": _SERVER}}


def make_error(ident: object, code: int, message: str, data: Message | None = None) -> Message:
    """Return an answer that is an error."""
    error = {"code": code, "message": message, **({"data": data} if data else {})}
    return {"jsonrpc": "2.0", "id": ident, "error": error}


def answer_broken(line: bytes) -> bytes:
    """Return the answer to a line whose work broke: an internal error for each request in it."""
    message = json_codec.loads(line.decode("utf-8"))
    requests = message if isinstance(message, list) else [message]
    why = "Belay broke on this; its log holds a bug report"
    answers = [make_error(_read_id(one), INTERNAL, why) for one in requests]
    return json_codec.encode(answers if isinstance(message, list) else answers[0])


def _read_id(message: object) -> str | int | None:
    ident = message.get("id") if isinstance(message, dict) else None
    return ident if isinstance(ident, (str, int)) and not isinstance(ident, bool) else None


def _read_version(params: Message) -> str:
    """Return the version that a request states, "" for none; Refused for one that is not known."""
    meta = params.get("_meta")
    stated = meta.get(_STATED, "") if isinstance(meta, dict) else ""
    if stated and stated not in KNOWN:
        data = {"supported": list(KNOWN), "requested": str(stated)[:80]}
        raise Refused(UNKNOWN_VERSION, "Unsupported protocol version", data)
    if stated in STATELESS and not (isinstance(meta, dict) and isinstance(meta.get(_ABLE), dict)):
        raise Refused(PARAMS, f"`_meta` lacks {_ABLE}")
    return str(stated)


def _initialize(server: Server, params: Message, _: str) -> Message:
    wanted = params.get("protocolVersion")
    server.version = wanted if isinstance(wanted, str) and wanted in HANDSHAKE else HANDSHAKE[-1]
    return {"protocolVersion": server.version, **_describe_server(server), "serverInfo": _SERVER}


def _discover(server: Server, _: Message, __: str) -> Message:
    return {"supportedVersions": list(KNOWN), **_describe_server(server), **_KEPT}


def _describe_server(server: Server) -> Message:
    about = {"instructions": server.instructions} if server.instructions else {}
    return {"capabilities": {"tools": {}}, **about}


def _answer_ping(_: Server, __: Message, ___: str) -> Message:
    return {}


def _list_tools(server: Server, _: Message, version: str) -> Message:
    tools = server.tools
    if version not in STRUCTURED:
        tools = [{key: tool[key] for key in tool if key != "outputSchema"} for tool in tools]
    return {"tools": tools, **(_KEPT if version in STATELESS else {})}


def _call_tool(server: Server, params: Message, version: str) -> Message:
    name, given = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or not isinstance(given, (dict, type(None))):
        raise Refused(PARAMS, "`name` is a text, `arguments` an object")
    answer = server.call(name, given or {})
    result: Message = {"content": [{"type": "text", "text": _clean(answer.text)}], "isError": answer.is_error}
    if answer.data is not None and version in STRUCTURED:
        result["structuredContent"] = _clean(answer.data)
    return result


def _clean(value: Any) -> Any:
    """Return an answer without what a person would not see: it comes from files that others may have written."""
    from belay.core.text.invisible import drop_invisible

    if isinstance(value, str):
        return drop_invisible(value)
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, (list, tuple)) else value


_STEPS: dict[str, Callable[[Server, Message, str], Message]] = {
    "initialize": _initialize,
    "server/discover": _discover,
    "ping": _answer_ping,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
}
_OF_HANDSHAKE = ("initialize", "ping")
"""What the stateless revisions have no more."""
