"""Answers a prompt: records its captures and carries out its requests (seed 003's table)."""

from __future__ import annotations

from belay.core import kinds
from belay.core.constants import SENTENCE_CHARS
from belay.core.plain_text import cut
from belay.hooks import replies, reply_builder
from belay.session import captures, continuation_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.records import Candidate, CaptureRecord
    from belay.session.session import Session
    from belay.triggers.antecedents import Heard
    from belay.triggers.classifier import Entry, Verdict
    from belay.triggers.requests import Request
    from belay.triggers.tasks import Asked

ASKED = "asked"
REPLY_WORDS = 14
"""Words of a reply that is kept with its question."""


def answer(session: Session, verdict: Verdict, requests: list[Request], prose: str = "") -> list[str]:
    """Record the captures of a prompt and carry out its requests; return the lines for Claude.

    A capture that points at something before it gets that in brackets.
    """
    to_remember = [request for request in requests if request.action == "remember"]
    candidates = _mark_remembered(to_remember, _one_a_sentence(verdict.entries, "typed"))
    if verdict.entries:
        candidates = _complete(session, candidates, prose)
    records = captures.record_captures(session, candidates) if candidates else []
    lines = [captures.format_receipt(records)] if records else []
    lines += _start_filing(session, to_remember, records) if to_remember else []
    return lines + [line for request in requests for line in [_carry_out(session, request)] if line]


def capture_list(session: Session, prose: str) -> list[str]:
    """Capture a prompt that answers Claude's numbered questions one by one; return the receipt, [] for any other."""
    from belay.triggers import answers, antecedents

    candidates: list[Candidate] = []
    for question, said in antecedents.pair_lines(prose, read_heard(session)):
        classes = answers.judge_answer(question, said)
        if classes:
            candidates.append({"classes": classes, "text": answers.pair(question, said), "origin": "answered"})
    return [captures.format_receipt(captures.record_captures(session, candidates))] if candidates else []


def capture_reply(session: Session, asked: Asked) -> list[str]:
    """Capture a reply to what Claude asked or explained; return the receipt, [] where it means nothing later.

    A choice among options is kept as "question → choice". A bare yes is kept only where the user had proposed something
    ("couldn't we keep one copy?"); else it is navigation, as is a reply without words of its own.
    """
    from belay.session.work import options
    from belay.triggers import answers

    heard = read_heard(session)
    choose = options.find_chosen if asked.kind == kinds.ANSWER else options.find_repeated
    chosen = choose(asked.text, heard.options)
    says_more = asked.text.lower().startswith(("yes", "no,", "ok ", "ok,", "sure")) and heard.question
    if chosen:
        text = _pair(session, heard, chosen)
    elif not answers.adds_words(asked.text, heard.question):
        from belay.triggers import antecedents

        text = antecedents.find_agreement(asked.text, heard)
    else:
        text = answers.pair(heard.question, asked.text) if says_more and len(asked.text.split()) <= REPLY_WORDS else ""
    if not text:
        return []
    candidate: Candidate = {
        "classes": {kinds.DECISION: 1.0}, "origin": "answered", "text": cut(text, SENTENCE_CHARS),
    }  # fmt: skip
    return [captures.format_receipt(captures.record_captures(session, [candidate]))]


def _pair(session: Session, heard: Heard, chosen: str) -> str:
    """Return a chosen option behind its question: Claude's, the heading above the options, the user's own, the task."""
    from belay.session.work import options
    from belay.triggers import answers

    own = heard.request if heard.request.endswith("?") else ""
    question = heard.question or options.find_heading(heard.said, heard.options) or own or session.state["task"]
    return answers.pair(question, chosen) if question else ""


def read_heard(session: Session) -> Heard:
    """Return what was said before the prompt that is answered now."""
    from belay.triggers.antecedents import Heard

    state = session.state
    before = state["previous"]
    answer = state["answer"] or (before["answer"] if before else None)
    request = before["request"]["text"] if before and before["request"] else ""
    if not answer:
        return Heard(request, said=state["said"])
    return Heard(request, answer["question"], answer["options"], state["said"])


def _complete(session: Session, candidates: list[Candidate], prose: str) -> list[Candidate]:
    """Return the captures, each typed one as it is understood without the prompt and the answer before it."""
    from belay.triggers import antecedents, rules

    heard = read_heard(session)
    sentences = [" ".join(sentence.split()) for sentence in rules.sentences(prose)]
    for row in candidates:
        at = sentences.index(row["text"]) if row["origin"] == "typed" and row["text"] in sentences else -1
        if at >= 0:
            text = antecedents.complete(row["text"], sentences[:at], sentences[at + 1 :], heard)
            text = antecedents.strip_asking(text) if row.get("asks") else text
            row["text"] = cut(text, SENTENCE_CHARS)
    return [row for row in candidates if row["text"]]


