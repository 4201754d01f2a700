"""`belay diff`: what happened since the memory was written, where it disagrees with the project, safe repairs."""

from __future__ import annotations

import os
from typing import Any

import click

from belay import ignore, pages, takeback
from belay.cli import face
from belay.cli.face import Result, here
from belay.diff import gather, repair, report
from belay.errors import BadInput
from belay.memory import facts, page
from belay.paths import Project

COMMAND = "diff"


@face.command(
    COMMAND,
    examples="""
    belay diff                     what happened since the last session
    belay diff --repair --dry-run  show what a repair would change
    belay diff --repair            correct renamed paths and the session counter
    belay diff --undo              take the last repair back
    """,
)
@click.option(
    "--repair", "repairing", is_flag=True, help="Correct renamed paths and the session counter in MEMORY.md."
)
@click.option("--ticks", is_flag=True, help="With --repair: also tick active items whose work is committed.")
@click.option("--dry-run", is_flag=True, help="With --repair: show the exact diff and write nothing.")
@click.option("--undo", is_flag=True, help="Take the last repair back.")
def command(repairing: bool, ticks: bool, dry_run: bool, undo: bool) -> Result:
    """Show what changed since the last session. Commits, files, dependencies, conflicts with the memory."""
    project = here()
    if undo and (repairing or ticks or dry_run):
        raise click.UsageError("--undo stands alone")
    if (ticks or dry_run) and not repairing:
        raise click.UsageError("--ticks and --dry-run go with --repair")
    if undo:
        return _undo(project)
    if not os.path.lexists(project.memory_md):
        raise BadInput("MEMORY.md", "does not exist", "/wrap-up or `belay rebuild` starts one")
    return _repair(project, ticks, dry_run) if repairing else _show(project)


def _show(project: Project) -> Result:
    found = _gathered(project)
    return Result(found, "\n".join(report.lines(found)))


def _gathered(project: Project) -> dict[str, Any]:
    why = pages.refusal(project, project.memory_md)
    if why:
        raise BadInput("MEMORY.md", why, "mend that first; Belay leaves the file alone")
    known = facts.facts(page.parse(pages.read(project.memory_md)))
    return gather.gather(project, known, os.environ)


def _repair(project: Project, ticks: bool, dry_run: bool) -> Result:
    with pages.locked(project):
        offered = repair.repairs(_gathered(project), ticks)
        old = pages.read(project.memory_md)
        new = repair.apply(old, offered)
        data = {"repairs": offered, "diff": shown(old, new), "written": False, "why": ""}
        if dry_run or new == old:
            return Result(data, str(data["diff"]) or "Nothing to repair.")
        return _write(project, old, new, data)


def _write(project: Project, old: str, new: str, data: dict[str, Any]) -> Result:
    why = pages.unclear(old)
    if why:
        return Result({**data, "why": why}, f"belay: MEMORY.md: {why}; nothing was written", 1)
    ignore.ensure(project)
    kept = takeback.begin(project, os.environ, COMMAND, [project.memory_md])
    saved = pages.change(project, os.environ, project.memory_md, lambda _: new)
    takeback.finish(project, os.environ, kept)
    if saved.why:
        return Result({**data, "why": saved.why}, f"belay: MEMORY.md: {saved.why}; nothing was written", 1)
    rows = [f"MEMORY.md: {_told(row)}" for row in data["repairs"]]
    return Result({**data, "written": True}, "\n".join([*rows, "`belay diff --undo` takes it back."]))


def _told(row: dict[str, Any]) -> str:
    lines = "line " + ", ".join(map(str, row["lines"]))
    return f"{lines} ticked" if row["kind"] == "tick" else f"{lines}: {row['from']} → {row['to']}"


def _undo(project: Project) -> Result:
    with pages.locked(project):
        files = takeback.undo(project, os.environ, COMMAND)
    return Result({"undone": files}, "\n".join(f"{name}: as before the repair" for name in files))


def shown(old: str, new: str) -> str:
    """Return the unified diff of two texts of MEMORY.md, "" where they are the same."""
    import difflib

    rows = difflib.unified_diff(page.split(old), page.split(new), "MEMORY.md", "MEMORY.md (repaired)", n=1)
    return "".join(row if row.endswith(("\n", "\r")) else row + "\n" for row in rows)
