"""What was said in a transcript: a person's prompts and answers, and what Claude answered (HOST §5.3).

The format is the client's own: any field may be missing. Lines of several MB occur (a request's copy, a file that was
read) and are skipped without being kept in memory; a torn line costs only itself.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from belay.client import prompt_text, tool_results, transcript
from belay.client.event import ToolCall
from belay.core import json_codec
from belay.core.clock import journal_time
from belay.core.json_codec import fields_of, rows_of, text_or_empty
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.client.transcript import Entry, Message, Result

TYPED, ANSWERED, REJECTED = "typed", "answered", "rejected"
LONG = 2000
"""Characters above which a prompt is a paste (FIELD §1.3: the filter that Empirica uses)."""
LONGEST = 9000
"""Characters of a prompt that are kept of a conversation."""
ANSWER, EDITED, TITLE = "answer", "edited", "title"
_MARK = b'"user"'
_DIALOGUE = (_MARK, b'"assistant"', b'"ai-title"', b'"custom-title"')
_ADDED = ("<system-reminder", "<belay", "<ide_")
"""What the client puts before a person's words; other blocks are no person's turn at all."""
_ANNOUNCEMENT = 200
_LEADS = ("let me ", "now let me ", "now, let me ", "i'll ", "now i'll ", "i will now ", "let's ", "now i need to ")
_INJECTED = ("<belay>", "</belay>")
_BRANCH_CHARS, _BRANCH_READ = 300, 4096
_QUESTIONS = 20
_NEW = ("input_tokens", "cache_creation_input_tokens", "output_tokens")


class Turn(NamedTuple):
    """One thing a person said: its kind, words, UTC time, git branch and session."""

    kind: str
    text: str
    time: str
    branch: str
    session: str


class Remark(NamedTuple):
    """One thing that was said or done: TYPED by a person, Claude's ANSWER, a file EDITED, the session's TITLE.

    `text` is not redacted; `time` is UTC, `branch` git's, `folder` where the client was at work; each may be "".
    """

    kind: str
    text: str
    time: str
    branch: str
    folder: str


class Effort(NamedTuple):
    """What Claude did in one line of a transcript: calls by the id of their use, the message's id, its new tokens."""

    calls: dict[str, ToolCall]
    message: str
    tokens: int


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
            entry = json_codec.load_line(line, _MARK) if line else None
            if entry and entry.get("type") == "user":
                turns.extend(_parse_turns(entry, left_out))
    return Scan(turns, end, left_out)


def scan_dialogue(path: str, start: int = 0) -> Iterator[tuple[Remark | None, int]]:
    """Yield what was said and done from a byte of a transcript on, each with the byte after its line.

    None where a line says nothing; OSError where it cannot be read. Tool results, subagents, compaction summaries, the
    client's notes and Belay's own text are left out; a person's paste is shortened. Texts are not redacted yet.
    """
    edits: dict[str, ToolCall] = {}
    with open(path, "rb") as file:
        file.seek(start)
        for line, size in _read_lines(file, Counter()):
            start += size
            entry: Entry | None = json_codec.load_line(line) if any(mark in line for mark in _DIALOGUE) else None
            yield from ((remark, start) for remark in (_parse_remarks(entry, edits) if entry else ()))
            yield None, start


def scan_effort(path: str, since: str) -> Iterator[Effort]:
    """Yield what Claude did from a journal time on; OSError where it cannot be read. Subagents are left out.

    Before that time is what a fork copied. New tokens are input and output without what the cache held.
    """
    with open(path, "rb") as file:
        for line, _ in _read_lines(file, Counter()):
            entry: Entry | None = json_codec.load_line(line, b'"assistant"') if line else None
            if not entry or entry.get("type") != "assistant" or entry.get("isSidechain") is True:
                continue
            message: Message = fields_of(entry.get("message"))
            if journal_time(entry.get("timestamp")) >= since and message.get("model") != "<synthetic>":
                usage = fields_of(message.get("usage"))
                tokens = sum(transcript.to_count(usage.get(key)) for key in _NEW)
                blocks = (row for row in rows_of(message.get("content")) if row.get("type") == "tool_use")
                calls = {text_or_empty(row.get("id")): _make_call(row) for row in blocks}
                yield Effort(calls, text_or_empty(message.get("id")), tokens)


def _make_call(block: Any) -> ToolCall:
    return ToolCall({"tool_name": block.get("name"), "tool_input": block.get("input")})


def _parse_remarks(entry: Entry, edits: dict[str, ToolCall]) -> Iterator[Remark]:
    """Yield what a line says; `edits`: calls that are to change a file and have no result yet."""
    kind = text_or_empty(entry.get("type"))
    title = {"ai-title": entry.get("aiTitle"), "custom-title": entry.get("customTitle")}.get(kind)
    if isinstance(title, str) and title.strip():
        yield Remark(TITLE, title, "", "", "")
    if kind not in ("user", "assistant") or entry.get("isSidechain") is True:
        return
    time, folder = journal_time(entry.get("timestamp")), text_or_empty(entry.get("cwd"))
    branch = _read_branch(entry)
    said = _find_asked(entry, edits) if kind == "user" else _find_answered(entry, edits)
    yield from (Remark(what, text, time, branch, folder) for what, text in said if text.strip())


