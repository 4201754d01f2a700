"""The client's transcript, read from its end: usage, compactions, edits (HOST §5.3).

The format is the client's own and unstable: any field may be missing; huge and torn lines occur.
A line is parsed only where it contains a certain literal, so the cost does not grow with the file.
"""

from __future__ import annotations

import os

from belay.core import json_codec
from belay.core.constants import TAIL_BYTES
from belay.core.json_codec import fields_of, rows_of, text_or_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypedDict

    class Entry(TypedDict, total=False):
        """One line of a transcript: the keys that Belay reads."""

        aiTitle: object
        compactMetadata: object
        customTitle: object
        cwd: object
        gitBranch: object
        isCompactSummary: object
        isMeta: object
        isSidechain: object
        isVisibleInTranscriptOnly: object
        message: object
        origin: object
        sessionId: object
        subtype: object
        timestamp: object
        toolUseResult: object
        type: object

    class Message(TypedDict, total=False):
        """A message of a transcript's line."""

        content: object
        id: object
        model: object
        stop_reason: object
        usage: object

    class Result(TypedDict, total=False):
        """What a tool returned, in the client's own structure."""

        answers: object
        filePath: object
        questions: object
        structuredPatch: object


REACH = 8 * 1024 * 1024  # bytes from the end that are looked through before giving up
HEAD_BYTES = 4 * 1024 * 1024  # bytes from the start that are looked through
_BLOCK = 1024 * 1024
PATCH_REACH = 2 * 1024 * 1024
"""Bytes from the end that are looked through for the edits of the last calls."""
MILLISECONDS = len("2026-11-22T10:00:00.000")
_REQUESTS = b'{"type":"api-request'
_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_MOST = 1 << 40


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


def find_latest(path: str, reach: int = REACH) -> tuple[Usage | None, Compaction | None]:
    """Return the last main-thread usage, or None and the compact boundary that no usage has followed yet."""
    for line in backwards(path, reach):
        usage = _parse_usage(line)
        if usage:
            return usage, None
        boundary = _parse_boundary(line)
        if boundary:
            return None, boundary
    return None, None


def find_compactions(path: str, reach: int = REACH) -> list[Compaction]:
    """Return the tail's compact boundaries, the newest last, each with the model that answered before it."""
    compactions: list[Compaction] = []
    for line in backwards(path, reach):
        boundary = _parse_boundary(line)
        if boundary:
            compactions.append(boundary)
        elif compactions and not compactions[-1].model:
            before = _parse_usage(line)
            compactions[-1].model = before.model if before else ""
    return compactions[::-1]


def find_first_usage(path: str) -> Usage | None:
    """Return the file's first main-thread usage: the size of system prompt, tools and memory alone."""
    return next((usage for usage in map(_parse_usage, head(path)) if usage), None)


def iterate_sizes(path: str) -> Iterator[Usage | Compaction]:
    """Yield every main-thread usage and compact boundary of the complete file in order; not for hooks."""
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        for line in file:
            step = _parse_usage(line) or _parse_boundary(line)
            if step:
                yield step


def find_patches(path: str, ids: Iterable[str] | None = None, reach: int = PATCH_REACH) -> dict[str, tuple[str, int]]:
    """Return {tool_use_id: (file, first changed line)} of the tail's edits, newest last, or only of `ids`."""
    wanted = None if ids is None else {name for name in ids if name}
    patches: dict[str, tuple[str, int]] = {}
    for line in backwards(path, reach):
        if wanted is not None and not wanted:
            break
        use, patch = _parse_patch(line, wanted)
        if patch and use not in patches:
            patches[use] = patch
            if wanted is not None:
                wanted.discard(use)
    return dict(reversed(patches.items()))


def find_last_answer(path: str, since: str, reach: int = REACH) -> tuple[str, bool]:
    """Return (what Claude said last, whether its turn ended with it); ("", False) where a person spoke after it.

    What was said before `since` (a journal time) answers something else: a client that was killed may not have
    written the last prompt.
    """
    for line in backwards(path, reach):
        entry = _parse_entry(line, b'"message"')
        message = _get_message(entry, "assistant")
        asked = _get_message(entry, "user")
        if entry and asked and not entry.get("isMeta") and _get_text(asked):
            return "", False
        if entry and message and _get_text(message) and message.get("model") != "<synthetic>":
            is_late = text_or_empty(entry.get("timestamp"))[:MILLISECONDS] > since[:MILLISECONDS]
            return (_get_text(message), message.get("stop_reason") == "end_turn") if is_late else ("", False)
    return "", False


