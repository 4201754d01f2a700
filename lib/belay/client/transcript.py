"""The client's transcript, read from its end: usage, compactions, edits, last words, todos (HOST §5.3).

The format is the client's own and unstable: any field may be missing; huge and torn lines occur.
A literal decides whether a line is parsed at all, so the cost does not grow with the file.
"""

from __future__ import annotations

import os

from belay.core import files
from belay.core.files import REACH, backwards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Entry = dict[str, Any]

TODO_REACH = 1024 * 1024
"""Bytes from the end that are looked through for the task list."""
PATCH_REACH = 2 * 1024 * 1024
"""Bytes from the end that are looked through for the edits of the last calls."""
_REQUESTS = b'{"type":"api-request'
_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_MOST = 1 << 40
_TODO_MARKS = (b'"newTodos"', b'"statusChange"', b'"subject"', b'"tasks"')


class Usage:
    """What one request held: `tokens` (input, cache creation and cache read), `model`, UTC `time`, its id."""

    __slots__ = ("message", "model", "time", "tokens")

    def __init__(self, tokens: int, model: str = "", time: str = "", message: str = "") -> None:
        self.tokens, self.model, self.time, self.message = tokens, model, time, message


class Compaction:
    """A compact boundary: `tokens` before it, `trigger`, UTC `time`, the `model` that answered last."""

    __slots__ = ("model", "time", "tokens", "trigger")

    def __init__(self, tokens: int, trigger: str, time: str, model: str = "") -> None:
        self.tokens, self.trigger, self.time, self.model = tokens, trigger, time, model


def latest(path: str, reach: int = REACH) -> tuple[Usage | None, Compaction | None]:
    """Return the last main-thread usage, or None and the compact boundary after which there is none yet."""
    for line in backwards(path, reach):
        found = _usage(line)
        if found:
            return found, None
        boundary = _boundary(line)
        if boundary:
            return None, boundary
    return None, None


def usage(path: str, reach: int = REACH) -> Usage | None:
    """Return the last main-thread usage, None where there is none since the last compact boundary."""
    return latest(path, reach)[0]


def compactions(path: str, reach: int = REACH) -> list[Compaction]:
    """Return the tail's compact boundaries, the newest last, each with the model that answered before it."""
    found: list[Compaction] = []
    for line in backwards(path, reach):
        boundary = _boundary(line)
        if boundary:
            found.append(boundary)
        elif found and not found[-1].model:
            before = _usage(line)
            found[-1].model = before.model if before else ""
    return found[::-1]


def first_usage(path: str) -> Usage | None:
    """Return the file's first main-thread usage: what system prompt, tools and memory weigh by themselves."""
    return next((found for found in map(_usage, files.head(path)) if found), None)


def sizes(path: str) -> Iterator[Usage | Compaction]:
    """Yield every main-thread usage and compact boundary of the whole file in order; not for hooks."""
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        for line in file:
            found = _usage(line) or _boundary(line)
            if found:
                yield found


def said(path: str, reach: int = REACH) -> str:
    """Return the last text that Claude wrote in the main thread, "" where the tail holds none."""
    for line in backwards(path, reach):
        entry = _entry(line, b'"assistant"', b'"text"')
        message = _message(entry, "assistant")
        if message and message.get("model") != "<synthetic>":
            text = "\n".join(_texts(message.get("content")))
            if text.strip():
                return text
    return ""


def patches(
    path: str, ids: Iterable[str] | None = None, reach: int = PATCH_REACH
) -> dict[str, tuple[str, int]]:
    """Return {tool_use_id: (file, first changed line)} of the tail's edits, newest last, or only of `ids`."""
    wanted = None if ids is None else {name for name in ids if name}
    found: dict[str, tuple[str, int]] = {}
    for line in backwards(path, reach):
        if wanted is not None and not wanted:
            break
        use, patch = _patch(line, wanted)
        if patch and use not in found:
            found[use] = patch
            if wanted is not None:
                wanted.discard(use)
    return dict(reversed(found.items()))


def todos(path: str, reach: int = TODO_REACH) -> list[dict[str, str]]:
    """Return the client's task list by the tail: id, text, status (pending, in_progress, completed)."""
    names: dict[str, str] = {}
    states: dict[str, str] = {}
    for line in backwards(path, reach):
        result = _result(line)
        if "newTodos" in result:
            return _written(result["newTodos"])
        rows = result.get("tasks")
        _note(result, names, states)
        if isinstance(rows, list):
            for row in rows:
                _note({"task": row}, names, states)
            break
    known = sorted(names, key=lambda name: (len(name), name))
    rows = [{"id": name, "text": names[name], "status": states.get(name, "pending")} for name in known]
    return [row for row in rows if row["status"] != "deleted"]


