"""`belay diff`: what happened since the memory was reviewed, where it disagrees with the project, safe repairs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from belay.cli import output, working_folder
from belay.cli.output import Result, here
from belay.cli.setup import waiting_rows
from belay.context.start import compiled_memory
from belay.core import files
from belay.core.errors import BadInput
from belay.core.paths import Project
from belay.core.plain_text import block, unified
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.memory.document import facts, page
from belay.memory.drift import repairs, report, session_diff
from belay.memory.drift.diff_types import Conflict, Diff, NamedPath, Repair
from belay.repository import excludes

if TYPE_CHECKING:
    from belay.cli.results import RepairResult

COMMAND = "diff"
MEMORY = "MEMORY.md"


class Change(NamedTuple):
    """A memory file, from the root, as it is and as repaired."""

    file: str
    old: str
    new: str


@output.command(
    COMMAND,
    reads_history=True,
    examples="""
    belay diff                     what happened since the memory was reviewed
    belay diff --repair --dry-run  show what a repair would change
    belay diff --repair            correct renamed paths and the session counter
    belay diff --undo              take the last repair back
    """,
)
@click.option("--repair", "repairing", is_flag=True, help="Correct renamed paths and the session counter in MEMORY.md.")
@click.option("--ticks", is_flag=True, help="With --repair: also tick active items whose work is committed.")
@click.option("--dry-run", is_flag=True, help="With --repair: show the exact diff and write nothing.")
@click.option("--undo", is_flag=True, help="Take the last repair back.")
def command(repairing: bool, ticks: bool, dry_run: bool, undo: bool) -> Result:
    """Show what changed since the memory was reviewed. Commits, files, dependencies, conflicts with the memory."""
    project = here()
    if undo and (repairing or ticks or dry_run):
        raise click.UsageError("--undo takes no other option")
    if (ticks or dry_run) and not repairing:
        raise click.UsageError("--ticks and --dry-run go with --repair")
    if undo:
        return _undo(project)
    if not os.path.lexists(project.memory_md):
        raise BadInput("MEMORY.md", "does not exist", "/wrap-up or `belay rebuild` starts one")
    return _repair(project, ticks, dry_run) if repairing else _show(project)


def _show(project: Project) -> Result:
    found, rows = _gathered(project)
    waiting = [f"Not compared: {waiting_rows.describe_waiting(MEMORY, rows)}."] if rows else []
    return Result(found, "\n".join([*report.format_report(found), *waiting]))


def _gathered(project: Project) -> tuple[Diff, int]:
    """Return the diff of MEMORY.md with that of what a session begun here has over it, and how many rows wait.

    That is the memory of a nearer folder and the branch's overlay. Changes count since the newest of them;
    their rows name them ("file").
    """
    why = memory_files.explain_refusal(project, project.memory_md)
    if why:
        raise BadInput("MEMORY.md", why, "repair it first; Belay leaves the file alone")
    shown, rows = waiting_rows.read_shown(project, project.memory_md, files.read(project.memory_md))
    known = facts.read_facts(page.parse(shown.decode("utf-8", "surrogateescape")))
    found = session_diff.gather_diff(project, known, os.environ, thorough=True)
    for name, text in compiled_memory.read(project, os.environ, working_folder.find(os.environ)).above().items():
        known = facts.read_facts(page.parse(text))
        found = _over(
            found, name, session_diff.gather_diff(project, known, os.environ, path=project.at(name), thorough=True)
        )
    return found, rows


def _over(below: Diff, name: str, top: Diff) -> Diff:
    """Return a diff with that of the layer `name` on it."""
    newer: Diff = max(below, top, key=lambda one: one["since"])
    verify: list[NamedPath] = [{**row, "file": name} for row in top["verify"]]
    conflicts: list[Conflict] = [{**row, "file": name} for row in top["conflicts"]]
    return {
        **newer,
        "verify": [*below["verify"], *verify],
        "conflicts": [*below["conflicts"], *conflicts],
    }


def _repair(project: Project, ticks: bool, dry_run: bool) -> Result:
    with memory_files.lock_memory(project):
        offered = repairs.list_repairs(_gathered(project)[0], ticks)
        changes = [_changed(project, name, offered) for name in _files(offered)]
        changes = [one for one in changes if one.old != one.new]
        text = "".join(unified(one.file, one.old, one.new) for one in changes)
        data: RepairResult = {"repairs": offered, "diff": text, "written": False, "why": ""}
        if dry_run or not changes:
            return Result(data, block(text) or "Nothing to repair.")
        return _write(project, changes, data)


def _files(offered: list[Repair]) -> list[str]:
    return list(dict.fromkeys(row.get("file", MEMORY) for row in offered))


def _changed(project: Project, name: str, offered: list[Repair]) -> Change:
    old = memory_files.read_text(project.at(name))
    return Change(name, old, repairs.apply_repairs(old, [row for row in offered if row.get("file", MEMORY) == name]))


def _write(project: Project, changes: list[Change], data: RepairResult) -> Result:
    for one in changes:
        why = memory_files.explain_problem(one.old)
        if why:
            return Result({**data, "why": why}, f"belay: {one.file}: {why}; nothing was written", 1)
    excludes.write_excludes(project, os.environ)
    kept = memory_undo.begin_record(project, os.environ, COMMAND, [project.at(one.file) for one in changes])
    saved = [_saved(project, one) for one in changes]
    memory_undo.finish_record(project, os.environ, kept)
    wrong = next((one for one in saved if one.why), None)
    if wrong:
        return Result({**data, "why": wrong.why}, f"belay: {wrong.file}: {wrong.why}; nothing was written", 1)
    rows = [f"{row.get('file', MEMORY)}: {_format_repair(row)}" for row in data["repairs"]]
    return Result({**data, "written": True}, "\n".join([*rows, "`belay diff --undo` takes it back."]))


def _saved(project: Project, one: Change) -> memory_files.Saved:
    return memory_files.change_file(project, os.environ, project.at(one.file), lambda _: one.new)


def _format_repair(row: Repair) -> str:
    lines = "line " + ", ".join(map(str, row["lines"]))
    return f"{lines} ticked" if row["kind"] == "tick" else f"{lines}: {row['from']} → {row['to']}"


def _undo(project: Project) -> Result:
    with memory_files.lock_memory(project):
        files = memory_undo.undo_last_change(project, os.environ, COMMAND)
    return Result({"undone": files}, "\n".join(f"{name}: as before the repair" for name in files))
