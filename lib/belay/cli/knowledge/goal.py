"""`workshop goal`, and `next`, an earlier tool's word for it: what is to be reached."""

from __future__ import annotations

from typing import Any

import click

from belay.cli import output
from belay.cli.knowledge import change, entry, read
from belay.cli.output import Result

_priority = click.option(
    "-p", "--priority", type=click.Choice(entry.PRIORITIES), default=None, help="How much it matters."
)


@output.command(
    "goal",
    examples="""
    workshop goal "Add dark mode support" -p high
    workshop goal list
    workshop goal done K-ABCDEF
    """,
)
@_priority
@entry.fields
@click.argument("text", nargs=-1, required=True)
def goal(text: tuple[str, ...], priority: str | None, **given: Any) -> Result:
    """Record what is to be reached. `goal list` and `goal done ID` are `read goals` and `resolve`."""
    return _verb(text, priority=priority or "", **given)


@output.command("next", examples='workshop next add "Write the release notes"')
@entry.fields
@click.argument("text", nargs=-1)
def next_(text: tuple[str, ...], tags: tuple[str, ...], **given: Any) -> Result:
    """Record a next step. An earlier tool's word for a goal; it is tagged so."""
    return _verb(text or ("list",), tags=(*tags, "next"), **given)


def _verb(text: tuple[str, ...], **given: Any) -> Result:
    """Record a goal, or do what an earlier tool's verbs say: add, list, done."""
    if text == ("list",):
        return read.list_kind("goals")
    if len(text) > 1 and text[0] == "done":
        return change.close_entries(text[1:2], " ".join(text[2:]))
    return entry.keep("goal", " ".join(text[1:] if len(text) == 2 and text[0] == "add" else text), **given)