def _entry(line: bytes, *marks: bytes) -> Entry | None:
    # The client's own copies of requests are the longest lines and say nothing that the others do not.
    if line.startswith(_REQUESTS):
        return None
    entry = files.entry(line, *marks)
    return entry if entry and entry.get("isSidechain") is not True else None


def _message(entry: Entry | None, kind: str) -> Entry | None:
    if not entry or entry.get("type") != kind:
        return None
    message = entry.get("message")
    return message if isinstance(message, dict) else None


def _usage(line: bytes) -> Usage | None:
    entry = _entry(line, b'"assistant"', b'"usage"')
    message = _message(entry, "assistant")
    if not entry or not message or message.get("model") == "<synthetic>":
        return None
    counts = message.get("usage")
    tokens = sum(_count(counts.get(key)) for key in _COUNTS) if isinstance(counts, dict) else 0
    if not tokens:
        return None
    return Usage(tokens, _text(message.get("model")), _text(entry.get("timestamp")), _text(message.get("id")))


def _boundary(line: bytes) -> Compaction | None:
    entry = _entry(line, b'"compact_boundary"')
    if not entry or entry.get("type") != "system" or entry.get("subtype") != "compact_boundary":
        return None
    meta = entry.get("compactMetadata")
    meta = meta if isinstance(meta, dict) else {}
    return Compaction(
        _count(meta.get("preTokens")), _text(meta.get("trigger")), _text(entry.get("timestamp"))
    )


def _patch(line: bytes, wanted: set[str] | None) -> tuple[str, tuple[str, int] | None]:
    entry = _entry(line, b'"structuredPatch"')
    message = _message(entry, "user")
    result = entry.get("toolUseResult") if entry else None
    if not message or not isinstance(result, dict) or not isinstance(result.get("filePath"), str):
        return "", None
    use = next((name for name in _uses(message.get("content")) if wanted is None or name in wanted), "")
    return use, (result["filePath"], _first_line(result.get("structuredPatch"))) if use else None


def _first_line(hunks: object) -> int:
    """Return the first changed line: past the first hunk's leading context; 1 for a new file."""
    hunk = hunks[0] if isinstance(hunks, list) and hunks else None
    if not isinstance(hunk, dict):
        return 1
    lines = hunk.get("lines")
    context = 0
    for line in lines if isinstance(lines, list) else []:
        if not isinstance(line, str) or not line.startswith(" "):
            break
        context += 1
    return max(1, _count(hunk.get("newStart")) + context)


def _result(line: bytes) -> Entry:
    """Return the structured result of one of the client's task tools; a failed call has only text."""
    if not any(mark in line for mark in _TODO_MARKS):
        return {}
    entry = _entry(line, b'"toolUseResult"')
    result = entry.get("toolUseResult") if entry else None
    return result if isinstance(result, dict) else {}


def _note(result: Entry, names: dict[str, str], states: dict[str, str]) -> None:
    """Keep what one result says of one task, unless a newer one said it already."""
    task, change = result.get("task"), result.get("statusChange")
    if isinstance(task, dict) and isinstance(task.get("id"), str) and isinstance(task.get("subject"), str):
        names.setdefault(task["id"], task["subject"])
        states.setdefault(task["id"], _text(task.get("status")) or "pending")
    if isinstance(change, dict) and isinstance(result.get("taskId"), str):
        states.setdefault(result["taskId"], _text(change.get("to")) or "pending")


def _written(rows: object) -> list[dict[str, str]]:
    return [_todo(row) for row in _blocks(rows) if _text(row.get("content"))]


def _todo(row: Entry) -> dict[str, str]:
    status = _text(row.get("status")) or "pending"
    return {"id": _text(row.get("id")), "text": _text(row.get("content")), "status": status}


def _uses(content: object) -> list[str]:
    return [use for use in (_text(block.get("tool_use_id")) for block in _blocks(content)) if use]


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [_text(block.get("text")) for block in _blocks(content) if block.get("type") == "text"]


def _blocks(rows: object) -> list[Entry]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else 0
