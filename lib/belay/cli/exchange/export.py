"""`workshop export`: the knowledge base as JSON lines for git, or as Markdown."""

from __future__ import annotations

import os

import click

from belay.cli import output
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core import clock, files
from belay.core.errors import BelayError
from belay.core.plain_text import count
from belay.knowledge.exchange import export

STDOUT, RECENT_DAYS = "-", 7
_SHARE = "`git add {name}` shares it; `workshop import {name}` merges what others added (docs/import.md)."


@output.command(
    "export",
    examples="""
    workshop export                        .claude/memory/knowledge.jsonl
    workshop export --to -                 the same lines, printed
    workshop export --markdown             readable, printed
    workshop export --markdown notes.md
    workshop export --recent -o notes.md   only the last 7 days
    """,
)
@click.option("--markdown", is_flag=False, flag_value=STDOUT, default=None, metavar="[FILE]",
              help="Write a document for people, by type; printed without FILE or with -.")  # fmt: skip
@click.option("--to", default=None, metavar="FILE", help="Where the JSON lines go; - prints them.")
@click.option("--full", is_flag=True, help="The same as --markdown: everything.")
@click.option("--recent", is_flag=True, help=f"In Markdown, what was recorded in the last {RECENT_DAYS} days.")
@click.option("--context", is_flag=True, help="In Markdown, open goals only.")
@click.option("-o", "--output", "to_markdown", default=None, metavar="FILE", help="Where the Markdown goes.")
def command(
    markdown: str | None, to: str | None, full: bool, recent: bool, context: bool, to_markdown: str | None
) -> Result:
    """Write all knowledge as lines that git merges, or Markdown."""
    if full + recent + context > 1:
        raise click.UsageError("--full, --recent or --context: say one")
    if full or recent or context or to_markdown:
        markdown = to_markdown or markdown or STDOUT
    if markdown is not None and to is not None:
        raise click.UsageError("--to is for JSON lines; --markdown FILE names its own file")
    with base.open_base() as store:
        form = "markdown" if markdown is not None else "jsonl"
        since = clock.days_before(clock.now(), RECENT_DAYS) if recent else ""
        data = (
            export.render_markdown(store, since, only_open_goals=context).encode("utf-8", "replace")
            if markdown is not None
            else export.render_lines(store)
        )
        rows = data.count(b"\n- " if markdown is not None else b"\n")
        file = markdown or to or export.export_path(store)
    if file == STDOUT:
        text = data.decode("utf-8", "replace")
        return Result(_data(form, "", rows, text), text)
    _write(file, data)
    return Result(_data(form, os.path.abspath(file), rows, ""), _make_fields(form, file, rows))


def _data(form: str, file: str, rows: int, text: str) -> dict[str, object]:
    return {"format": form, "file": file, "entries": rows, "text": text}


def _write(file: str, data: bytes) -> None:
    try:
        if files.read(file) != data or not os.path.exists(file):
            files.write(os.path.abspath(file), data)
    except OSError as error:
        raise BelayError(file, f"cannot be written ({error.strerror})", "name another file") from None


def _make_fields(form: str, file: str, rows: int) -> str:
    name = os.path.relpath(file)
    said = f"Wrote {count(rows, 'entry', 'entries')} to {name}."
    return said if form == "markdown" else f"{said} {_SHARE.format(name=name)}"
