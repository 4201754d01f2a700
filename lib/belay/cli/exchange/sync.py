"""`belay sync`: the knowledge base's copy at a Qdrant server, for a team or several machines."""

from __future__ import annotations

import os

import click

from belay.cli import output
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core.plain_text import count
from belay.knowledge.exchange import incoming
from belay.knowledge.sync import place, remote, sync
from belay.knowledge.sync.points import Sender
from belay.knowledge.vectors import encoding


@output.command(
    "sync",
    examples="""
    belay sync http://qdrant.local:6333          send what is new, take away what was forgotten
    belay sync http://qdrant.local:6333 --pull   first take in what others sent
    belay sync --dry-run                         only say what would go there (url from the settings)
    """,
)
@click.option("--pull", is_flag=True, help="First merge what others sent into this base.")
@click.option("--dry-run", is_flag=True, help="Only say what would be sent and taken away.")
@click.option("--project", default="", metavar="NAME", help="The project's name there: the same for everybody.")
@click.option("--remove-old", is_flag=True, help="Delete the collections that an earlier version made.")
@click.argument("where", required=False, metavar="[URL]")
def command(where: str | None, project: str, pull: bool, dry_run: bool, remove_old: bool) -> Result:
    """Copy the knowledge base to a Qdrant server. The local one stays the source."""
    here = base.project()
    there = place.find_place(here, os.environ, where or "", project)
    sender = Sender(there.project, there.person, os.environ, encoding.load_encoder(os.environ))
    with base.open_base() as store, remote.connect(there.where, there.project, os.environ) as far:
        taken = incoming.plan_import(store, there.shown, sync.load_lines(far) if pull else b"")
        if not dry_run:
            incoming.apply_plan(store, taken)
        found = sync.make_plan(store, sender, far.known())
        if not dry_run:
            sync.push(far, found)
        old = far.list_old(os.path.basename(here.home) if here else "")
        if remove_old and not dry_run:
            far.remove(old)
    data = {"url": there.where, "project": there.project, "person": there.person, "written": not dry_run,
            "sent": len(found.send), "dropped": len(found.drop), "same": found.same, "new": len(taken.new),
            "changed": len(taken.changed), "old": old}  # fmt: skip
    verb = "Would send" if dry_run else "Sent"
    who = f" as {there.person}" if there.person else ""
    rows = [f"{verb} {count(len(found.send), 'text')} of {there.project}{who}, {found.same} the same, "
            f"{len(found.drop)} taken away."]  # fmt: skip
    rows += (
        [f"{'Would take' if dry_run else 'Took'} in {len(taken.new)} new, {len(taken.changed)} changed."]
        if pull
        else []
    )
    rows += incoming.describe_dropped(taken, there.shown)
    rows += _describe_old(old, remove_old and not dry_run)
    return Result(data, "\n".join(rows))


def _describe_old(old: list[str], is_removed: bool) -> list[str]:
    names = ", ".join(old)
    if not old or is_removed:
        return [f"Deleted there: {names}."] if old else []
    return [
        f"An earlier version's collections are still there: {names}. Nothing reads them, and what you forget stays "
        "in them: when everybody has synced with this version, delete them with --remove-old."
    ]
