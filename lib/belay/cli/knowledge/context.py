"""`workshop context`: what a session's start loads from the knowledge base."""

from __future__ import annotations

import os

from belay.cli import output
from belay.cli.knowledge import base
from belay.cli.output import Result, here
from belay.context.start import knowledge


@output.command("context", examples="workshop context")
def command() -> Result:
    """Print what a session's start loads from the knowledge base. The same after a compaction."""
    project = base.place().project or here()
    with base.open_base() as store:
        lines = knowledge.list_context(store, project, os.environ)
    return Result({"lines": lines}, "\n".join(lines) or "Nothing is recorded yet.")
