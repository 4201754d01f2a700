"""`belay rebuild`: a MEMORY.md reconstructed from manifests, documents, history and journal, shown first."""

from __future__ import annotations

import os
import sys
import time

import click

from belay.cli import output, terminal
from belay.cli.memory import rebuild_base, rebuild_notes
from belay.cli.output import Result, here
from belay.cli.output import session as current
from belay.core import clock
from belay.core.constants import FILE_BYTES
from belay.core.errors import BadInput, mend_foreign
from belay.core.paths import Project
from belay.core.plain_text import count
from belay.memory import memory_files, templates, undo
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.memory.drift import changes as history
from belay.memory.health import evidence as repository
from belay.memory.health.health_types import Evidence
from belay.memory.memory_facts import Facts
from belay.memory.project_survey import Survey, survey_project
from belay.memory.rebuild import evidence, existing_file, source_comments, validation, writing
from belay.memory.rebuild import proposal as rebuild_proposal
from belay.memory.rebuild.existing_file import ExistingFile
from belay.memory.rebuild.proposal import Moment, Proposal
from belay.repository import projects
from belay.repository.git import github
from belay.repository.survey import last_update, quotes

HEAD = "Proposed MEMORY.md. Each new line is followed by its source and how sure that is:"
_STATES = {
    existing_file.ABSENT: "There is no MEMORY.md yet.",
    existing_file.CARRIED: "What MEMORY.md says is carried over; lines without a source are its own.",
    existing_file.ASIDE: "MEMORY.md {why}: it would be kept aside as it is, and a new one written.",
    existing_file.FOREIGN: "MEMORY.md {why}. Until it is accepted nothing is written; {mend}.",
    existing_file.REFUSED: "MEMORY.md {why}: nothing can be written there.",
}
NEXT = "Nothing is written yet: `belay rebuild --yes` writes this, `belay rebuild --apply < text` a corrected text."


@output.command(
    "rebuild",
    reads_history=True,
    examples="""
    belay rebuild db                  the knowledge base again, from its ledger and the documents
    belay rebuild notes               daily logs and working buffer again, from the journal
    belay rebuild                     show what would be written, and what it is read from
    belay rebuild --yes               write it; the old file is kept
    belay rebuild --apply < text      write this corrected text instead
    belay rebuild --undo              put back the old file
    belay rebuild --from-notes        entries, sessions and next step again, from git notes, in a fresh clone
    """,
)
@click.argument("what", type=click.Choice(["memory", "db", "notes"]), default="memory")
@click.option("--yes", is_flag=True, help="Write the proposal as it is.")
@click.option("--apply", "applying", is_flag=True, help="Read the corrected memory from stdin and write it.")
@click.option("--undo", "undoing", is_flag=True, help="Put back the MEMORY.md that the last rebuild replaced.")
@click.option("--gh", is_flag=True, help="Ask GitHub's `gh` for pull requests too (uses the network).")
@click.option("--from-notes", is_flag=True, help="Bring back entries, sessions and next step from git notes.")
@click.option("--force", is_flag=True, help="With --apply: accept that existing lines are left out.")
def command(what: str, yes: bool, applying: bool, undoing: bool, gh: bool, from_notes: bool, force: bool) -> Result:
    """Reconstruct MEMORY.md, or the knowledge base.

    MEMORY.md from code, history and journal: shows a proposal, writes only on --yes. The knowledge base from its
    ledger; notes, which are daily logs and working buffer, from the journal: at once, for nothing of yours is lost.
    """
    if from_notes:
        if what != "memory" or yes or applying or undoing or gh or force:
            raise click.UsageError("--from-notes takes no other option: it writes at once, and replaces nothing")
        return rebuild_notes.from_notes()
    if what != "memory":
        if yes or applying or undoing or gh or force:
            raise click.UsageError(f"rebuild {what} takes no options: it writes at once, and loses nothing")
        return rebuild_base.WRITTEN[what]()
    if yes + applying + undoing > 1:
        raise click.UsageError("--yes, --apply and --undo exclude each other")
    project = here()
    if undoing:
        return _undo(project)
    before = existing_file.check_existing(project, os.environ)
    if applying:
        return _apply(project, before, force)
    if yes:
        writing.check_replaceable(before)
    moment = _moment(project)
    form = templates.begin_memory(project, os.environ, moment.date, moment.branch)
    with terminal.Progress("Reading the project"):
        found = survey_project(project, os.environ, current(project), _told_until(project, before))
        proposal = rebuild_proposal.propose_memory(
            found, before.text, form, moment, lambda told: _evidence(project, told)
        )
    return _write(project, before, proposal) if yes else _show(found, before, proposal, gh)