def _find_asked(entry: Entry, edits: dict[str, ToolCall]) -> Iterator[tuple[str, str]]:
    """Yield what a person's line says: the files that tools changed, an answered question, a prompt."""
    message: Message = fields_of(entry.get("message"))
    content = message.get("content")
    blocks = rows_of(content)
    for block in blocks:
        call = edits.pop(text_or_empty(block.get("tool_use_id")), None)
        if call and block.get("is_error") is not True:
            call.response = block.get("content")
            yield from ((EDITED, edit.file) for edit in tool_results.find_edits([call]))
    yield from ((TYPED, text) for _, text in _find_structural(entry, blocks))
    said = _join_texts(content, blocks)
    words = prompt_text.read_command(said) if entry.get("isMeta") is not True else ""
    if words:
        yield TYPED, _shorten_paste(words)
        return
    words = prompt_text.remove_blocks(said).strip()
    if words and not _find_machine(entry, words if said.lstrip().startswith(_ADDED) else said):
        yield TYPED, _shorten_paste(words)


def _find_answered(entry: Entry, edits: dict[str, ToolCall]) -> Iterator[tuple[str, str]]:
    """Yield what Claude says in a line: its text, and the plan that it puts up; no thinking, no tool call."""
    message: Message = fields_of(entry.get("message"))
    if message.get("model") == "<synthetic>":
        return
    for block in rows_of(message.get("content")):
        text = text_or_empty(block.get("text")) if block.get("type") == "text" else ""
        if block.get("type") == "tool_use":
            call = _make_call(block)
            text = call.plan if call.name == tool_results.PLANNER else ""
            edits |= {text_or_empty(block.get("id")): call} if call.name in tool_results.EDITORS else {}
        text = prompt_text.remove_blocks(text).strip()
        if text and not _is_announcement(text):
            yield ANSWER, text


def _is_announcement(text: str) -> bool:
    """Whether a text only leads over to a tool call: a short sentence that announces, or ends with a colon or dots."""
    if len(text) > _ANNOUNCEMENT or "\n" in text:
        return False
    is_one = ". " not in text and ": " not in text and " — " not in text
    return text.endswith((":", "...", "…")) or (is_one and text.lower().replace("’", "'").startswith(_LEADS))


def _shorten_paste(text: str) -> str:
    """Return a prompt of at most LONGEST characters: what people paste is longer, and their words stand around it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST * 2 // 3]}\n[…]\n{text[-LONGEST // 3 :]}"


def _read_lines(file: BinaryIO, left_out: Counter[str]) -> Iterator[tuple[bytes, int]]:
    """Yield (line, its bytes on disk) of complete lines; of a huge one only its size. A torn end is left for later."""
    while line := file.readline(json_codec.LINE_BYTES):
        size, huge = len(line), False
        while not line.endswith(b"\n"):
            rest = file.readline(json_codec.LINE_BYTES)
            if not rest:
                return
            size, huge, line = size + len(rest), True, rest
        if huge:
            left_out["huge lines"] += 1
        yield (b"" if huge else line), size


def find_folder(path: str) -> str:
    """Return the folder in which a transcript's session worked first, "" where its beginning does not say."""
    for line in transcript.head(path):
        entry = json_codec.load_line(line, b'"cwd"')
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
            _read_branch(entry),
            text_or_empty(entry.get("sessionId")),
        )


def _read_branch(entry: Entry) -> str:
    """Return the label of the branch that a line names: made before it is cut, which could tear a secret."""
    return make_label(text_or_empty(entry.get("gitBranch"))[:_BRANCH_READ])[:_BRANCH_CHARS]


def _find_structural(entry: Entry, blocks: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known by its structure alone: the answers of a question, the comment of a rejection."""
    result: Result = fields_of(entry.get("toolUseResult"))
    answers = result.get("answers") if "questions" in result else None
    for question, chosen in list(answers.items())[:_QUESTIONS] if isinstance(answers, dict) else ():
        if isinstance(chosen, str) and chosen.strip():
            rows = rows_of(result.get("questions"))
            yield ANSWERED, f"{question} → {tool_results.describe_choice(rows, question, chosen)}"
    for block in blocks:
        if block.get("type") == "tool_result":
            call = ToolCall({"tool_name": "AskUserQuestion", "tool_response": block.get("content")})
            pairs = [] if isinstance(answers, dict) else tool_results.find_answers([call])
            yield from ((ANSWERED, f"{question} → {chosen}") for question, chosen in pairs)
            yield from ((REJECTED, said) for _, said in tool_results.find_rejections([call]))


def _find_typed(entry: Entry, content: object, blocks: list[Any], left_out: Counter[str]) -> Iterator[tuple[str, str]]:
    said = _join_texts(content, blocks)
    if not said.strip():
        return
    reason = _find_noise(entry, said)
    if reason:
        left_out[reason] += 1
    else:
        yield TYPED, prompt_text.extract_prose(said)


def _join_texts(content: object, blocks: list[Any]) -> str:
    texts = [content] if isinstance(content, str) else []
    return "\n".join([*texts, *(text_or_empty(block.get("text")) for block in blocks if block.get("type") == "text")])


def _find_noise(entry: Entry, said: str) -> str:
    """Return why a text is not a person's own prose, "" where it is."""
    machine = _find_machine(entry, said)
    if machine:
        return machine
    if any(mark in said for mark in _INJECTED):
        return "Belay's own"
    prose = prompt_text.extract_prose(said)
    return "pastes" if len(prose) > LONG else "" if prose else "no prose"


def _find_machine(entry: Entry, said: str) -> str:
    """Return why a person's line was not written by one, "" where it was."""
    if entry.get("isMeta") is True or fields_of(entry.get("origin")).get("kind") not in (None, "human"):
        return "the client's own"
    if entry.get("isCompactSummary") is True or entry.get("isVisibleInTranscriptOnly") is True:
        return "compaction summaries"
    return prompt_text.explain_machine_turn(said) or ""
