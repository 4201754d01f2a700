"""`belay buffer`: the working buffer as it stands."""

from __future__ import annotations

import os

from belay import atomic, buffer, recover
from belay.cli import face
from belay.cli.face import Result, here, session
from belay.session import Session, others


@face.command("buffer", examples="belay buffer\nbelay buffer --json")
def command() -> Result:
    """Show the working buffer: current task and open captures, with the path of the file."""
    project = here()
    own = Session(project, session(project), os.environ)
    lines = recover.buffer_lines(own, others(own, days=7.0))
    text = atomic.read(project.buffer).decode("utf-8", "replace")
    data = {"path": project.buffer, "refused": buffer.refusal(project.buffer), "open": lines, "text": text}
    if data["refused"]:
        return Result(data, f"{project.buffer} {data['refused']}: Belay does not touch it.", 1)
    return Result(data, text or "The working buffer is empty.")