def _told_until(project: Project, before: ExistingFile) -> str:
    """Return the time up to which the memory that is carried over describes the work."""
    return last_update.find_last_update(read_facts(page.parse(before.text)), project.memory_md)


def _evidence(project: Project, told: Facts) -> Evidence:
    """Return what the repository says of a memory that is written now."""
    seen = history.compare_memory(project, told, writing=time.time()) if project.git_dir else None
    return repository.gather_evidence(project, told, seen=seen)


def _moment(project: Project) -> Moment:
    branch = projects.branch_and_commit(project)[0]
    return Moment(clock.local_date(), quotes.line(branch, 80) or "no branch")


def _show(found: Survey, before: ExistingFile, proposal: Proposal, gh: bool) -> Result:
    read_from = evidence.gather_evidence(found)
    if gh:
        rows = github.list_pulls(found.project.root)
        read_from["hub"] = [
            {key: quotes.line(value, 120) if isinstance(value, str) else value for key, value in row.items()}
            for row in rows
        ]
    state = _STATES[before.state].format(why=before.why, mend=mend_foreign("MEMORY.md"))
    gone = [f"Rows of files that are gone would go: line {row['line']} `{row['path']}`" for row in proposal.gone]
    shown = source_comments.add_comments(proposal.text, proposal.lines).rstrip("\n")
    parts = ["\n".join([state, *gone, HEAD]), shown, evidence.format_evidence(read_from), NEXT]
    pages: list[terminal.Part] = [
        parts[0],
        terminal.Page(shown),
        *(f"\n{part}" for part in parts[2:] if part),
    ]
    data = {
        "memory": {"state": before.state, "why": before.why}, "proposal": proposal.text,
        "lines": proposal.lines, "gone": proposal.gone, "evidence": read_from,
    }  # fmt: skip
    return Result(data, "\n\n".join(part for part in parts if part), parts=pages)


def _write(project: Project, before: ExistingFile, proposal: Proposal) -> Result:
    with memory_files.lock_memory(project):
        kept = writing.save_memory(project, os.environ, proposal.text, before)
    return _written(kept, len(proposal.lines), False)


def _apply(project: Project, before: ExistingFile, force: bool) -> Result:
    writing.check_replaceable(before)
    if sys.stdin.isatty():
        raise BadInput("rebuild --apply", "reads the memory from stdin", "belay rebuild --apply < text")
    corrected = validation.read_corrected(sys.stdin.buffer.read(FILE_BYTES), before.text)
    if corrected.missing and not force:
        return _left_out(corrected.missing)
    with memory_files.lock_memory(project):
        kept = writing.save_memory(project, os.environ, corrected.text, before)
    return _written(kept, 0, corrected.redacted)


def _left_out(rows: list[str]) -> Result:
    what = f"leaves out {count(len(rows), 'existing line')} of decisions, architecture, preferences or overview"
    fields = {
        "where": "the memory",
        "what": what,
        "mend": "put them back, or use --force if the user wants them gone",
    }
    shown = [quotes.line(row) for row in rows]
    text = "\n".join([f"Nothing was written: the text {what}:", *(f"- {row}" for row in shown), fields["mend"]])
    return Result({"error": fields, "missing": shown}, text, 1)


def _written(kept: str, lines: int, redacted: bool) -> Result:
    text = ["MEMORY.md is written."]
    text += (
        [f"The old file is kept in {kept}/; `belay rebuild --undo` puts it back."]
        if kept
        else ["`belay rebuild --undo` removes it again."]
    )
    text += ["A secret in it was redacted; keep secrets in .env."] if redacted else []
    data: dict[str, object] = {"written": "MEMORY.md", "kept": kept, "lines": lines, "redacted": redacted}
    return Result(data, "\n".join(text))


def _undo(project: Project) -> Result:
    with memory_files.lock_memory(project):
        restored = undo.undo_last_change(project, os.environ, writing.COMMAND)
    return Result({"restored": restored}, f"As before the rebuild: {', '.join(restored)}")
