"""`belay sync`: the knowledge base's copy at a Qdrant server, for a team or several machines."""

from __future__ import annotations

import os

import click

from belay.cli import output
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core import settings as core_settings
from belay.core.errors import BadInput
from belay.core.plain_text import count, shown
from belay.knowledge.exchange import incoming
from belay.knowledge.sync import remote, sync


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
@click.option("--project", default="", metavar="NAME", help="What the collections begin with: the same everywhere.")
@click.argument("where", required=False, metavar="[URL]")
def command(where: str | None, project: str, pull: bool, dry_run: bool) -> Result:
    """Copy the knowledge base to a Qdrant server. The local one stays the source."""
    url, name = _place(where or "", project)
    with base.open_base() as store, remote.connect(url, name, os.environ) as far:
        taken = incoming.plan_import(store, shown(url), sync.load_lines(far) if pull else b"")
        if not dry_run:
            incoming.apply_plan(store, taken)
        found = sync.make_plan(store, name, far.known())
        if not dry_run:
            sync.push(far, found)
    data = {"url": url, "project": name, "written": not dry_run, "sent": len(found.send), "dropped": len(found.drop),
            "same": found.same, "new": len(taken.new), "changed": len(taken.changed)}  # fmt: skip
    verb = "Would send" if dry_run else "Sent"
    rows = [f"{verb} {count(len(found.send), 'text')}, {found.same} the same, {len(found.drop)} taken away."]
    rows += (
        [f"{'Would take' if dry_run else 'Took'} in {len(taken.new)} new, {len(taken.changed)} changed."]
        if pull
        else []
    )
    rows += incoming.describe_dropped(taken, shown(url))
    return Result(data, "\n".join(rows))


def _place(where: str, project: str) -> tuple[str, str]:
    """Return the server and the project's name there; BadInput where no server is named."""
    here = base.project()
    settings = core_settings.load_settings(here, os.environ) if here else core_settings.DEFAULTS
    url = where or str(settings["qdrant"])
    if not url:
        raise BadInput("the server", "is not known", "name it: belay sync URL, or the setting `qdrant`")
    if not url.startswith(("http://", "https://")) and os.sep not in url:
        raise BadInput(shown(url), "is no URL", "write http://… or https://…; a folder with its path")
    name = project or str(settings["qdrant_project"]) or (os.path.basename(here.home) if here else "")
    safe = "".join(char if char.isalnum() or char in "-_" else "-" for char in name)
    return url, safe or "project"
