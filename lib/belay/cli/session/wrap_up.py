"""`belay wrap-up`: the audit and the form; --apply saves the filled form, --mechanical the audit alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.cli.session.wrap_up_undo import UndoEntry, list_saved, undo_wrapup
from belay.core import files, paths
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import count
from belay.memory import distillation, memory_files, promotion
from belay.memory.memory_files import Saved
from belay.memory.wrapup import (
    audit,
    automatic_document,
    closing_steps,
    document,
    form,
    missing_sections,
    saving,
    validation,
)
from belay.memory.wrapup.form import Problem
from belay.memory.wrapup.saving import Report
from belay.repository.notes import consent
from belay.session.session import Session
from belay.session.snapshots import breadcrumbs

if TYPE_CHECKING:
    from belay.cli.results import WrapUp

ASK = """
Fill in this form from what you know of the session. Leave out what is empty; quote a value that holds ": "
or begins with a backtick. A decision needs its reason; the next step, an existing file, symbol or command."""
ONCE = "MEMORY.md lacks the last {count}: fill in what you know for sure; they are asked for this once."
EMPTY = "Nothing was saved: the form is empty. Fill in at least the summary, and the next step unless all is done."


@output.command(
    "wrap-up",
    examples="""
    belay wrap-up                       show the audit and the form
    belay wrap-up --apply < form.yaml   save the filled form
    belay wrap-up --mechanical          save the audit as it is
    belay wrap-up --undo                put back every file that the last wrap-up changed
    """,
)
@click.option("--apply", "applying", is_flag=True, help="Read the YAML document from stdin and save it.")
@click.option("--mechanical", is_flag=True, help="Save the audit alone; captures stay open.")
@click.option("--force", is_flag=True, help="Save what would be refused, flagged as such.")
@click.option("--global", "globally", is_flag=True, help="Save preferences and global entries for every project too.")
@click.option("--undo", is_flag=True, help="Put back every file that the last wrap-up changed.")
def command(applying: bool, mechanical: bool, force: bool, globally: bool, undo: bool) -> Result:
    """Save what this session came to. Shows an audit and a form; the next session starts from it."""
    project = here()
    session = output.find_session(project)
    if undo and (applying or mechanical or force):
        raise click.UsageError("--undo takes no other option but --global")
    if undo:
        return _undone(session, globally)
    if applying:
        return _apply(session, _stdin(), force, globally)
    return _mechanical(session) if mechanical else _show(session)


def _stdin() -> bytes:
    if sys.stdin.isatty():
        raise BadInput("wrap-up --apply", "reads the document from stdin", "belay wrap-up --apply < form.yaml")
    return sys.stdin.buffer.read(document.INPUT_BYTES + 1)


def _show(session: Session) -> Result:
    found, missing = audit.gather_audit(session), missing_sections.find_missing(session)
    audit.save_audit(session, found, missing)
    empty_form = form.build_form(missing)
    told = "\n".join([audit.format_audit(found), *distillation.list_offers(session.project, os.environ)])
    ask = "\n".join([ASK, *([ONCE.format(count=count(len(missing), "section"))] if missing else [])])
    return Result({"audit": found, "form": empty_form}, f"{told}\n{ask}\n\n{empty_form}")


def _apply(session: Session, data: bytes, force: bool, globally: bool) -> Result:
    parsed = document.parse_document(data) if data.strip() else None
    if parsed is None or (parsed.document == form.empty_document() and not parsed.problems):
        return _refuse_empty()
    commands = [str(tried["command"]) for tried in session.state["tried"]]
    problems = validation.find_problems(parsed, session.project, commands)
    stops = [problem for problem in problems if not (force and problem.forcible)]
    if stops:
        return _refused(stops)
    said = validation.mark_forced(parsed.document, problems)
    asked = audit.read_seen(session.project, session.name).get("asked", [])
    with _locked(session.project):
        entry = UndoEntry(session)
        report = saving.save_wrapup(session, said, anyway=force)
    missing_sections.mark_asked(session, asked)
    extra, notes = closing_steps.run_closing_steps(session)
    entry.finish()
    notes += _write_notes(session)
    extra += [saving.save_global(os.environ, said)] if globally else []
    report = report._replace(notes=[*report.notes, *notes])
    return _saved(_data(session, report, extra, problems, parsed.redacted, globally))


def _mechanical(session: Session) -> Result:
    begun = saving.find_unfinished(session)
    found = audit.gather_audit(session)
    if begun is None and not _work_since(found):
        nothing = _data(session, Report([], [], [], [], []))
        return Result(nothing, "Nothing to save: no work since the last wrap-up.")
    with _locked(session.project):
        known = begun or automatic_document.build_document(session, found)
        entry = UndoEntry(session)
        report = saving.save_wrapup(session, known, written=begun is not None)
    extra, notes = closing_steps.run_closing_steps(session)
    entry.finish()
    notes += _write_notes(session)
    return _saved(_data(session, report._replace(notes=[*report.notes, *notes]), extra))


def _write_notes(session: Session) -> list[str]:
    """Write git notes where the user switched them on: the snapshot, and the entries with what was decided just now."""
    told = breadcrumbs.close_wrap_up(session)
    if not consent.is_on(session.project, session.environ):
        return told
    from belay.knowledge.notes import outgoing
    from belay.knowledge.review import promotion as harvest
    from belay.knowledge.review import wrapup_decisions

    try:
        harvest.run_step(session.project, session.environ, [session])
        wrapup_decisions.renew(session.project, session.environ, next(iter(list_saved(session)[-1:]), ""))
    except (OSError, BelayError) as error:
        return [*told, f"The decisions wait for the session's end: {error}"]
    return [*told, *outgoing.write_due(session.project, session.environ)]


def _undone(session: Session, globally: bool) -> Result:
    files = undo_wrapup(session)
    files += promotion.undo_promotion(os.environ) if globally else []
    return Result({"undone": files}, "\n".join(["The last wrap-up was undone:", *(f"- {name}" for name in files)]))


def _work_since(found: audit.Audit) -> bool:
    """Whether there is anything that a wrap-up of this session has not saved yet."""
    if found["wrapped"]:
        return any(str(row["time"]) > found["wrapped"] for row in found["files"])
    return any(found[key] for key in ("files", "commits", "captures", "todos", "lessons", "failing", "task"))


@contextmanager
def _locked(project: paths.Project) -> Iterator[None]:
    """Hold the lock of the memory files, in a folder that is there from now on."""
    try:
        files.make_folder(os.path.dirname(project.lock))
        with memory_files.lock_memory(project):
            yield
    except PermissionError as error:
        raise BadInput(error.filename or project.store, "cannot be written", "make the folder writable") from error


def _refuse_empty() -> Result:
    fields = {"where": "the form", "what": "is empty", "mend": "fill in at least the summary and the next step"}
    return Result({"error": fields}, EMPTY, 1)


def _refused(stops: list[Problem]) -> Result:
    fields = {
        "where": "the document",
        "what": f"has {count(len(stops), 'problem')}",
        "mend": "correct these lines and apply again",
    }
    rows = [{"line": one.line, "what": one.what, "mend": one.mend} for one in stops]
    text = "\n".join(["Nothing was saved. Correct these lines and apply again:", *map(str, stops)])
    return Result({"error": fields, "problems": rows}, text, 1)


def _saved(data: WrapUp) -> Result:
    return Result(data, "\n".join(_format_lines(data)), 1 if data["skipped"] else 0)


def _data(
    session: Session,
    report: Report,
    extra: Sequence[Saved] = (),
    problems: Sequence[Problem] = (),
    redacted: int = 0,
    globally: bool = False,
) -> WrapUp:
    files = [*report.files, *extra]
    return {
        "session": session.name,
        "saved": [{"file": row.file, "what": row.what} for row in files if row.what],
        "skipped": [{"file": row.file, "why": row.why} for row in files if row.why],
        "settled": report.settled,
        "unmentioned": report.unmentioned,
        "offered": [] if globally else report.offered,
        "flags": [f"line {one.line}: {one.what}" for one in problems],
        "redacted": redacted,
        "notes": report.notes,
    }


def _format_lines(data: WrapUp) -> list[str]:
    lines = ["Saved:"] if data["saved"] else ["Everything was saved before; nothing changed."]
    lines += [f"- {row['file']}: {row['what']}" for row in data["saved"]]
    if data["settled"]:
        lines.append(f"Captures settled: {', '.join(data['settled'])}")
    lines += [f"Not mentioned in the document: {row['id']} {row['text']}" for row in data["unmentioned"]]
    lines += [f"Left alone: {row['file']}: {row['why']}" for row in data["skipped"]]
    lines += [f"Kept by --force: {flag}" for flag in data["flags"]]
    if data["redacted"]:
        lines.append(f"{data['redacted']} value(s) held a secret and were redacted; keep secrets in .env")
    lines += data["notes"]
    if data["offered"]:
        lines.append("Worth keeping for every project? The user decides; the same call with --global saves:")
        lines += [f"- {text}" for text in data["offered"]]
    return lines
