"""What a prompt that says something leads to: captures, request phrases and their effects (seed 003's table)."""

from __future__ import annotations

from belay.core.constants import SENTENCE_CHARS
from belay.core.plain_text import cut
from belay.session import captures, continuation_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.records import Candidate, CaptureRecord
    from belay.session.session import Session
    from belay.triggers.classifier import Entry, Verdict
    from belay.triggers.requests import Request

ASKED = "asked"
SAID_BEFORE = (
    "The user asks to remember what was just said; save each fact in one line: "
    '`belay remember "TEXT" --as decision|blocker|note|preference|value|done`.'
)
COMMANDS = {
    "handoff": "/handoff writes HANDOFF.md for people (`belay handoff`)",
    "compress": "/compress shows what would leave MEMORY.md and does it on yes (`belay compress --dry-run`)",
    "rebuild": "/rebuild proposes a MEMORY.md built from the repository and writes it on yes (`belay rebuild`)",
    "health": "/health scores MEMORY.md and names what mends each lost point (`belay health`)",
}
"""Requests that a command of its own answers, and what it does."""


def answer(session: Session, verdict: Verdict, requests: list[Request]) -> list[str]:
    """Record what is to be captured, carry out what is asked; return the lines that Claude is told."""
    found = _grouped(verdict.entries, "typed")
    asked = [request for request in requests if request.action == "remember"]
    found = _remembered(asked, found)
    taken = captures.record_captures(session, found) if found else []
    lines = [captures.format_receipt(taken)] if taken else []
    lines += _filed(session, asked, taken) if asked else []
    return lines + [line for request in requests for line in [_effect(session, request)] if line]


def _grouped(entries: list[Entry], origin: str) -> list[Candidate]:
    """Return one capture a sentence, with every class that it carries."""
    rows: dict[str, Candidate] = {}
    for entry in entries:
        text = cut(" ".join(entry.sentence.split()), SENTENCE_CHARS)
        row = rows.setdefault(text, {"classes": {}, "text": text, "origin": origin})
        row["classes"][entry.label] = round(entry.confidence, 2)
    return list(rows.values())


def _remembered(asked: list[Request], found: list[Candidate]) -> list[Candidate]:
    """Return the captures with those that a prompt asked to remember marked as such.

    One that no class was found for is a note, as it will be filed.
    "Remember this" alone is none; "remember to …" may be meant for this task only: it is a capture like any other.
    """
    if not asked:
        return found
    from belay.triggers import classifier
    from belay.triggers import requests as triggers_requests

    said = [request.sentence for request in asked if not triggers_requests.is_bare(request.sentence)]
    rows = {row["text"]: row for row in found}
    for row in _grouped([classifier.explicit(one) for one in said], ASKED):
        origin = "typed" if triggers_requests.is_order(row["text"]) else ASKED
        known = rows[row["text"]]["classes"] if row["text"] in rows else {}
        other = {"note": 1.0} if origin == ASKED else row["classes"]
        rows[row["text"]] = {**row, "classes": known or other, "origin": origin}
    return list(rows.values())


def _filed(session: Session, asked: list[Request], taken: list[CaptureRecord]) -> list[str]:
    """Have what was asked for filed by a process of its own; say how Claude does what code cannot."""
    from belay.memory.remember import filing_process
    from belay.memory.remember import requests as remember_requests
    from belay.triggers import requests as triggers_requests

    ids = [row["id"] for row in taken if row["origin"] == ASKED]
    if not ids:
        return [SAID_BEFORE] if any(triggers_requests.is_bare(request.sentence) for request in asked) else []
    if (
        remember_requests.has_file(session)
        and filing_process.start_filing(session)
        and remember_requests.can_file(session)
    ):
        return [
            f"{ids[0]} is being filed in MEMORY.md; `belay remember {ids[0]}` tells the section and line."
        ]
    return [f"To save it in MEMORY.md: `belay remember {ids[0]}`."]


def _effect(session: Session, request: Request) -> str:
    effect = _EFFECTS.get(request.action)
    told = effect(session, request) if effect else ""
    return "\n".join(line for line in (told, COMMANDS.get(request.action, "")) if line)


def _health(session: Session, _: Request) -> str:
    """Return the score at once, where the memory was compiled before: no hook but the start's parses it."""
    from belay.context.start import load_sequence

    return load_sequence.describe_health(session.project, session.environ)


def _save(session: Session, _: Request) -> str:
    refused = continuation_files.refresh(session)
    session.save()
    if refused:
        return f"The state is in the journal; no CONTINUATION.md was written: {refused}."
    return "The state is saved and CONTINUATION.md is written: the next session starts with it."


def _pickup(session: Session, __: Request) -> str:
    from belay.hooks import replies
    from belay.repository import vetting

    found = replies.recovery(session)
    if found:
        return found
    _, unknown = vetting.read_trusted(session.project, session.environ, ["MEMORY.md"])
    told = " MEMORY.md came with the repository: `belay trust MEMORY.md` accepts it." if unknown else ""
    return f"Belay has nothing recorded for this project yet.{told}"


def _wrap_up(_: Session, __: Request) -> str:
    return "/wrap-up saves the session: it shows an audit and takes one YAML document (`belay wrap-up`)."


def _budget(session: Session, _: Request) -> str:
    from belay.budget import measurement

    measured = measurement.measure_session(session)
    return (
        measurement.format_line(measured)
        if measured
        else "The context in use is not known yet; `belay budget` explains why."
    )


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
