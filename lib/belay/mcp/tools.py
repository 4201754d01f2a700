"""The four tools: what Claude sees of them, and which module answers each; it loads with its first call."""

from __future__ import annotations

from belay.core import kinds
from belay.core.errors import BelayError
from belay.mcp.protocol import PARAMS, Answer, Refused, Server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from typing_extensions import NotRequired

    from belay.mcp.arguments import Foreign, Schema
    from belay.mcp.call import CallContext

    class Tool(TypedDict):
        """A tool as `tools/list` names it."""

        name: str
        description: str
        inputSchema: Schema
        outputSchema: NotRequired[Schema]
        annotations: dict[str, bool]


INSTRUCTIONS = "Search decisions, gotchas, docs and past sessions before deciding or when asked why; record what lasts."
"""In every request, with the tools' names or schemas; tests/host/test_cost.py holds what they cost."""


_TYPE = {"type": "string", "enum": list(kinds.ENTRY_TYPES)}
_FOUND = {"type": "string", "enum": [*kinds.ENTRY_TYPES, "document", "session"]}
_TEXT, _NUMBER = {"type": "string"}, {"type": "integer"}
_TEXTS = {"type": "array", "items": _TEXT}
_READS = {"readOnlyHint": True, "openWorldHint": False}
_WRITES = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}


def _make_schema(*required: str, **properties: Schema) -> Schema:
    """Return a tool's arguments; their limits are checked (`belay.mcp.arguments`) and cost no tokens here."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed}


def _describe(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


_HIT = {
    "type": "object",
    "properties": {
        "id": {"type": "string"}, "type": {"type": "string"}, "path": {"type": "string"},
        "start": {"type": "integer"}, "end": {"type": "integer"},
        "score": {"type": "number"}, "snippet": {"type": "string"}, "reason": {"type": "string"},
        "where": {"type": "string"},
    },
    "required": ["path", "start", "end", "score", "snippet"],
}  # fmt: skip
_RESULTS = {
    "type": "object",
    "properties": {
        "results": {"type": "array", "items": _HIT},
        "used_vectors": {"type": "boolean"},
        "note": {"type": "string"},
        "shared": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["results", "used_vectors"],
}

TOOLS: list[Tool] = [
    {
        "name": "memory_search",
        "description": "Search recorded entries, project documents, past sessions. Gives path, lines, score, snippet.",
        "inputSchema": _make_schema(
            "query", query=_TEXT, type=_FOUND, file=_TEXT, branch=_TEXT,
            since=_describe(_TEXT, "YYYY-MM-DD"), k=_describe(_NUMBER, "default 8"),
        ),
        "outputSchema": _RESULTS,
        "annotations": _READS,
    },
    {
        "name": "memory_read",
        "description": "Read a complete entry by id, a path's recorded facts and indexed lines, or lines of a session.",
        "inputSchema": _make_schema(id=_TEXT, path=_TEXT, start=_NUMBER, end=_NUMBER),
        "annotations": _READS,
    },
    {
        "name": "memory_record",
        "description": "Record one lasting fact; what was said before is merged. No secrets.",
        "inputSchema": _make_schema(
            "type", "content",
            type=_TYPE, content=_describe(_TEXT, "complete on its own"), reasoning=_TEXT,
            files=_describe(_TEXTS, "paths it concerns"), tags=_TEXTS,
            priority={"type": "string", "enum": ["high", "medium", "low"], "description": "of a goal"},
        ),
        "annotations": _WRITES,
    },
    {
        "name": "memory_timeline",
        "description": "What happened, newest first: entries, sessions, open captures, commits.",
        "inputSchema": _make_schema(
            around=_describe(_TEXT, "date, entry id, session or branch; default now"),
            days=_describe(_NUMBER, "to each side, default 7"), k=_describe(_NUMBER, "default 20"),
        ),
        "annotations": _READS,
    },
]  # fmt: skip
_MODULES = {
    "memory_search": "search",
    "memory_read": "read",
    "memory_record": "record",
    "memory_timeline": "timeline",
}


def make_server(desk: CallContext) -> Server:
    """Return a server of the tools for a project; of none where Belay is switched off."""
    if desk.environ.get("BELAY") == "off":
        return Server([], "", lambda name, _: _refuse_unknown(name))
    return Server(TOOLS, INSTRUCTIONS, lambda name, given: call_tool(desk, name, given))


def call_tool(desk: CallContext, name: str, given: Foreign) -> Answer:
    """Call a tool (`memory.search` is memory_search); what the model or a person can fix is an answer of one line."""
    name = name.replace(".", "_")
    tool = next((tool for tool in TOOLS if tool["name"] == name), None)
    if tool is None:
        return _refuse_unknown(name)
    from belay.knowledge.store import database
    from belay.mcp.arguments import check_arguments

    module = __import__(f"belay.mcp.{_MODULES[name]}", fromlist=["answer"])
    try:
        answer: Answer = module.answer(desk, check_arguments(tool["inputSchema"], given))
        answer.text = "\n".join([answer.text, *desk.take_repairs()])
    except (BelayError, OSError, database.SqlError) as error:
        return Answer(_format_error(error), is_error=True)
    return answer


def _refuse_unknown(name: str) -> Answer:
    raise Refused(PARAMS, f"Unknown tool: {name[:80]}")


def _format_error(error: Exception) -> str:
    from belay.core.plain_text import printable
    from belay.knowledge.store import database

    if isinstance(error, database.SqlError):
        error = database.explain_error("the knowledge base", error)
    if isinstance(error, OSError):
        return printable(f"{error.filename or 'the disk'}: {error.strerror or error}")
    return printable(str(error))
