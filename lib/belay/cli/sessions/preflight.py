"""`belay preflight`, `check` and `postflight`: what is stated of a piece of work, and what is known about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from belay.cli import output, working_folder
from belay.cli.knowledge import base, entry
from belay.cli.output import Result, here
from belay.client import processes
from belay.client.event import session_name
from belay.context.recall import goal_lines
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import count, one_line
from belay.knowledge.entries import standards
from belay.knowledge.session_records import calibration
from belay.knowledge.store.store import check_text
from belay.knowledge.store.tables import session_rows
from belay.repository import excludes
from belay.safety.redaction import redact
from belay.session import journal
from belay.session.session import Session
from belay.session.work import preflight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.context.recall.goal_lines import KnownLine
    from belay.core.paths import Project
    from belay.knowledge.entries.standards import Standard
    from belay.knowledge.session_records.calibration import Calibration

LINES = 5
"""Lines of an answer at most."""
MOST, TEXT_CHARS = 10, 300
"""Of unknowns and lessons of one call, and characters of each text."""
TERMINAL = "terminal"
NOTHING = "Nothing that is known concerns this goal."
NONE_OPEN = 'No preflight is open. `belay preflight "GOAL"` opens one.'


class Known(NamedTuple):
    """What the knowledge base has beside its entries: rules by the ids of their entries, the calibration."""

    rules: Mapping[str, Standard]
    calibration: Calibration | None


def _check_confidence(_: object, __: object, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise click.BadParameter("say a number from 0 to 1")
    return value


_confidence = click.option(
    "--confidence", type=float, callback=_check_confidence, metavar="0..1", help="How likely the goal is reached."
)
_unknown = click.option("--unknown", "unknowns", multiple=True, metavar="TEXT", help="What is not known yet.")


@output.command(
    "preflight",
    examples="""
    belay preflight "stop the double refunds" --unknown "who retries?" --confidence 0.7
    belay check                              the same in the middle of the work
    belay postflight "refunds have a key now" --outcome done --learned "the gateway retries after 30 s"
    """,
)
@_unknown
@_confidence
@click.argument("goal", nargs=-1, required=True)
def command(goal: tuple[str, ...], unknowns: tuple[str, ...], confidence: float | None) -> Result:
    """State the goal of a piece of work. Answers with what is known about it: dead ends, mistakes, findings."""
    aim = _clean(" ".join(goal))
    if not aim:
        raise click.UsageError('there is no goal: belay preflight "what is to be reached"')
    own = _begin(here())
    open_now = _clean_all(unknowns)
    own.log("reflex", phase=preflight.PREFLIGHT, goal=aim, unknowns=open_now, confidence=confidence)
    _check_written(own)
    return _answer(own, aim, open_now, confidence)


@output.command("check", examples='belay check\nbelay check --answered 1 --unknown "does CI have the key?"')
@_unknown
@click.option("--answered", multiple=True, metavar="N", type=click.IntRange(1), help="The unknown N is known now.")
@_confidence
def check(unknowns: tuple[str, ...], answered: tuple[int, ...], confidence: float | None) -> Result:
    """Look again in the middle of the work. Says what is unknown still, then what is known."""
    own = _find_session(here())
    before = own.state["preflight"]
    if not before:
        return Result(_make_data(own, None, [], None), NONE_OPEN, 1)
    known_now = [_pick(before["unknowns"], number) for number in answered]
    added = _clean_all(unknowns)
    own.log("reflex", phase=preflight.CHECK, answered=known_now, unknowns=added, confidence=confidence)
    _check_written(own)
    now = own.state["preflight"] or before
    return _answer(own, now["goal"], now["unknowns"], now["confidence"], repeats=True)


@output.command(
    "postflight",
    examples="""
    belay postflight "refunds have a key now" --outcome done --learned "the gateway retries after 30 s"
    belay postflight --outcome failed --unresolved "why CI has no key"
    """,
)
@click.option("--outcome", type=click.Choice(preflight.OUTCOMES), help="What came of the goal.")
@click.option("--learned", multiple=True, metavar="TEXT", help="What was found out; kept as a finding.")
@click.option("--unresolved", multiple=True, metavar="TEXT", help="What is still unknown; kept as an open question.")
@click.argument("result", nargs=-1)
def postflight(
    result: tuple[str, ...], outcome: str | None, learned: tuple[str, ...], unresolved: tuple[str, ...]
) -> Result:
    """State what came of a piece of work: closes the open preflight."""
    own = _find_session(here())
    before = own.state["preflight"]
    said, lessons, questions = _clean(" ".join(result)), _clean_all(learned), _clean_all(unresolved)
    if not (before or said or outcome or lessons):
        raise BadInput("postflight", "has nothing to close: no preflight is open", "say a result or an outcome")
    own = _begin(own.project)
    own.log(
        "reflex", phase=preflight.POSTFLIGHT, result=said, outcome=outcome or "", learned=lessons, unresolved=questions
    )
    _check_written(own)
    kept = [*_keep("finding", lessons), *_keep("unknown", questions)]
    goal = before["goal"] if before else ""
    data = {
        "session": own.name, "goal": goal or None, "outcome": outcome, "result": said, "findings": kept[: len(lessons)],
        "unknowns": kept[len(lessons) :],
    }  # fmt: skip
    return Result(data, _describe(goal, outcome, data["findings"], data["unknowns"]))


def _describe(goal: str, outcome: str | None, findings: object, unknowns: object) -> str:
    what = f"Closed: {one_line(goal, 120)}" if goal else "Recorded"
    parts = [f"{what}{f' ({outcome})' if outcome else ''}"]
    for ids, noun in ((findings, "finding"), (unknowns, "open question")):
        if isinstance(ids, list) and ids:
            parts.append(f"{count(len(ids), noun)}: {', '.join(ids)}")
    return ". ".join(parts) + "."


def _keep(kind: str, texts: Iterable[str]) -> list[str]:
    """Record entries; return their ids."""
    return [str(entry.keep(kind, text).data["id"]) for text in texts]


def _find_session(project: Project) -> Session:
    """Return the session that calls (`working_folder.name_session`), else the last one where it is at work, else the
    terminal's own."""
    folder, named = working_folder.find(os.environ), working_folder.name_session(os.environ)
    if named:
        return Session(project, session_name(named), os.environ, folder)
    known = journal.list_sessions(project.journals)
    last = Session(project, known[-1], os.environ, folder) if known else None
    if last and not last.state["ended"] and processes.is_alive(last.state["client"]):
        return last
    return Session(project, TERMINAL, os.environ, folder)


