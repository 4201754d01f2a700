"""What people said in a transcript: prompts, answered questions, comments on a rejected call (HOST §5.3).

The format is the client's own: any field may be missing. Lines of several MB occur (a request's copy, a file that was
read) and are skipped without being kept in memory; a torn line costs only itself.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from belay.client import prompt_text, tool_results
from belay.client.event import ToolCall, fields_of, rows_of, text_or_empty
from belay.core import files
from belay.core.clock import journal_time
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.client.transcript import Entry, Message, Result

TYPED, ANSWERED, REJECTED = "typed", "answered", "rejected"
LONG = 2000
"""Characters above which a prompt is a paste (FIELD §1.3: the filter that Empirica uses)."""
_MARK = b'"user"'
_INJECTED = ("<belay>", "</belay>")
_BRANCH_CHARS = 300
_QUESTIONS = 20


class Turn(NamedTuple):
    """One thing a person said: its kind, words, UTC time, git branch and session."""

    kind: str
    text: str
    time: str
    branch: str
    session: str


class Scan(NamedTuple):
    """Part of a transcript: turns, the byte after its last complete line, counts of what was left out by reason."""

    turns: list[Turn]
    end: int
    left_out: Counter[str]


def scan_transcript(path: str, start: int = 0) -> Scan:
    """Read a transcript from a byte on; OSError where it cannot be read."""
    turns: list[Turn] = []
    left_out: Counter[str] = Counter()
    end = start
    with open(path, "rb") as file:
        file.seek(start)
        for line, size in _read_lines(file, left_out):
            end += size
            entry = files.entry(line, _MARK) if line else None
            if entry and entry.get("type") == "user":
                turns.extend(_parse_turns(entry, left_out))
    return Scan(turns, end, left_out)


def _read_lines(file: BinaryIO, left_out: Counter[str]) -> Iterator[tuple[bytes, int]]:
    """Yield (line, its bytes on disk) of complete lines; of a huge one only its size. A torn end is left for later."""
    while line := file.readline(files.LINE_BYTES):
        size, huge = len(line), False
        while not line.endswith(b"\n"):
            rest = file.readline(files.LINE_BYTES)
            if not rest:
                return
            size, huge, line = size + len(rest), True, rest
        if huge:
            left_out["huge lines"] += 1
        yield (b"" if huge else line), size


def find_folder(path: str) -> str:
    """Return the folder in which a transcript's session worked first, "" where its beginning does not say."""
    for line in files.head(path):
        entry = files.entry(line, b'"cwd"')
        folder = text_or_empty(entry.get("cwd")) if entry else ""
        if os.path.isabs(folder):
            return folder
    return ""


def _parse_turns(entry: Entry, left_out: Counter[str]) -> Iterator[Turn]:
    if entry.get("isSidechain") is True:
        left_out["subagents"] += 1
        return
    message: Message = fields_of(entry.get("message"))
    content = message.get("content")
    blocks = rows_of(content)
    for kind, text in [*_find_structural(entry, blocks), *_find_typed(entry, content, blocks, left_out)]:
        yield Turn(
            kind,
            text,
            journal_time(entry.get("timestamp")),
            redact(text_or_empty(entry.get("gitBranch"))[:_BRANCH_CHARS]),
            text_or_empty(entry.get("sessionId")),
        )


def _find_structural(entry: Entry, blocks: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known by its structure alone: the answers of a question, the comment of a rejection."""
    result: Result = fields_of(entry.get("toolUseResult"))
    answers = result.get("answers") if "questions" in result else None
    for question, chosen in list(answers.items())[:_QUESTIONS] if isinstance(answers, dict) else ():
        if isinstance(chosen, str) and chosen.strip():
            yield ANSWERED, f"{question} → {chosen}"
    for block in blocks:
        if block.get("type") == "tool_result":
            call = ToolCall({"tool_name": "AskUserQuestion", "tool_response": block.get("content")})
            pairs = [] if isinstance(answers, dict) else tool_results.find_answers([call])
            yield from ((ANSWERED, f"{question} → {chosen}") for question, chosen in pairs)
            yield from ((REJECTED, said) for _, said in tool_results.find_rejections([call]))


def _find_typed(entry: Entry, content: object, blocks: list[Any], left_out: Counter[str]) -> Iterator[tuple[str, str]]:
    texts = [content] if isinstance(content, str) else []
    texts += [text_or_empty(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = "\n".join(texts)
    if not said.strip():
        return
    reason = _find_noise(entry, said)
    if reason:
        left_out[reason] += 1
    else:
        yield TYPED, prompt_text.extract_prose(said)


def _find_noise(entry: Entry, said: str) -> str:
    """Return why a text is not a person's own prose, "" where it is."""
    if entry.get("isMeta") is True or fields_of(entry.get("origin")).get("kind") not in (None, "human"):
        return "the client's own"
    if entry.get("isCompactSummary") is True or entry.get("isVisibleInTranscriptOnly") is True:
        return "compaction summaries"
    machine = prompt_text.explain_machine_turn(said)
    if machine:
        return machine
    if any(mark in said for mark in _INJECTED):
        return "Belay's own"
    prose = prompt_text.extract_prose(said)
    return "pastes" if len(prose) > LONG else "" if prose else "no prose"
