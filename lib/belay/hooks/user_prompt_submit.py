"""UserPromptSubmit: records the prompt before anything else; then captures, requests, recall, budget."""

from __future__ import annotations

import os

from belay.budget import measurement
from belay.client import prompt_text
from belay.client.event import Reply
from belay.context.recall import recall
from belay.core import settings
from belay.core.constants import PROMPT_ENDS, PROMPT_WHOLE
from belay.safety.redaction import redact, redact_head, redact_tail
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event
    from belay.session.records import PromptText
    from belay.triggers.requests import Request
    from belay.triggers.tasks import Asked

_TYPED = ("slash command", "shell or memory shortcut")
_MACHINES = frozenset(("system", "loop_wakeup", "schedule_wakeup", "poll_event"))
"""Values of the field `source` that are nobody's typing (HOST §2.3)."""
_SWITCH = ("/switch", "/belay:switch")
_OWN_COMMANDS = frozenset(
    "add-feature captures cleanup compress evolve extract-patterns handoff health memory-init pickup rebuild remember "
    "suggest-improvements switch why wrap-up".split()
)
_TASK_COMMAND = "execute-task"
"""Its arguments are a task in the user's own words."""
_ARGUMENT_WORDS = 6
"""Words behind a slash command from which on they may say something that lasts."""
_SLACK = 4096
_KEY_CHARS = 32 * 1024
_SECONDS = 1.0
"""Seconds after which a prompt full of secrets within secrets is journalled without its rest."""


def handle(event: Event) -> Reply | None:
    """Record the prompt, capture what it decides, carry out a request, recall what it names, check the budget."""
    session = Session.from_event(event)
    text = event.prompt
    if session is None or not text.strip():
        return None
    is_new = not os.path.isdir(session.project.journals)
    source = event.source
    reason = f"source {source}" if source in _MACHINES else prompt_text.explain_machine_turn(text)
    record = _redact_prompt(text)
    prose = (
        ""
        if reason
        else prompt_text.extract_prose(record.get("text") or f"{record['text_head']}\n{record['text_tail']}")
    )
    asked = _record(session, event, record, reason, prose)
    own = prose or (_read_arguments(record.get("text", "")) if reason == "slash command" else "")
    context: list[str] = []
    if (own or not reason) and settings.load_settings(session.project, session.environ)["capture"]:
        context = capture_and_answer(session, own, asked)
    context += recall.recall_for_prompt(session, prose) if prose and not event.is_subagent else []
    context += _describe_switched_branch(session, text) if reason == "slash command" else []
    if reason == "compaction summary":
        from belay.hooks.reply_builder import render_recovery

        context.append(render_recovery(session))
    due = measurement.find_due(event, session)
    if not (any(context) or due or is_new or session.trouble):
        return None
    from belay.hooks.reply_builder import build_reply

    return build_reply(session, context, due, is_new)


def _record(session: Session, event: Event, record: PromptText, reason: str | None, prose: str) -> Asked | None:
    """Journal a prompt, before anything else; return what it asks for, None where nobody typed it."""
    prompt_id, source = event.prompt_id, event.source or "user"
    typed = not reason or (reason in _TYPED and event.prompt.lstrip()[:1] != "<")
    if not typed:
        session.log("machine", why=reason, prompt_id=prompt_id, source=source)
        return None
    from belay.triggers.tasks import read_request

    asked = read_request(record.get("text") or record["text_head"], prose)
    session.log(
        "prompt", asks=asked.kind, task=asked.task, path=asked.path, request=asked.text, skipped=reason or "",
        prompt_id=prompt_id, source=source, **session.place(), **record,
    )  # fmt: skip
    return asked


def _redact_prompt(text: str) -> PromptText:
    """Return a prompt without secrets: complete, or head, tail, length in characters and sha256 if over 64 KiB."""
    if len(text) <= PROMPT_WHOLE and len(text.encode("utf-8", "replace")) <= PROMPT_WHOLE:
        return {"text": redact(text, _SECONDS)}
    import hashlib

    return {
        "text_head": redact_head(text, PROMPT_ENDS + _SLACK, PROMPT_ENDS),
        "text_tail": redact_tail(text, _outside_key(text, len(text) - PROMPT_ENDS - _SLACK), PROMPT_ENDS),
        "length": len(text),
        "sha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
    }


