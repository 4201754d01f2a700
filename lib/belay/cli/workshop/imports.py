"""`workshop import-status`: how much of the project's past sessions was imported."""

from __future__ import annotations

import os

from belay.cli import output
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core import paths
from belay.core.plain_text import count
from belay.knowledge.exchange import transcripts


@output.command("import-status", examples="workshop import-status")
def command() -> Result:
    """Count the past sessions that were imported, and those left."""
    project = output.here()
    found = transcripts.count_progress(project, os.environ, paths.find_ledger(base.place().path))
    lines = [f"This project has {count(found.sessions, 'transcript')} of Claude Code's."]
    if found.sessions:
        lines.append(f"In the journal already, so not imported: {found.own}.")
        until = f", up to {found.until[:10]}" if found.until else ""
        lines.append(f"Imported: {found.imported}{until}.")
        way = f"; `{output.program()} import` shows what they hold" if found.left else ""
        lines.append(f"Not read to the end: {found.left}{way}.")
    return Result(found._asdict(), "\n".join(lines))
