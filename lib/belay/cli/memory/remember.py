"""`belay remember`: one thing into the sections of MEMORY.md that its kind names."""

from __future__ import annotations

import re

import click

from belay.cli import output
from belay.cli.exchange import workspace_entities
from belay.cli.memory import lint
from belay.cli.output import Result, here
from belay.core import clock, kinds, plain_text
from belay.core.constants import SENTENCE_CHARS
from belay.core.errors import BadInput
from belay.memory.remember import filing, notes, sentences
from belay.safety import redaction
from belay.session.session import Session, find_others

CONTACT = "contact"
"""A kind that is of no memory file: whom to ask is kept by the user, not in what a team shares."""
_CAPTURE = re.compile(r"[Cc]-[A-Za-z2-7]{6}")


@output.command(
    "remember",
    examples="""
    belay remember "Zod for validation because it infers types"
    belay remember --as blocker "staging key is missing: ask ops"
    belay remember --as done "refund handler"
    belay remember --as contact "Ana Li: payments, in #team-pay"
    belay remember C-ABCDEF     file what was captured
    """,
)
@click.option(
    "--as",
    "kind",
    type=click.Choice([*kinds.NOTE_KINDS, CONTACT]),
    help="What kind of thing it is; by default its words decide.",
)
@click.option("--reason", default="", help="Why a decision was made.")
@click.option("--affects", default="", help="What a decision concerns: files, areas.")
@click.argument("text", nargs=-1, required=True)
def command(kind: str | None, reason: str, affects: str, text: tuple[str, ...]) -> Result:
    """Save one thing in its section of MEMORY.md. Nothing else of the file changes.

    A contact is kept with your list of projects instead (`belay workspace contacts`), for `belay handoff`.
    """
    project = here()
    if kind == CONTACT:
        return workspace_entities.change_contact(project, " ".join(text))
    session = output.find_session(project)
    said, ids, captured = _given(session, " ".join(text))
    chosen = kind or captured or filing.guess_kind(said)
    note = notes.build_note(chosen, said, clock.local_date(), _clean(reason), _clean(affects))
    heard = f"{said} because {note.reason}" if reason and note.reason else said
    ids = ids or list(filter(None, [filing.record_capture(session, chosen, heard)]))
    outcome = filing.file_note(session, note, ids)
    also = "" if outcome.why else lint.find_elsewhere(project, project.at(outcome.file), outcome.line)
    data = {**_data(outcome, chosen, ids, told=kind is None), "also": also}
    return Result(data, _text(data, outcome, session.trouble), 1 if outcome.why else 0)


def _given(session: Session, text: str) -> tuple[str, list[str], str]:
    """Return (text, capture ids, kind) of what was given: words, or the id of an open capture."""
    if _CAPTURE.fullmatch(text.strip()):
        return _captured(session, text.strip().upper())
    said = sentences.strip_request(_clean(text))
    if not said:
        raise click.UsageError('there is no text: belay remember "what to keep"')
    if len(said) > SENTENCE_CHARS:
        raise BadInput("the text", f"is over {SENTENCE_CHARS} characters", "one line, one fact: say it shorter")
    return said, [], ""


def _captured(session: Session, name: str) -> tuple[str, list[str], str]:
    for one in (session, *find_others(session, days=90.0)):
        row = one.state["captures"].get(name)
        if row:
            return sentences.strip_request(str(row["text"])), [name], filing.capture_kind(row)
    raise BadInput(name, "is no open capture", "belay buffer lists them")


def _clean(text: str) -> str:
    """Return a text on one line; a secret is refused, for memory files are shared."""
    flat = plain_text.one_line(text, 4000)
    if redaction.find_secrets(flat):
        raise BadInput("the text", "holds a secret", "name the variable in .env instead")
    return flat


def _data(outcome: filing.Outcome, kind: str, ids: list[str], told: bool) -> dict[str, object]:
    return {
        "kind": kind,
        "told": told,
        "text": outcome.text,
        "capture": ids[0] if ids else "",
        "file": outcome.file,
        "sections": outcome.sections,
        "line": outcome.line,
        "saved": not outcome.why and not outcome.known,
        "why": outcome.why,
    }


def _text(data: dict[str, object], outcome: filing.Outcome, trouble: str) -> str:
    rows = [filing.format_outcome(outcome)]
    if outcome.why and data["capture"]:
        rows.append(f"The journal has it as {data['capture']}; when that is solved: belay remember {data['capture']}")
    if data["also"]:
        rows.append(f"{data['also']}: one of the two can be removed.")
    if data["told"] and data["saved"]:
        others_ = ", ".join(name for name in kinds.NOTE_KINDS if name != data["kind"])
        rows.append(f"Filed as {data['kind']} because of its words; to choose another kind, add --as {others_}.")
    return "\n".join([*rows, *([f"Not journalled: {trouble}"] if trouble else [])])