def _outside_key(text: str, start: int) -> int:
    """Return the start of the tail, moved behind a private key that it would cut: its rest looks like any text."""
    # The cut may be inside the word BEGIN itself.
    begun = text.rfind("-----BEGIN ", max(0, start - _KEY_CHARS), start + len("-----BEGIN ") - 1)
    ended = text.find("-----END ", begun)
    if begun < 0 or 0 <= ended < start:
        return start
    return ended if ended >= 0 else len(text)


def _describe_switched_branch(session: Session, text: str) -> list[str]:
    """Return the memory of the branch that a typed `/switch NAME` names: its text cannot go through a shell."""
    command, _, name = text.strip().partition(" ")
    if command not in _SWITCH or not name.strip():
        return []
    from belay.memory.branches import view

    return [view.describe_branch(session.project, session.environ, name.strip().strip("'\"`"))]


def capture_and_answer(session: Session, prose: str, asked: Asked | None) -> list[str]:
    """Record what a prompt decides, carry out what it asks Belay for; return the lines for Claude.

    A plan that is handed over is Claude's own text, and pasted output is nobody's: neither is classified. A reply to a
    question says nothing alone: it is kept with its question, or not at all.
    """
    from belay.core import kinds
    from belay.triggers import classifier, rules

    kind = asked.kind if asked else ""
    says_nothing = kind in (kinds.PLAN, kinds.PASTE, kinds.GO_ON, kinds.THANKS, kinds.ANSWER)
    if asked and (kind in (kinds.ANSWER, kinds.FOLLOW_UP) or prose[:1].isdigit()):
        from belay.hooks import prompt_answers
        from belay.triggers import answers

        lines = prompt_answers.capture_list(session, prose) if prose[:1].isdigit() else []
        if not lines and kind in (kinds.ANSWER, kinds.FOLLOW_UP):
            lines = prompt_answers.capture_reply(session, asked)
        if lines:
            return lines
        says_nothing = says_nothing or not answers.adds_words(asked.text, "")
    says_nothing = says_nothing or (kind == kinds.OBJECTION and _clears_up_question(session, prose))
    own = "" if says_nothing else prompt_text.drop_quoted(prose)
    is_reply = bool(session.state["said"]) and kind not in (kinds.QUESTION, kinds.COMMAND)
    verdict = classifier.classify(own, is_reply=is_reply)
    requests: list[Request] = []
    if kind not in (kinds.PLAN, kinds.PASTE, kinds.COMMAND) and rules.holds_hint(prose):
        from belay.triggers.requests import find_requests

        requests = find_requests(prose)
    if verdict.near:
        session.log("near", sentences=[f"{entry.label}: {entry.sentence}" for entry in verdict.near])
    if not verdict.entries and not requests:
        return []
    if asked and _is_for_belay(asked, requests):
        session.log("aside", task=asked.task)
    from belay.hooks import prompt_answers

    return prompt_answers.answer(session, verdict, requests, own)


def _read_arguments(text: str) -> str:
    """Return what a person wrote behind a slash command of their own; "" for the client's commands and Belay's."""
    name, _, given = text.strip().partition(" ")
    bare = name.lstrip("/")
    is_known = bare in prompt_text.CLIENT_COMMANDS or bare.startswith("belay:") or bare in _OWN_COMMANDS
    is_known = is_known and bare.removeprefix("belay:") != _TASK_COMMAND
    return "" if is_known or len(given.split()) < _ARGUMENT_WORDS else prompt_text.extract_prose(given)


def _clears_up_question(session: Session, prose: str) -> bool:
    """Whether a prompt only says what the user's own last question was about: "no, I mean the second one"."""
    from belay.core import kinds

    before = session.state["previous"]
    asked = before["request"] if before else None
    return bool(asked and asked["kind"] == kinds.QUESTION) and " i mean" in f" {prose[:40].lower()}"


def _is_for_belay(asked: Asked, requests: list[Request]) -> bool:
    """Whether a prompt begins with a request to Belay, so that it is no task of Claude's."""
    from belay.core.plain_text import split_sentences

    first = next(iter(split_sentences(asked.text)), "")
    return bool(first) and any(request.sentence.startswith(first.rstrip("…")) for request in requests)
