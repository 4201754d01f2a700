"""`belay memory check`: what is wrong in the project's memory files, each with its place, reason and remedy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output, terminal
from belay.cli.output import Result
from belay.core.plain_text import count, printable, shown
from belay.memory import memory_files, undo
from belay.places.checks import check, correction, reminder
from belay.places.checks.findings import SHARED

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.checks.check import Checked
    from belay.places.checks.findings import Finding

SHOWN = 40
"""Findings that are printed; --json has all."""


class FindingRow(TypedDict):
    """One finding."""

    path: str
    line: int
    kind: str
    why: str
    text: str
    advice: str
    proposed: str
    fix: str
    other: str


class ForeignRow(TypedDict):
    """A memory file that is not the project's own."""

    path: str
    owner: str


class Check(TypedDict):
    """`belay memory check`."""

    results: list[FindingRow]
    checked: list[str]
    foreign: list[ForeignRow]


class Correction(TypedDict):
    """`belay memory check --fix` and `--undo`."""

    file: str
    line: int
    text: str
    undone: list[str]


@output.command(
    "check",
    reads_history=True,
    examples="""
    belay memory check
    belay memory check --fix CLAUDE.md:12     write what is proposed for this line
    belay memory check --undo
    belay memory check --strict --json        exit 1 if anything is wrong
    """,
)
@click.option("--fix", "place", default="", metavar="PATH:LINE", help="Write the proposed text in the place of a line.")
@click.option("--undo", "back", is_flag=True, help="Take the last --fix back.")
@click.option("--strict", is_flag=True, help="Exit 1 if anything is wrong.")
def command(place: str, back: bool, strict: bool) -> Result:
    """Name what is wrong in CLAUDE.md files, rules and MEMORY.md.

    What is said twice, untrue, contradicted or in the wrong form; nothing is changed without --fix.
    """
    project = output.here()
    if back:
        restored = undo.undo_last_change(project, os.environ, correction.COMMAND)
        return Result(_make_correction("", 0, "", restored), "\n".join(f"{name}: as it was" for name in restored))
    with terminal.Progress("Checking the memory files"):
        found = check.check(project)
    if place:
        row = correction.find_correction(found.findings, place)
        text = correction.correct(project, os.environ, row)
        return Result(_make_correction(row.path, row.line, text, []), f"{row.path}:{row.line}: {shown(text)}")
    reminder.record_check(project, os.environ)
    data = _make_data(project, found)
    wrong = [row for row in data["results"] if row["kind"] != SHARED]
    return Result(data, "\n".join(_format(data, wrong)), 1 if strict and wrong else 0)


def _make_correction(file: str, line: int, text: str, undone: list[str]) -> Correction:
    return {"file": file, "line": line, "text": text, "undone": undone}


def _make_data(project: Project, found: Checked) -> Check:
    paths = {row.path for row in found.findings}
    hidden = {path for path in paths if memory_files.is_hidden(project, os.environ, project.at(path))}
    return {
        "results": [_make_row(row, hidden) for row in found.findings],
        "checked": [place.path for place in found.places],
        "foreign": [{"path": place.path, "owner": place.owner} for place in found.foreign],
    }


def _make_row(row: Finding, hidden: set[str]) -> FindingRow:
    """Return a finding; the words of a file that nobody accepted stay out where Claude asks."""
    is_hidden = row.path in hidden or row.other.rpartition(":")[0] in hidden
    return {
        "path": row.path, "line": row.line, "kind": row.kind,
        "why": row.why.partition(" says “")[0] if is_hidden else row.why,
        "text": "" if is_hidden else row.text,
        "advice": row.advice, "proposed": "" if is_hidden else row.proposed, "fix": row.fix, "other": row.other,
    }  # fmt: skip


def _format(data: Check, wrong: list[FindingRow]) -> list[str]:
    files = count(len(data["checked"]), "memory file")
    lines = [f"{files} checked: {count(len(wrong), 'finding') if wrong else 'nothing is wrong'}."]
    for row in data["results"][:SHOWN]:
        lines.append(f"{printable(row['path'])}:{row['line']} [{row['kind']}] {row['why']}")
        lines += [f"    now: {shown(row['proposed'], 160)}"] if row["proposed"] else [f"    {row['advice']}"]
        lines += [f"    {row['fix']}"] if row["fix"] else []
    lines += [f"… and {len(data['results']) - SHOWN} more: --json"] if len(data["results"]) > SHOWN else []
    lines += [f"Left out: {printable(row['path'])} ({row['owner']})" for row in data["foreign"][:5]]
    return lines
