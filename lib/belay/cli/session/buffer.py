"""`belay buffer`: show the working buffer."""

from __future__ import annotations

import os

from belay.cli import output, terminal
from belay.cli.output import Result, here, session
from belay.core import files
from belay.core.errors import ForeignText, mend_foreign
from belay.repository import vetting
from belay.session import recovery
from belay.session.session import Session, find_others


@output.command("buffer", examples="belay buffer\nbelay buffer --json")
def command() -> Result:
    """Show the working buffer. Current task and open captures, with the path of the file."""
    project = here()
    own = Session(project, session(project), os.environ)
    lines = recovery.list_open_work(own, find_others(own, days=7.0))
    name = project.relative(project.buffer)
    known, unknown = vetting.read_trusted(project, os.environ, [name])
    if unknown:
        raise ForeignText(name, "came with the repository", mend_foreign(name))
    text = known.get(name, "")
    data = {
        "path": project.buffer,
        "refused": files.explain_refusal(project.buffer),
        "open": lines,
        "text": text,
    }
    if data["refused"]:
        return Result(data, f"{project.buffer} {data['refused']}: Belay does not touch it.", 1)
    return Result(data, text or "The working buffer is empty.", parts=[terminal.Page(text)] if text else ())
