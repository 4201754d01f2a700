"""`belay cleanup`: folders of earlier tools into .claude/, dead sessions folded, stale state out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core.paths import Project
from belay.core.plain_text import count, escaped
from belay.setup.cleanup import cleanup
from belay.setup.cleanup.plan import Step
from belay.setup.cleanup.reports import Report, reports

if TYPE_CHECKING:
    from belay.consolidate.session import Counts

LINES_SHOWN = 40
_VERBS = {
    "move": "move",
    "checkpoint": "move",
    "adopt": "take over",
    "keep-one": "keep one copy of",
    "remove": "remove",
    "sweep": "sweep",
}

EXAMPLES = """
belay cleanup --dry-run     show what would go where
belay cleanup               do it; nothing is deleted, an undo record is kept
belay cleanup --undo        put everything back as it was before the last one
"""


@output.command("cleanup", examples=EXAMPLES)
@click.option("--dry-run", is_flag=True, help="Show the plan and change nothing.")
@click.option("--undo", is_flag=True, help="Undo the last cleanup.")
def command(dry_run: bool, undo: bool) -> Result:
    """Move what earlier memory tools left into .claude/. Takes over databases, writes logs, removes stale state."""
    if dry_run and undo:
        raise click.UsageError("--dry-run and --undo cannot be combined")
    project = here()
    if undo:
        return _undone(project)
    return _planned(project) if dry_run else _done(project)


def _planned(project: Project) -> Result:
    steps = cleanup.plan_steps(project)
    told = reports(project, os.environ)
    text = [_heading(steps, "Would"), *_lines(project, steps), *_format_lines(told)]
    if any(step.do != "leave" for step in steps):
        text.append("Nothing has been changed. `belay cleanup` does it, `belay cleanup --undo` undoes it.")
    return Result(_data(project, steps, told), "\n".join(text))


def _done(project: Project) -> Result:
    folded = _fold(project)  # first: an undo takes no file back that was written to since
    outcome = cleanup.carry_out(project)
    told = [
        {
            "where": project.relative(note.step.source),
            "what": note.text,
            "mend": "run again" if note.failed else "",
        }
        for note in outcome.notes
    ] + reports(project, os.environ)
    data = _data(project, outcome.steps, told)
    undo = project.relative(outcome.undo) if outcome.undo else None
    data |= {"done": outcome.done, "folded": folded, "undo": undo}
    text = [
        _heading(outcome.steps, "Did"),
        *_lines(project, outcome.steps),
        *_format_lines(told),
        _folded(folded),
    ]
    if undo:
        text.append(f"The record for --undo is in {escaped(undo)}.")
    return Result(data, "\n".join(line for line in text if line), 0 if outcome.done else 1)


def _undone(project: Project) -> Result:
    notes = cleanup.take_back(project)
    told = [{"where": note.split(": ")[0], "what": note.partition(": ")[2], "mend": ""} for note in notes]
    data = _data(project, [], told) | {"done": True}
    return Result(data, "\n".join(["The last cleanup was undone.", *_format_lines(told)]))


def _fold(project: Project) -> Counts | None:
    """Fold the journals of dead sessions, where there are journals."""
    from belay.consolidate import session
    from belay.session import journal

    return session.run(project, os.environ) if journal.list_sessions(project.journals) else None


def _data(project: Project, steps: list[Step], told: list[Report]) -> dict[str, object]:
    return {
        "plan": [_step(project, step) for step in steps],
        "reported": told,
        "done": False,
        "undo": None,
        "folded": None,
        "swept": [project.relative(step.source) for step in steps if step.do == "sweep"],
    }


def _step(project: Project, step: Step) -> dict[str, str | None]:
    target = project.relative(step.target) if step.target else None
    return {"do": step.do, "from": project.relative(step.source), "to": target, "why": step.why}


def _heading(steps: list[Step], verb: str) -> str:
    if not steps:
        return "Nothing to clean up."
    return f"{verb}:" if any(step.do != "leave" for step in steps) else "Nothing that can be cleaned up now:"


def _lines(project: Project, steps: list[Step]) -> list[str]:
    lines = [_line(project, step) for step in steps]
    more = len(lines) - LINES_SHOWN
    return lines[:LINES_SHOWN] + ([f"  … and {more} more; --json lists them all"] if more > 0 else [])


def _line(project: Project, step: Step) -> str:
    source = escaped(project.relative(step.source))
    if step.do == "leave":
        return f"  leave {source}: {escaped(step.why)}"
    target = f" → {escaped(project.relative(step.target))}" if step.target else ""
    return f"  {_VERBS[step.do]} {source}{target} ({escaped(step.why)})"


def _format_lines(told: list[Report]) -> list[str]:
    lines = [
        f"  {escaped(report['where'])}: {escaped(report['what'])}" + (f"; {report['mend']}" if report["mend"] else "")
        for report in told
    ]
    return ["Noticed:", *lines] if lines else []


def _folded(counts: Counts | None) -> str:
    folded = counts["folded"] if counts else 0
    return f"Wrote the daily log of {count(folded, 'session')}." if folded else ""
