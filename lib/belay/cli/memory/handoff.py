"""`belay handoff`: HANDOFF.md for people, from manifests, README, history, journal and memory."""

from __future__ import annotations

import os
import sys

import click

from belay.cli import output, terminal
from belay.cli.output import Result, here
from belay.cli.output import session as current
from belay.core import clock
from belay.core.errors import BadInput
from belay.core.paths import Project
from belay.core.plain_text import count
from belay.memory import memory_files, undo
from belay.memory.handoff import document, form, own_memory, writing
from belay.memory.handoff.document import Signed
from belay.memory.handoff.form import Prose
from belay.memory.handoff.own_memory import OwnMemory
from belay.memory.project_survey import Survey, survey_project
from belay.repository.git import owners
from belay.repository.survey import quotes
from belay.workspace import contacts

NOTHING = "There is nothing to write: no commit, no manifest, no README, no memory."


@output.command(
    "handoff",
    reads_history=True,
    examples="""
    belay handoff                     write HANDOFF.md
    belay handoff --dry-run           show it, write nothing
    belay handoff --apply < form.yaml add prose to its sections
    belay handoff --form              the form that --apply reads
    belay handoff --undo              put back the old file
    """,
)
@click.option("--dry-run", is_flag=True, help="Show what would be written.")
@click.option("--apply", "applying", is_flag=True, help="Read prose for the sections as YAML from stdin.")
@click.option("--form", "asking", is_flag=True, help="Print the empty form.")
@click.option("--undo", "undoing", is_flag=True, help="Put back the file that the last handoff replaced.")
@click.option("--force", is_flag=True, help="Replace a HANDOFF.md that was edited by hand.")
def command(dry_run: bool, applying: bool, asking: bool, undoing: bool, force: bool) -> Result:
    """Write HANDOFF.md for the people who come next. Read from what is there, never invented."""
    if asking:
        return Result({"form": form.FORM}, form.FORM)
    project = here()
    if undoing:
        return _undo(project)
    prose = form.parse_prose(_stdin()) if applying else Prose({}, [], 0)
    if prose.problems:
        return _refused(prose)
    memory = own_memory.read_memory(project, os.environ)
    with terminal.Progress("Reading the project"):
        found = survey_project(project, os.environ, current(project), memory.written)
    if document.has_nothing(found, memory) and not prose.lines:
        return Result({"written": "", "text": "", "left_out": "", "redacted": 0}, NOTHING)
    named = contacts.list_named(project, os.environ)
    text = document.render_handoff(found, memory, prose.lines, _signed(project, found), named)
    return _shown(text, memory, prose) if dry_run else _write(project, text, memory, prose, force)


def _stdin() -> bytes:
    if sys.stdin.isatty():
        raise BadInput("handoff --apply", "reads the form from stdin", "belay handoff --apply < form.yaml")
    return sys.stdin.buffer.read(form.INPUT_BYTES + 1)


def _signed(project: Project, found: Survey) -> Signed:
    remote = owners.find_remote(project.root) if project.git_dir else ""
    user = owners.find_user(project.root) if project.git_dir else ""
    return Signed(clock.local_date(), quotes.line(user, 80), document.find_name(found, remote))


def _refused(prose: Prose) -> Result:
    fields = {
        "where": "the document",
        "what": f"has {count(len(prose.problems), 'problem')}",
        "mend": "correct these lines and apply again",
    }
    rows = [{"line": line, "what": what, "mend": mend} for line, what, mend in prose.problems]
    said = [f"line {row['line']}: {row['what']}; {row['mend']}" for row in rows]
    text = "\n".join(["Nothing was written. Correct these lines and apply again:", *said])
    return Result({"error": fields, "problems": rows}, text, 1)


def _data(text: str, written: str, memory: OwnMemory, prose: Prose) -> dict[str, object]:
    return {"written": written, "text": text, "left_out": memory.left_out, "redacted": prose.redacted}


def _shown(text: str, memory: OwnMemory, prose: Prose) -> Result:
    left = f"\nLeft out: {memory.left_out}" if memory.left_out else ""
    return Result(_data(text, "", memory, prose), text + left, parts=[terminal.Page(text), left])


def _write(project: Project, text: str, memory: OwnMemory, prose: Prose, force: bool) -> Result:
    with memory_files.lock_memory(project):
        new = writing.save_handoff(project, os.environ, text, force)
    said = [
        f"{writing.NAME} is written; `belay handoff --undo` takes it back."
        if new
        else f"{writing.NAME} was up to date."
    ]
    said += [f"Left out: {memory.left_out}"] if memory.left_out else []
    secrets = count(prose.redacted, "secret was", "secrets were")
    said += [f"{secrets} redacted."] if prose.redacted else []
    return Result(_data(text, writing.NAME if new else "", memory, prose), "\n".join(said))


def _undo(project: Project) -> Result:
    with memory_files.lock_memory(project):
        restored = undo.undo_last_change(project, os.environ, writing.COMMAND)
    return Result({"restored": restored}, f"As before the handoff: {', '.join(restored)}")
