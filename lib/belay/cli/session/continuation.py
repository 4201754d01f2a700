"""`belay continue`: the continuation that waits, or the last one that was delivered."""

from __future__ import annotations

import os

import click

from belay.cli import output, terminal
from belay.cli.output import Result, here, session
from belay.core.errors import ForeignText, mend_foreign
from belay.repository import vetting
from belay.session import continuation_files
from belay.session.session import Session


@output.command(
    "continue",
    examples="""
    belay continue              show it
    belay continue --write      write one for this session now
    belay continue --deliver    show it and move it to the archive
    """,
)
@click.option("--write", "writing", is_flag=True, help="Write the continuation of this session first.")
@click.option("--deliver", "delivering", is_flag=True, help="Archive it after it was shown.")
def command(writing: bool, delivering: bool) -> Result:
    """Show the continuation. The one that waits, else the newest in the archive."""
    project = here()
    own = Session(project, session(project), os.environ)
    refused = continuation_files.refresh(own) if writing else ""
    waiting, foreign = _waiting(own)
    rest = continuation_files.list_archived(project, os.environ, waiting=True)
    note = waiting or next(iter(rest or continuation_files.list_archived(project, os.environ)), None)
    data = {**_fields(note), "waiting": waiting is not None, "undelivered": len(rest), "refused": refused}
    if foreign:
        raise ForeignText("CONTINUATION.md", "came with the repository", mend_foreign("CONTINUATION.md"))
    if note is None:
        return Result(data, "There is no continuation" + (f": {refused}." if refused else "."), 1 if refused else 0)
    if delivering and waiting:
        data["path"] = continuation_files.deliver(own, waiting, "pickup")
    return Result(data, note.text, parts=[terminal.Page(note.text)])


def _waiting(own: Session) -> tuple[continuation_files.Continuation | None, bool]:
    """Return the continuation that waits, and whether one waits that nobody here wrote or accepted."""
    note = continuation_files.find_waiting(own.project)
    known, _ = vetting.read_trusted(own.project, os.environ, ["CONTINUATION.md"]) if note else ({}, [])
    return (note, False) if known else (None, note is not None)


def _fields(note: continuation_files.Continuation | None) -> dict[str, object]:
    if note is None:
        return {"text": None, "path": None, "session": None, "branch": None, "written": None, "title": None}
    return {
        "text": note.text,
        "path": note.path,
        "session": note.session or None,
        "branch": note.branch or None,
        "written": note.stamp or None,
        "title": note.title(),
    }
