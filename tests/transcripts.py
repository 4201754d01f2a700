"""Transcripts for tests, line for line in the client's own form."""

import json


def entry(kind, *, sidechain=False, time="2026-03-01T10:00:00.500Z", **fields):
    """Return one line's object of the client's transcript."""
    return {"parentUuid": None, "isSidechain": sidechain, "type": kind, "timestamp": time, **fields}


def answer(tokens, *, model="claude-opus-4-5-20251101", text="Working.", message="", **fields):
    """Return an assistant line whose usage sums up to `tokens`, split over the three counts."""
    usage = {"input_tokens": tokens % 1000, "cache_creation_input_tokens": tokens // 1000 % 10 * 1000}
    usage["cache_read_input_tokens"] = tokens - sum(usage.values())
    content = [{"type": "text", "text": text}]
    body = {"id": message or f"m{tokens}", "role": "assistant", "model": model, "content": content}
    return entry("assistant", message={**body, "usage": {**usage, "output_tokens": 77}}, **fields)


def boundary(tokens, trigger="auto", **fields):
    """Return the line that the client writes when it compacts."""
    meta = {"trigger": trigger, "preTokens": tokens, "postTokens": 2000}
    return entry("system", subtype="compact_boundary", compactMetadata=meta, **fields)


def result(use, value, **fields):
    """Return a user line with a tool's structured result."""
    content = [{"type": "tool_result", "tool_use_id": use, "content": "done"}]
    return entry("user", message={"role": "user", "content": content}, toolUseResult=value, **fields)


def edit(use, path, start, lines):
    """Return the result of an edit with one hunk."""
    hunk = {"oldStart": start, "oldLines": 1, "newStart": start, "newLines": 1, "lines": lines}
    return result(use, {"filePath": path, "originalFile": "x", "structuredPatch": [hunk]})


def write(path, entries, end="\n"):
    """Write entries (objects, or bytes as they are) as a transcript; return its path as text."""
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in entries]
    path.write_bytes(b"\n".join(lines) + end.encode())
    return str(path)
