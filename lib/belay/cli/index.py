"""`belay index`: documents of a folder into the knowledge base, what changed since the last time."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from belay import plaintext
from belay.cli import base, face
from belay.cli.face import Result
from belay.indexing import run as indexing
from belay.knowledge import documents

if TYPE_CHECKING:
    from belay.knowledge.store import Store


@face.command(
    "index",
    examples="""
    workshop index                          the project's documents, what changed
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
    with base.opened(create=True) as store, _Bar() as told:
        counts = indexing.run(
            _folder(store, folder), store, ignored=output, code=code, limit=limit, anew=anew, told=told
        )
        where = documents.folder(store.connection)
    return Result({"folder": where, **counts._asdict()}, _text(counts))


def _folder(store: Store, named: str) -> str:
    """Return the folder to index: the one named, else the one of the last time, else the project's."""
    if named:
        return os.path.expanduser(named)
    return documents.folder(store.connection) or face.here().home


class _Bar:
    """A progress bar on stderr where that is a terminal."""

    def __init__(self) -> None:
        self.bar: Any = None

    def __enter__(self) -> _Bar:
        return self

    def __call__(self, done: int, todo: int) -> None:
        if not sys.stderr.isatty():
            return
        if self.bar is None:
            self.bar = click.progressbar(length=todo, label="Indexing", file=sys.stderr)
            self.bar.__enter__()
        self.bar.update(done - self.bar.pos)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.__exit__(None, None, None)


def _text(counts: indexing.Counts) -> str:
    if not counts.files and not counts.removed:
        return "No documents found."
    lines = [
        f"{plaintext.count(counts.indexed, 'file')} indexed in {plaintext.count(counts.sections, 'section')}; "
        f"{counts.files - counts.indexed - counts.left} as before, {counts.removed} removed."
    ]
    lines += [f"{counts.left} left for the next run."] if counts.left else []
    lines += [f"Left out: {count} ({why})" for why, count in sorted(counts.skipped.items())]
    return "\n".join(lines)
