"""`belay distill`: what the daily logs decided and learned that MEMORY.md lacks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.cli.output import session as current
from belay.core.errors import BadInput
from belay.memory import distillation, memory_files
from belay.memory.distillation import Proposal
from belay.memory.remember import filing
from belay.session.session import Session

if TYPE_CHECKING:
    from belay.cli.results import Distilling


@output.command(
    "distill",
    examples="""
    belay distill                   what the logs say that MEMORY.md lacks
    belay distill --yes             write all of it
    belay distill --yes D-ABCDEF    write this
    belay distill --undo
    """,
)
@click.option("--dry-run", is_flag=True, help="Only show; this is what happens without --yes.")
@click.option("--yes", is_flag=True, help="Write what is proposed.")
@click.option("--undo", is_flag=True, help="Undo what was distilled last.")
@click.argument("ids", nargs=-1, metavar="[ID]...")
def command(dry_run: bool, yes: bool, undo: bool, ids: tuple[str, ...]) -> Result:
    """Bring decisions and lessons of the daily logs into MEMORY.md."""
    project = here()
    if undo:
        return _result([], undone=distillation.undo_distilling(project, os.environ))
    found = _chosen(distillation.find_proposals(project, os.environ), ids)
    if not found and os.path.isdir(project.states):
        distillation.mark_distilled(project)
    if not yes or dry_run or not found:
        return _result(found)
    session = Session(project, current(project) or "terminal", os.environ)
    return _result(found, distillation.write_proposals(project, os.environ, found, filing.load_template(session)))


def _chosen(found: list[Proposal], ids: tuple[str, ...]) -> list[Proposal]:
    wanted = [name.upper() for name in ids]
    for name in wanted:
        if name not in [one.id for one in found]:
            raise BadInput(name, "is not proposed", "belay distill lists what is")
    return [one for one in found if one.id in wanted] if wanted else found


def _result(found: list[Proposal], saved: memory_files.Saved | None = None, undone: list[str] | None = None) -> Result:
    data: Distilling = {
        "proposals": [one._asdict() for one in found],
        "written": bool(saved and saved.what),
        "file": saved.file if saved else "",
        "why": saved.why if saved else "",
        "undone": undone or [],
    }
    return Result(data, "\n".join(_format_lines(data, found)), 1 if data["why"] else 0)


def _format_lines(data: Distilling, found: list[Proposal]) -> list[str]:
    if data["undone"]:
        return [f"Undone: {', '.join(data['undone'])}"]
    if data["why"]:
        return [f"Not written: {data['file']} {data['why']}"]
    if not found:
        return ["There is nothing to distill: MEMORY.md has every decision and lesson of the daily logs."]
    if data["written"]:
        rows = [f"- {one.kind}: {one.text}" for one in found]
        return [f"Saved in {data['file']} (belay distill --undo undoes it):", *rows]
    return [*map(_line, found), "Nothing is written yet: `belay distill --yes [ID]…` writes it."]


def _line(one: Proposal) -> str:
    reason = f", because {one.reason}" if one.reason else ""
    place = f"{one.file}:{one.line}" if one.line else f"{one.file}, {one.date}"
    return f"{one.id} {one.kind}: {one.text}{reason} ({place})"
