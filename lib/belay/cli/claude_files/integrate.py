"""`belay integrate`: a section about memory in CLAUDE.md, shown first, written on --yes, taken out by --undo."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output
from belay.cli.output import Result
from belay.core import files, paths
from belay.core.errors import BelayError
from belay.core.plain_text import unified
from belay.memory import memory_files
from belay.memory.claude_files import integration, marked_block
from belay.memory.document import page

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.claude_files.integration import Plan

EDITED = "The section was edited, or is of an older Belay; what is there now goes."


class Integration(TypedDict):
    """`belay integrate`."""

    file: str
    diff: str
    written: bool
    removed: bool
    notes: list[str]


@output.command(
    "integrate",
    examples="""
    belay integrate                   show the section and the file it would go into
    belay integrate --yes             write it into the project's CLAUDE.md
    belay integrate --user --yes      into ~/.claude/CLAUDE.md, for every project
    belay integrate --undo            take it out again
    """,
)
@click.option("--user", "is_user", is_flag=True, help="Your own CLAUDE.md, which holds for every project.")
@click.option("--yes", is_flag=True, help="Write what is shown.")
@click.option("--undo", "undoing", is_flag=True, help="Take the section out; all else stays.")
def command(is_user: bool, yes: bool, undoing: bool) -> Result:
    """Add a section about memory to CLAUDE.md. Optional: Belay works without; shows the diff, writes on --yes."""
    project = None if is_user else output.here()
    path = integration.find_file(project, os.environ)
    text = _read(project, path)
    plan = (integration.plan_removal if undoing else integration.plan_section)(text, is_user=is_user)
    name = _name(path) if project is None else project.relative(path)
    if plan.after == plan.before:
        said = "has no section of Belay's" if undoing else "has the section already"
        return Result(_data(name), f"{name} {said}; nothing was changed.", 1 if undoing else 0)
    notes = [EDITED] if not plan.is_own else [] if undoing else _list_notes(text)
    if not yes and not (undoing and plan.is_own):
        return _show(name, plan, notes, undoing)
    _write(project, path, plan)
    said = f"The section is out of {name}." if undoing else f"{name} has the section; `{_undo(is_user)}` takes it out."
    return Result(
        {**_data(name), "diff": unified(name, *plan[:2]), "written": not undoing, "removed": undoing, "notes": notes},
        "\n".join([said, *notes]),
    )


def _read(project: Project | None, path: str) -> str:
    why = memory_files.explain_refusal(project, path) if project else files.explain_refusal(path)
    if why:
        raise BelayError(_name(path), why, "mend that, or write the section by hand: belay integrate shows it")
    text = files.load(path).decode("utf-8")
    problem = page.find_problem(page.parse(text))
    if problem:
        raise BelayError(_name(path), f"line {problem[0]} {problem[1]}", "mend that first")
    return text


def _list_notes(text: str) -> list[str]:
    """Return what the user should know before: a section of that name of their own."""
    if marked_block.find_block(text, integration.NAME):
        return []
    found = [section.start + 1 for section in page.parse(text).titled("Memory")]
    return [f"Line {found[0]} has a section Memory of your own; it stays as it is."] if found else []


def _show(name: str, plan: Plan, notes: list[str], undoing: bool) -> Result:
    diff = unified(name, plan.before, plan.after)
    option = "--undo --yes" if undoing else "--yes"
    text = "\n".join(
        [diff.rstrip("\n"), *notes, f"Nothing is written yet; the same command with {option} writes this."]
    )
    return Result({**_data(name), "diff": diff, "notes": notes}, text)


def _write(project: Project | None, path: str, plan: Plan) -> None:
    block = marked_block.find_block(plan.before, integration.NAME)
    if not plan.after and block and block.before == marked_block.NEW:
        files.remove(path)
        return
    if project is None:
        files.write(path, plan.after.encode())
        return
    with memory_files.lock_memory(project):
        saved = memory_files.change_file(
            project, os.environ, path, lambda now: plan.after if now == plan.before else now
        )
    if not saved.what:
        raise BelayError(saved.file, saved.why or "was changed meanwhile", "call the command again")


def _data(name: str) -> Integration:
    return {"file": name, "diff": "", "written": False, "removed": False, "notes": []}


def _name(path: str) -> str:
    home = paths.home_dir(os.environ)
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def _undo(is_user: bool) -> str:
    return "belay integrate --user --undo" if is_user else "belay integrate --undo"
