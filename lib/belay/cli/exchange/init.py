"""`workshop init`: make the project's knowledge base, and adopt the one of an earlier tool."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output, working_folder
from belay.cli.knowledge import base as opening
from belay.cli.output import Result
from belay.cli.setup import waiting_databases
from belay.core.errors import BadCall, BelayError, ForeignText
from belay.core.plain_text import count, shown
from belay.knowledge.exchange import adoption
from belay.knowledge.exchange.adoption import TakeOver
from belay.knowledge.store import database, database_file
from belay.knowledge.store.store import Store
from belay.repository import database_location, excludes, foreign_database
from belay.repository.database_location import Place
from belay.setup.cleanup.open_files import is_locked

if TYPE_CHECKING:
    from belay.cli.results import Adopted, Init


@output.command(
    "init",
    examples="""
    workshop init                  .claude/memory/workshop.db at the project's root
    workshop --db notes.db init
    """,
)
@click.option("--local", is_flag=True, hidden=True)
@click.option("--auto", is_flag=True, hidden=True)
@click.option("--global", "everywhere", is_flag=True, hidden=True)
def command(local: bool, auto: bool, everywhere: bool) -> Result:
    """Make the knowledge base; take an earlier tool's over."""
    if everywhere:
        raise BadCall("--global", "is not in Belay", "the plugin is there in every project; `belay doctor` looks at it")
    named = opening.named_database()
    place = Place(named, 1, opening.project()) if named else _find_place()
    ours = place.rule < 4 or place.project is None
    target = place.path if ours else place.project.workshop  # type: ignore[union-attr]
    ignored = place.project is not None and not named and excludes.write_excludes(place.project, os.environ)
    made, notes = not database_file.has_data(foreign_database.locate(target, os.environ)), list[str]()
    earlier = [] if named or place.rule < 3 else database_location.legacy(working_folder.find(os.environ), os.environ)
    earlier = [path for path in earlier if not _is_of_repository(path)]
    try:
        there = [] if _is_of_repository(target) and not named else _in_place(target)
        adopted = there + [(path, _from(path, target)) for path in earlier]
    except OSError as error:
        raise BelayError(target, f"cannot be written ({error.strerror})", "make its folder writable") from None
    with Store(target, os.environ, create=True, on_repair=notes.append):
        pass
    left = waiting_databases.list_unaccepted(place.project) if place.project and not named else []
    data: Init = {
        "path": foreign_database.locate(target, os.environ), "rule": place.rule, "made": made, "ignored": ignored,
        "notes": notes,
        "adopted": [_row(path, taken) for path, taken in adopted],
        "foreign": [place.project.relative(path) for path in left] if place.project else [],
    }  # fmt: skip
    return Result(data, "\n".join(_text(data)))


def _find_place() -> Place:
    """Return the place by the rules, another tool's database included, unless it came with the repository."""
    folder = working_folder.find(os.environ)
    try:
        place = database_location.find(folder, os.environ)
    except ForeignText:
        return database_location.choose(folder, os.environ)
    return database_location.choose(folder, os.environ) if _is_of_repository(place.path) else place


def _is_of_repository(path: str) -> bool:
    """Whether a file came with the repository, or is none: only `belay trust` takes in what such a database holds."""
    if not foreign_database.is_foreign(path, os.environ):
        return False
    return not os.path.isfile(path) or os.path.islink(path) or foreign_database.is_tracked(path, os.environ)


def _in_place(target: str) -> list[tuple[str, TakeOver]]:
    """Adopt a database of another tool that is in our place."""
    if database_file.has_data(target) and not database_file.has_tables(target, "meta"):
        _free(target)
    try:
        database.open_base(target, os.environ).close()
    except (database.Earlier, database.Foreign):
        return [(target, adoption.take_over_in_place(_free(target), os.environ))]
    except (database.Missing, database.Damaged):
        pass
    return []


def _from(path: str, target: str) -> TakeOver:
    return adoption.take_over_from(_free(path), target, os.environ)


def _free(path: str) -> str:
    if is_locked(path):
        raise BelayError(path, "is in use by another program", "end it, then `workshop init` again")
    return path


def _row(path: str, taken: TakeOver) -> Adopted:
    return {"from": path, "tool": taken.tool, "entries": taken.entries, "rows": taken.rows,
            "left": list(taken.left), "backup": taken.backup}  # fmt: skip


def _text(data: Init) -> list[str]:
    rows = [f"{shown(data['path'], 400)} is {'made' if data['made'] else 'ready'}."]
    for one in data["adopted"]:
        rows += _taken(one)
    left = ", ".join(shown(path, 400) for path in data["foreign"])
    rows += [database_location.describe_left_alone(left)] if left else []
    return [*rows, *data["notes"]]


def _taken(one: Adopted) -> list[str]:
    entries = count(one["entries"], "entry", "entries")
    other = f" and {count(one['rows'], 'other row')} (tables upstream_…)" if one["rows"] else ""
    rows = [
        f"Taken over from {shown(one['from'], 400)} ({one['tool']}): {entries}{other}.",
        f"The old file is kept as {shown(one['backup'], 400)}.",
    ]
    return rows + [f"Only there: {shown(left)}." for left in one["left"]]
