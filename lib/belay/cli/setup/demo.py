"""`belay demo`: one working day through the real hooks, in a scratch folder."""

from __future__ import annotations

import json
import shutil
import tempfile
from typing import TypedDict

import click

from belay.cli import output
from belay.cli.output import Result
from belay.core import paths
from belay.core.errors import BadInput
from belay.core.text.tokens import count
from belay.setup import demo

SCRIPT = paths.resource("lib", "belay", "setup", "demo-day.json")


class Script(TypedDict):
    """A day to play: the files it begins with, and its steps."""

    files: dict[str, str]
    steps: list[demo.Step]


@output.command("demo", examples="belay demo\nbelay demo --keep\nbelay demo --script my-day.json --json")
@click.option("--script", type=click.Path(dir_okay=False), default=SCRIPT, help="Another day to play.")
@click.option("--keep", is_flag=True, help="Keep the scratch folder and say where it is.")
def command(script: str, keep: bool) -> Result:
    """Play a working day through the real hooks. Shows what Claude would receive next morning, and what it cost."""
    day = _script(script)
    folder = tempfile.mkdtemp(prefix="belay-demo-")
    played = demo.Day(folder)
    try:
        return _played(played, day, folder if keep else "")
    finally:
        played.end()
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _script(path: str) -> Script:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        return {"files": dict(found["files"]), "steps": list(found["steps"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(path, f"is not a demo script ({error})", "it needs files and steps") from error


def _played(day: demo.Day, script: Script, kept: str) -> Result:
    lines = ["A day in a scratch repository, through the real hooks", ""]
    day.begin(script["files"])
    for step in script["steps"]:
        lines += _format_step(step, day.play(step))
    lines += [
        "",
        "  … the terminal is closed in the middle of an edit. Next morning Claude Code starts, and Claude is given:",
        "",
    ]
    morning = day.next_morning()
    lines += [f"    {row}" for row in morning.context.splitlines()]
    price = demo.cost(day.calls)
    lines += ["", _price(price, count(morning.context))]
    lines += [f"Kept in {kept}"] if kept else []
    data = {
        "injected": morning.context,
        "cost": price,
        "kept": kept or None,
        "calls": [call._asdict() for call in day.calls],
    }
    return Result(data, "\n".join(lines))


def _format_step(step: demo.Step, calls: list[demo.Call]) -> list[str]:
    lines = [_title(step)]
    for call in calls:
        lines += [f"      ▸ {row}" for row in call.context.splitlines() if not row.startswith(("<belay", "</belay"))]
        lines += [f"      ! {row}" for row in call.user.splitlines()]
    return lines


def _title(step: demo.Step) -> str:
    verb, subject = next(iter(step.items()))
    marks = {"prompt": "  you ❯ ", "say": "  claude: ", "run": "  claude runs ", "edit": "  claude edits "}
    return f"{marks.get(verb, f'  {verb}: ')}{subject}"


def _price(price: demo.Cost, tokens: int) -> str:
    return (
        f"Cost of the day: {price['hooks']} hooks, {price['median_ms']} ms each (median), "
        f"{price['tokens']} tokens in all, {tokens} of them at the new start; no model call, no network, no daemon."
    )