def _get_text(message: Message) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    return "\n".join(text_or_empty(part.get("text")) for part in rows_of(content)).strip()


def _parse_entry(line: bytes, *marks: bytes) -> Entry | None:
    # The client's own copies of requests are the longest lines and say nothing that the others do not.
    if line.startswith(_REQUESTS):
        return None
    found: Entry | None = json_codec.load_line(line, *marks)
    return found if found and found.get("isSidechain") is not True else None


def _get_message(entry: Entry | None, kind: str) -> Message:
    return fields_of(entry.get("message")) if entry and entry.get("type") == kind else {}


def _parse_usage(line: bytes) -> Usage | None:
    entry = _parse_entry(line, b'"assistant"', b'"usage"')
    message = _get_message(entry, "assistant")
    if not entry or not message or message.get("model") == "<synthetic>":
        return None
    tokens = count_tokens(message.get("usage"))
    if not tokens:
        return None
    return Usage(
        tokens,
        text_or_empty(message.get("model")),
        text_or_empty(entry.get("timestamp")),
        text_or_empty(message.get("id")),
    )


def count_tokens(usage: object) -> int:
    """Return the tokens of a request by its usage: input, cache creation and cache read."""
    return sum(to_count(usage.get(key)) for key in _COUNTS) if isinstance(usage, dict) else 0


def _parse_boundary(line: bytes) -> Compaction | None:
    entry = _parse_entry(line, b'"compact_boundary"')
    if not entry or entry.get("type") != "system" or entry.get("subtype") != "compact_boundary":
        return None
    meta = fields_of(entry.get("compactMetadata"))
    return Compaction(
        to_count(meta.get("preTokens")),
        text_or_empty(meta.get("trigger")),
        text_or_empty(entry.get("timestamp")),
    )


def _parse_patch(line: bytes, wanted: set[str] | None) -> tuple[str, tuple[str, int] | None]:
    entry = _parse_entry(line, b'"structuredPatch"')
    message = _get_message(entry, "user")
    result: Result = fields_of(entry.get("toolUseResult")) if entry else {}
    path = text_or_empty(result.get("filePath"))
    if not message or not path:
        return "", None
    use = next((name for name in _find_uses(message.get("content")) if wanted is None or name in wanted), "")
    return use, (path, _find_first_line(result.get("structuredPatch"))) if use else None


def _find_first_line(hunks: object) -> int:
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
    return max(1, to_count(hunk.get("newStart")) + context)


def _find_uses(content: object) -> list[str]:
    return [use for use in (text_or_empty(block.get("tool_use_id")) for block in rows_of(content)) if use]


def to_count(value: object) -> int:
    """Return a number of tokens or lines, 0 for what cannot be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else 0


def backwards(path: str, reach: int = REACH) -> Iterator[bytes]:
    """Yield the complete lines of the file's last `reach` bytes, the newest first; nothing for what is no file."""
    if not path or not os.path.isfile(path):
        return
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return
    try:
        yield from _lines(handle, os.fstat(handle).st_size, reach)
    except OSError:
        return
    finally:
        os.close(handle)


def _lines(handle: int, position: int, reach: int) -> Iterator[bytes]:
    stop, step, pieces = max(0, position - reach), TAIL_BYTES, [b""]
    while position > stop:
        start = max(stop, position - step)
        os.lseek(handle, start, os.SEEK_SET)
        head, newline, rest = os.read(handle, position - start).partition(b"\n")
        if newline:
            pieces.append(rest)
            yield from filter(None, reversed(b"".join(reversed(pieces)).split(b"\n")))
            pieces = []
        pieces.append(head)
        position, step = start, _BLOCK
    if position == 0:
        yield from filter(None, [b"".join(reversed(pieces))])


def head(path: str) -> Iterator[bytes]:
    """Yield the lines of the file's first HEAD_BYTES; nothing for what is no file."""
    if not path or not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as file:
            while file.tell() < HEAD_BYTES:
                line = file.readline(HEAD_BYTES)
                if not line:
                    return
                yield line
    except OSError:
        return
