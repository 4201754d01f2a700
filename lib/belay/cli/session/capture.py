"""`belay capture` and `belay ack`: what no trigger caught, and what is settled."""

from __future__ import annotations

import os

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.cli.output import session as current
from belay.core import kinds
from belay.core.constants import SENTENCE_CHARS
from belay.core.errors import BadInput
from belay.core.plain_text import cut
from belay.safety.redaction import redact
from belay.session import captures
from belay.session.session import Session, find_others


@output.command(
    "capture",
    examples="""
    belay capture --as decision "SQLite for storage: one file, no server"
    belay capture --as blocker "waiting for the API key of staging"
    """,
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(kinds.CAPTURE_CLASSES),
    default="note",
    show_default=True,
    help="What it is.",
)
@click.argument("text", nargs=-1, required=True)
def command(kind: str, text: tuple[str, ...]) -> Result:
    """Record a sentence in journal, working buffer and daily log."""
    project = here()
    said = cut(redact(" ".join(" ".join(text).split())), SENTENCE_CHARS)
    if not said:
        raise click.UsageError('there is no text: belay capture "what to keep"')
    own = Session(project, current(project) or "terminal", os.environ)
    taken = captures.record_captures(own, [{"classes": {kind: 1.0}, "text": said, "origin": "hand"}])
    if not taken:
        raise BadInput(own.trouble or project.store, "cannot be written", "make the folder writable")
    return Result({"captured": taken}, captures.format_receipt(taken))


@output.command("ack", examples="belay ack C-ABCDEF\nbelay ack --all")
@click.option("--all", "everything", is_flag=True, help="Every open capture of the project.")
@click.argument("ids", nargs=-1)
def ack(ids: tuple[str, ...], everything: bool) -> Result:
    """Close open captures. They leave the working buffer; journal and daily log keep them."""
    project = here()
    own = Session(project, current(project), os.environ)
    wanted = {name.upper() for name in ids}
    if not wanted and not everything:
        raise click.UsageError("which captures? belay ack ID, or belay ack --all")
    closed = [name for one in (own, *find_others(own, days=90.0)) for name in _close(one, wanted, everything)]
    unknown = sorted(wanted - set(closed))
    text = f"Closed: {', '.join(closed) or 'none'}" + (f". Not open: {', '.join(unknown)}" if unknown else "")
    return Result({"closed": closed, "unknown": unknown}, text, 1 if unknown else 0)


def _close(session: Session, wanted: set[str], everything: bool) -> list[str]:
    names = [name for name in session.state["captures"] if everything or name in wanted]
    if names:
        session.log("close", ids=names, how="acknowledged")
        captures.update_buffer(session)
    return names