def _one_a_sentence(entries: list[Entry], origin: str) -> list[Candidate]:
    """Return one capture a sentence, with every class that it carries."""
    rows: dict[str, Candidate] = {}
    for entry in entries:
        text = cut(" ".join(entry.sentence.split()), SENTENCE_CHARS)
        row = rows.setdefault(text, {"classes": {}, "text": text, "origin": origin})
        row["classes"][entry.label] = round(entry.confidence, 2)
        if entry.asks:
            row["asks"] = True
    return list(rows.values())


def _mark_remembered(to_remember: list[Request], candidates: list[Candidate]) -> list[Candidate]:
    """Return the captures, those marked that a prompt asked to remember.

    One without a class is a note, as it will be filed. "Remember this" alone is no capture; "don't forget …" beside
    a task is meant for that task: it is a capture like any other.
    """
    if not to_remember:
        return candidates
    from belay.triggers import classifier
    from belay.triggers import requests as triggers_requests

    asked = [row for row in to_remember if not triggers_requests.is_bare(row.sentence)]
    passing = {classifier.explicit(row.sentence).sentence for row in asked if not row.lasts}
    rows = {row["text"]: row for row in candidates}
    for row in _one_a_sentence([classifier.explicit(request.sentence) for request in asked], ASKED):
        origin = "typed" if row["text"] in {" ".join(text.split()) for text in passing} else ASKED
        classes = rows[row["text"]]["classes"] if row["text"] in rows else {}
        other = {"note": 1.0} if origin == ASKED else row["classes"]
        rows[row["text"]] = {**row, "classes": classes or other, "origin": origin}
    return list(rows.values())


def _start_filing(session: Session, to_remember: list[Request], records: list[CaptureRecord]) -> list[str]:
    """Start the process that files what was asked for; return the line on it, or how Claude does what code cannot."""
    from belay.memory.remember import filing_process
    from belay.memory.remember import requests as remember_requests
    from belay.triggers import requests as triggers_requests

    ids = [record["id"] for record in records if record["origin"] == ASKED]
    if not ids:
        is_bare = any(triggers_requests.is_bare(request.sentence) for request in to_remember)
        return [replies.SAID_BEFORE] if is_bare else []
    has_file = remember_requests.has_file(session)
    if has_file and filing_process.start_filing(session) and remember_requests.can_file(session):
        return [replies.filing(ids[0])]
    return [replies.to_file(ids[0])]


def _carry_out(session: Session, request: Request) -> str:
    effect = _EFFECTS.get(request.action)
    result = effect(session, request) if effect else ""
    return "\n".join(filter(None, (result, replies.COMMANDS.get(request.action, ""))))


def _health(session: Session, _: Request) -> str:
    """Return the score at once, where the memory was compiled before: no hook but the start's parses it."""
    from belay.context.start import load_sequence

    return load_sequence.describe_health(session.project, session.environ)


def _save(session: Session, _: Request) -> str:
    refused = continuation_files.refresh(session)
    session.save()
    if session.trouble:
        return replies.not_saved(session.trouble)
    return replies.no_continuation(refused) if refused else replies.SAVED


def _pickup(session: Session, __: Request) -> str:
    from belay.repository import row_vetting

    recovery = reply_builder.render_recovery(session)
    if recovery:
        return recovery
    seen = row_vetting.read_known(session.project, session.environ, ["MEMORY.md"])
    return replies.nothing_recorded(bool(seen.unknown))


def _wrap_up(_: Session, __: Request) -> str:
    return replies.WRAP_UP


def _budget(session: Session, _: Request) -> str:
    from belay.budget import measurement

    measured = measurement.measure_session(session)
    return measurement.format_line(measured) if measured else replies.BUDGET_UNKNOWN


def _branch(session: Session, request: Request) -> str:
    """Return the overlay of a branch or feature, where its text is this user's; git is never switched."""
    from belay.memory.branches import view

    return view.describe_branch(session.project, session.environ, request.name)


_EFFECTS = {
    "save-state": _save,
    "pickup": _pickup,
    "wrap-up": _wrap_up,
    "budget": _budget,
    "branch": _branch,
    "health": _health,
}
