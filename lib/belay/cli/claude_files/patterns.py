"""`belay patterns`: conventions that the code keeps, counted; accepted ones go to the orchestration memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output, terminal
from belay.cli.output import Result
from belay.core import files
from belay.core.errors import BadInput
from belay.core.plain_text import unified
from belay.memory import memory_files, undo
from belay.places.patterns import acceptance, finding
from belay.places.scaffold import scaffolding
from belay.repository.code.survey import Survey
from belay.repository.code.tree import CodeTree
from belay.safety import redaction
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.patterns.candidates import Candidate

COMMAND = "patterns"


class PatternPlace(TypedDict):
    """Where a pattern is kept."""

    path: str
    line: int


class PatternRow(TypedDict):
    """A pattern: one sentence that is true, its numbers, and the first places that keep it."""

    id: str
    kind: str
    statement: str
    why: str
    number: int
    total: int
    path: str
    line: int
    evidence: list[PatternPlace]


class Patterns(TypedDict):
    """`belay patterns`."""

    results: list[PatternRow]
    file: str
    diff: str
    written: bool
    undone: list[str]


@output.command(
    "patterns",
    examples="""
    belay patterns                              what the code of the project does alike
    belay patterns src/features                 of this folder
    belay patterns --accept P-ABCDEF            show what would be written
    belay patterns --accept P-ABCDEF --name 'API Routes' --yes
    belay patterns --undo
    """,
)
@click.argument("path", required=False, default="")
@click.option("--accept", "accepted", multiple=True, metavar="ID", help="Put it into .orchestre/CLAUDE.md.")
@click.option("--name", default="", help="What to call the accepted pattern.")
@click.option("--yes", is_flag=True, help="Write what --accept shows.")
@click.option("--undo", "undoing", is_flag=True, help="Undo what was accepted last.")
def command(path: str, accepted: tuple[str, ...], name: str, yes: bool, undoing: bool) -> Result:
    """Find conventions that the code keeps, with counts."""
    project = output.here()
    if undoing:
        return _undo(project)
    with terminal.Progress("Reading the code"):
        found = finding.find_patterns(Survey(CodeTree(project.root), scaffolding.find_folder(project, path)))
    if accepted:
        return _accept(project, _choose(found, accepted), name, yes)
    return Result(_make_data(found), "\n".join(_format_lines(found)))


def _choose(found: list[Candidate], wanted: tuple[str, ...]) -> list[Candidate]:
    known = {candidate.id: candidate for candidate in found}
    for name in wanted:
        if name.upper() not in known:
            raise BadInput(name, "is no pattern that the code keeps now", "belay patterns lists them")
    return [known[name.upper()] for name in dict.fromkeys(wanted)]


def _accept(project: Project, chosen: list[Candidate], name: str, yes: bool) -> Result:
    """Show the change of the orchestration memory, or write it."""
    path = project.at(acceptance.FILE)
    why = memory_files.explain_refusal(project, path)
    if why:
        raise BadInput(acceptance.FILE, why, "mend that first")
    before = files.load(path).decode("utf-8")
    rows = [(candidate, redaction.redact(acceptance.make_row(candidate, name))) for candidate in chosen]
    after = acceptance.add_patterns(before, rows)
    data: Patterns = {**_make_data(chosen), "diff": unified(acceptance.FILE, before, after)}
    if before == after:
        return Result(data, f"{acceptance.FILE} has it already; nothing was changed.")
    if not yes:
        return Result(data, f"{data['diff']}Nothing is written yet; the same command with --yes writes this.")
    written = scaffolding.save_text(project, os.environ, COMMAND, acceptance.FILE, before, after)
    said = "\n".join(
        [f"Accepted in {acceptance.FILE}; `belay patterns --undo` takes it back:", *(row for _, row in rows)]
    )
    return Result({**data, "written": written}, said)


def _undo(project: Project) -> Result:
    with memory_files.lock_memory(project):
        restored = undo.undo_last_change(project, os.environ, COMMAND)
    return Result({**_make_data([]), "undone": restored}, f"As before: {', '.join(restored)}")


def _make_data(found: list[Candidate]) -> Patterns:
    rows = [_make_row(candidate) for candidate in found]
    return {"results": rows, "file": acceptance.FILE, "diff": "", "written": False, "undone": []}


def _make_row(candidate: Candidate) -> PatternRow:
    places: list[PatternPlace] = [{"path": make_label(place.path), "line": place.line} for place in candidate.places]
    return {
        "id": candidate.id, "kind": candidate.kind, "statement": redaction.redact(candidate.statement),
        "why": candidate.reason, "number": candidate.number, "total": candidate.total, "path": places[0]["path"],
        "line": places[0]["line"], "evidence": places,
    }  # fmt: skip


def _format_lines(found: list[Candidate]) -> list[str]:
    if not found:
        return ["No pattern holds in a clear majority of enough places."]
    rows = [line for candidate in found for line in _format(_make_row(candidate))]
    return [*rows, "", f"`belay patterns --accept ID` puts one into {acceptance.FILE}."]


def _format(row: PatternRow) -> list[str]:
    places = ", ".join(f"{place['path']}:{place['line']}" for place in row["evidence"][:3])
    return [f"{row['id']} {row['kind']}: {row['statement']} ({row['why']})", f"    {places}"]
