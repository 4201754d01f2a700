"""`belay index`: documents of a folder, and past sessions, made searchable: what changed since the last time."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import click

from belay.cli import output as cli_output
from belay.cli import terminal
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core import plain_text
from belay.core.errors import BadInput
from belay.knowledge.conversations import step
from belay.knowledge.documents import documents
from belay.knowledge.documents import indexer as indexing
from belay.knowledge.vectors import missing

if TYPE_CHECKING:
    from belay.knowledge.store.store import Store


@cli_output.command(
    "index",
    examples="""
    workshop index                          the project's documents, what changed
    workshop index docs                     only what lies below a folder of it
    workshop index --all                    everything anew
    workshop --db notes.db index ~/notes    any folder, with a database of its own
    workshop index --include-code           comments and docstrings of source files too
    """,
)
@click.argument("folder", metavar="[DIR]", required=False, default="")
@click.option("--all", "anew", is_flag=True, help="Read everything again.")
@click.option("--include-out/--no-include-out", "output", default=None, help="Ignored build output too.")
@click.option("--include-code/--no-include-code", "code", default=None, help="Comments of source files too.")
@click.option("--limit", type=click.IntRange(1), help="At most so many files; the next run goes on.")
def command(folder: str, anew: bool, output: bool | None, code: bool | None, limit: int | None) -> Result:
    """Make the project's documents searchable."""
    with base.open_base(create=True) as store, terminal.Progress("Indexing") as progress:
        where, below = _place(store, os.path.realpath(os.path.expanduser(folder)) if folder else "")
        counts = indexing.run_index(
            where, store, ignored=output, code=code, limit=limit, anew=anew, below=below, told=progress
        )
        missing.make_missing(store)
    said = None if below or base.named_database() else _index_sessions()
    told = {"sessions": said.sessions, "dropped": said.dropped} if said else {"sessions": 0, "dropped": 0}
    return Result(
        {"folder": where, **counts._asdict(), **told}, "\n".join([_text(counts, where), *_format_sessions(said)])
    )


def _index_sessions() -> step.Counts | None:
    """Bring the project's past sessions into their own index; None outside of one, and where that is switched off."""
    project = base.project()
    if project is None:
        return None
    with terminal.Progress("Reading sessions") as progress:
        return step.run(project, os.environ, told=progress)


def _format_sessions(said: step.Counts | None) -> list[str]:
    if said is None or not (said.sessions or said.dropped):
        return []
    new = f"{plain_text.count(said.sessions, 'session')} with something new: `belay sessions` lists them."
    old = f"{plain_text.count(said.dropped, 'session')} dropped: too old, or no room for more."
    return ([new] if said.sessions else []) + ([old] if said.dropped else [])


def _place(store: Store, named: str) -> tuple[str, str]:
    """Return the folder of the documents and the part of it that is wanted, "" for all.

    A project's own base holds the project's documents; another one those of the folder named now or the last time.
    """
    project = base.project()
    if project is None or base.named_database():
        before = documents.find_folder(store.connection, project.home if project else os.getcwd())
        return named or before or cli_output.here().home, ""
    root = indexing.find_folder(project, store)
    if not named or named == root:
        return root, ""
    if not named.startswith(root + os.sep):
        raise BadInput(named, "is outside this project", "name a database for it: --db FILE")
    if not os.path.isdir(named):
        raise BadInput(named, "is not a folder", "name the folder of your documents")
    return root, named[len(root) + 1 :].replace(os.sep, "/") + "/"


def _text(counts: indexing.Counts, where: str) -> str:
    if not counts.files and not counts.removed:
        return "No documents found."
    same = max(0, counts.files - counts.indexed - counts.left - sum(counts.skipped.values()))
    lines = [
        f"{plain_text.count(counts.indexed, 'file')} indexed in {plain_text.count(counts.sections, 'section')}; "
        f"{same} as before, {counts.removed} removed."
    ]
    lines += [f"{counts.left} left for the next run."] if counts.left else []
    lines += [f"Left out: {count} ({why})" for why, count in sorted(counts.skipped.items())]
    return "\n".join([*lines, *format_bulk(counts.bulk, where)])


def format_bulk(bulk: dict[str, int], root: str) -> list[str]:
    """Return one line for each folder that is left out as a program's, with the way to take it in."""
    return [
        f"Left out: {plain_text.printable(folder)} ({number:,} files that a program made and nothing refers to); "
        f"`{cli_output.program()} index {shlex.quote(os.path.relpath(os.path.join(root, folder)))}` takes them in."
        for folder, number in bulk.items()
    ]
