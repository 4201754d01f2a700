"""`workshop context`: what a session's start loads from the knowledge base."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base, rows
from belay.cli.output import Result, here
from belay.cli.workshop import lists
from belay.context.start import knowledge
from belay.core.plain_text import count

if TYPE_CHECKING:
    from belay.knowledge.store.store import Store

RECORDED = 20
"""Entries of the last days that are shown."""


@output.command("context", examples="workshop context\nworkshop context -d 30")
@click.option(
    "-d", "--days", type=click.IntRange(1, 36500), default=None, help="Instead: what is open, and the last days."
)
def command(days: int | None) -> Result:
    """Print what a session's start loads from the knowledge base. The same after a compaction."""
    project = base.place().project or here()
    with base.open_base() as store:
        lines = _list_days(store, days) if days else knowledge.list_context(store, project, os.environ)
    return Result({"lines": lines}, "\n".join(lines) or "Nothing is recorded yet.")


def _list_days(store: Store, days: int) -> list[str]:
    """Return what is open, and what else was recorded in so many days, the newest first."""
    state = lists.load_state(store)
    known = {one.id for some in state for one in some}
    found = [one for one in lists.load_recorded(store, days) if one.id not in known][:RECORDED]
    parts = lists.make_state_parts(*state)
    if found:
        parts += [f"Recorded in the last {count(days, 'day')}:", rows.make_table(found, indent=2)]
    return terminal.plain(parts).splitlines()
