"""What people said in a transcript of the client: prompts, answered questions, words to a rejected call (HOST §5.3).

The format is the client's own: any field may be missing. Lines of several MB occur (a request's copy, a file that was
read) and are passed over without being held; a torn line costs itself.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.client import prompt_text, tool_results
from belay.client.event import ToolCall
from belay.core import files
from belay.core.clock import journal_time
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    Line = dict[str, Any]

TYPED, ANSWERED, REJECTED = "typed", "answered", "rejected"
LONG = 2000
"""Characters above which a prompt is a paste (FIELD §1.3: the filter that Empirica uses)."""
_MARK = b'"user"'
_OWN = ("<belay>", "</belay>")
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
    """What a part of a transcript holds: turns, the byte after its last whole line, what was left out, by reason."""

    turns: list[Turn]
    end: int
    left_out: Counter[str]


def scan(path: str, start: int = 0) -> Scan:
    """Read a transcript from a byte on; OSError where it cannot be read."""
    found = Scan([], start, Counter())
    end = start
    with open(path, "rb") as file:
        file.seek(start)
        for line, size in _lines(file, found.left_out):
            end += size
            entry = files.entry(line, _MARK) if line else None
            if entry and entry.get("type") == "user":
                found.turns.extend(_turns(entry, found.left_out))
    return found._replace(end=end)


def _lines(file: Any, left_out: Counter[str]) -> Iterator[tuple[bytes, int]]:
    """Yield (line, its bytes on disk) of whole lines; of a huge one only its size. A torn end is left for later."""
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


def cwd(path: str) -> str:
    """Return the folder in which a transcript's session worked first, "" where its beginning does not say."""
    for line in files.head(path):
        entry = files.entry(line, b'"cwd"')
        told = entry.get("cwd") if entry else None
        if isinstance(told, str) and os.path.isabs(told):
            return told
    return ""


def _turns(entry: Line, left_out: Counter[str]) -> Iterator[Turn]:
    if entry.get("isSidechain") is True:
        left_out["subagents"] += 1
        return
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    for kind, text in [*_structural(entry, blocks), *_typed(entry, content, blocks, left_out)]:
        yield Turn(
            kind,
            text,
            journal_time(entry.get("timestamp")),
            redact(_text(entry.get("gitBranch"))[:_BRANCH_CHARS]),
            _text(entry.get("sessionId")),
        )


def _structural(entry: Line, blocks: list[Line]) -> Iterator[tuple[str, str]]:
    """Yield what needs no words to be known: the answers of a question, the words of a rejection."""
    result = entry.get("toolUseResult")
    answers = result.get("answers") if isinstance(result, dict) and "questions" in result else None
    for question, chosen in list(answers.items())[:_QUESTIONS] if isinstance(answers, dict) else ():
        if isinstance(chosen, str) and chosen.strip():
            yield ANSWERED, f"{question} → {chosen}"
    for block in blocks:
        if block.get("type") == "tool_result":
            call = ToolCall({"tool_name": "AskUserQuestion", "tool_response": block.get("content")})
            pairs = [] if isinstance(answers, dict) else tool_results.find_answers([call])
            yield from ((ANSWERED, f"{question} → {chosen}") for question, chosen in pairs)
            yield from ((REJECTED, said) for _, said in tool_results.find_rejections([call]))


def _typed(
    entry: Line, content: object, blocks: list[Line], left_out: Counter[str]
) -> Iterator[tuple[str, str]]:
    texts = [content] if isinstance(content, str) else []
    texts += [_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = "\n".join(texts)
    if not said.strip():
        return
    why = _noise(entry, said)
    if why:
        left_out[why] += 1
    else:
        yield TYPED, prompt_text.prose(said)


def _noise(entry: Line, said: str) -> str:
    """Return why a text is not a person's own prose, "" where it is."""
    origin = entry.get("origin")
    if entry.get("isMeta") is True or (
        isinstance(origin, dict) and origin.get("kind") not in (None, "human")
    ):
        return "the client's own"
    if entry.get("isCompactSummary") is True or entry.get("isVisibleInTranscriptOnly") is True:
        return "compaction summaries"
    machine = prompt_text.machine(said)
    if machine:
        return machine
    if any(mark in said for mark in _OWN):
        return "Belay's own"
    prose = prompt_text.prose(said)
    return "pastes" if len(prose) > LONG else "" if prose else "no prose"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
