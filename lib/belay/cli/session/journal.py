"""`belay journal`: show what was recorded, and verify that it is complete."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.output import Result, here, session
from belay.core import files, json_codec, plain_text, signatures
from belay.core.paths import Project
from belay.session import journal

if TYPE_CHECKING:
    from belay.cli.results import JournalCheck

LAST = 20
_HIDDEN = ("mark", "crc", "session")


@output.command(
    "journal",
    examples="""
    belay journal                   the last records of this session
    belay journal show --all        every record of it
    belay journal verify            count damaged and foreign lines of every session
    """,
)
@click.argument("what", type=click.Choice(["show", "verify"]), default="show")
@click.option("--session", "name", default="", help="Another session than the last one.")
@click.option("--all", "whole", is_flag=True, help=f"Every record, not only the last {LAST}.")
def command(what: str, name: str, whole: bool) -> Result:
    """Show a session's journal, or verify all of the project."""
    project = here()
    return verify(project) if what == "verify" else show(project, name or session(project), whole)


def show(project: Project, name: str, whole: bool) -> Result:
    """Return the records of a session, the oldest first."""
    records, damaged = journal.read(project.journal(name)) if name else ([], 0)
    shown = records if whole else records[-LAST:]
    data = {"session": name, "records": shown, "total": len(records), "damaged": damaged}
    if not records:
        return Result(data, f"There is no journal of session {name}." if name else "Nothing is recorded here yet.")
    lines = [_line(record) for record in shown]
    return Result(data, "\n".join([f"Session {name}: {len(records)} records, {damaged} damaged lines", *lines]))


def _line(record: dict[str, object]) -> str:
    fields = {key: value for key, value in record.items() if key not in (*_HIDDEN, "time", "kind") and value}
    text = " ".join(f"{key}={_short(value)}" for key, value in fields.items())
    return f"{str(record.get('time', ''))[:19]} {record.get('kind', ''):<9} {text}"


def _short(value: Any) -> str:
    text = " ".join((value if isinstance(value, str) else json_codec.dumps(value, spaced=True)).split())
    return text if len(text) <= 100 else text[:99] + "…"


def verify(project: Project) -> Result:
    """Return how many records and damaged lines each journal has; code 1 when any is damaged or foreign."""
    rows = [_verified(project, name) for name in journal.list_sessions(project.journals)]
    bad = sum(row["damaged"] + row["foreign"] for row in rows)
    lines = [
        f"{row['session']}: {row['records']} records, {row['damaged']} damaged lines, {row['foreign']} foreign"
        for row in rows
    ]
    journals, lines_left = plain_text.count(len(rows), "journal"), plain_text.count(bad, "line")
    summary = f"{journals}, {lines_left} damaged or foreign (skipped, never rewritten)"
    return Result({"journals": rows, "bad": bad}, "\n".join([*lines, summary]), 1 if bad else 0)


def _verified(project: Project, name: str) -> JournalCheck:
    records, damaged = journal.read(project.journal(name))
    foreign = sum(not signatures.is_own(os.environ, name, record.get("mark")) for record in records)
    size = sum(len(files.read(part)) for part in journal.list_segments(project.journal(name)))
    return {"session": name, "records": len(records), "damaged": damaged, "foreign": foreign, "bytes": size}