def _begin(project: Project) -> Session:
    """Return the session for its first record: what Belay writes is kept out of git before."""
    if not os.path.isdir(project.journals):
        excludes.write_excludes(project, os.environ)
    return _find_session(project)


def _check_written(own: Session) -> None:
    if own.trouble:
        raise BadInput(own.trouble, "cannot be written", "make the folder writable")


def _clean(text: str) -> str:
    return one_line(redact(" ".join(text.split())), TEXT_CHARS)


def _clean_all(texts: tuple[str, ...]) -> list[str]:
    if len(texts) > MOST:
        raise click.UsageError(f"{len(texts)} texts are too many: say the {MOST} that matter most")
    return [check_text(one) for one in dict.fromkeys(map(_clean, texts)) if one]


def _pick(unknowns: list[str], number: int) -> str:
    if number > len(unknowns):
        raise BadInput(f"unknown {number}", "is not open", f"`belay check` numbers the {len(unknowns)} that are")
    return unknowns[number - 1]


def _answer(
    own: Session, goal: str, unknowns: list[str], confidence: float | None, *, repeats: bool = False
) -> Result:  # fmt: skip
    """Return what is known about a goal in at most LINES lines; a check says first what is unknown still."""
    known = _load_known()
    first = [preflight.describe_unknowns(unknowns)] if repeats and unknowns else []
    likely = _correct(known.calibration, confidence)
    last = [] if likely is None else [f"Stated {confidence:.2f}; by earlier sessions {likely:.2f} is likelier."]
    found = goal_lines.find_lines(own, [goal, *unknowns], known.rules, LINES - len(first) - len(last))
    goal_lines.record_lines(own, found)
    lines = [*first, *(line.text for line in found), *last]
    data = _make_data(own, goal, unknowns, confidence, likely, found)
    return Result(data, "\n".join(lines) or NOTHING)


def _make_data(
    own: Session, goal: str | None, unknowns: list[str], confidence: float | None, likely: float | None = None,
    found: Iterable[KnownLine] = (),
) -> dict[str, object]:  # fmt: skip
    return {
        "session": own.name, "goal": goal, "unknowns": unknowns, "confidence": confidence, "likely": likely,
        "lines": [{"kind": line.kind, "id": line.id, "text": line.text} for line in found],
    }  # fmt: skip


def _correct(found: Calibration | None, confidence: float | None) -> float | None:
    """Return what a stated confidence came to in earlier sessions, None where they do not say."""
    if confidence is None or found is None or not found.is_clear:
        return None
    return round(found.correct(confidence), 2)


def _load_known() -> Known:
    """Return rules and calibration; nothing where there is no base that can be read. The hooks' index follows it."""
    try:
        with base.open_base() as store:
            rules = {row.id: row for row in standards.list_standards(store.connection)}
            rated = calibration.rate_sessions(session_rows.list_rated(store.connection))
            return Known(rules, calibration.compute(rated))
    except BelayError:
        return Known({}, None)
