"""`belay trust`: accept memory files that came with a clone, and take that back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.cli.setup import waiting_databases, waiting_notes, waiting_rows
from belay.core import files as core_files
from belay.core import paths, settings
from belay.core.errors import BadInput, BelayError, mend_foreign
from belay.repository import database_location, projects, row_vetting, vetting
from belay.safety import trust
from belay.safety.labels import is_label, label_texts

if TYPE_CHECKING:
    from belay.cli.setup.waiting_databases import ForeignDatabase
    from belay.cli.setup.waiting_notes import ForeignLine
    from belay.cli.setup.waiting_rows import ForeignRow


class Trust(TypedDict):
    """`belay trust`."""

    accepted: list[str]
    revoked: list[str]
    unknown: list[str]
    refused: list[str]
    trusted: list[dict[str, str]]
    rows: list[ForeignRow]
    partly: list[str]
    databases: list[ForeignDatabase]
    notes: list[ForeignLine]


@output.command(
    "trust",
    examples="""
    belay trust                     which memory files wait to be accepted, and their new rows
    belay trust MEMORY.md           accept this file as it is now
    belay trust MEMORY.md 2 4       accept two of its rows, by their numbers
    belay trust --all
    belay trust --revoke MEMORY.md
    belay trust .workshop/workshop.db  take in what a database holds that your Belay did not write
    belay trust WORKSHOP_DB         accept that $WORKSHOP_DB leads out of this project
    belay trust notes               accept what others wrote into git notes; or only some: belay trust D-ABCDEF
    """,
)
@click.option("--all", "everything", is_flag=True, help="Accept every memory file that waits.")
@click.option("--list", "listing", is_flag=True, help="List what is trusted in this project.")
@click.option("--revoke", multiple=True, metavar="PATH", help="Stop trusting this file's text.")
@click.argument("files", nargs=-1, metavar="[PATH [ROW]... | ID]...")
def command(everything: bool, listing: bool, revoke: tuple[str, ...], files: tuple[str, ...]) -> Result:
    """Say which memory files Claude may be shown. What came with a clone is not, until you accept it."""
    project = here()
    names = row_vetting.list_candidates(project)
    waiting = vetting.read_trusted(project, os.environ, names)[1]
    files, ids = waiting_notes.split_ids(files)
    revoked = [name for path in revoke if _revoked(project, name := _find_name(project, path, []))]
    taken = [
        one for path, numbers in waiting_rows.split_numbers(files) for one in _take(project, path, numbers, waiting)
    ]
    taken += waiting_notes.accept(project, ids) if ids is not None else []
    _retell(project, [*revoked, *(name.partition(":")[0] for name in taken)])
    unknown = vetting.read_trusted(project, os.environ, names)[1]
    if everything:
        taken += [_accept(project, name) for name in unknown]
        unknown = []
    rows = waiting_rows.list_rows(project, unknown)
    partly = row_vetting.read_known(project, os.environ, unknown).waiting
    data: Trust = {
        "accepted": taken,
        "revoked": revoked,
        "unknown": unknown + database_location.waiting(project, os.environ),
        "refused": vetting.explain_refusals(project, names),
        "trusted": trust.list_trusted(os.environ, project.root) if listing else [],
        "rows": rows,
        "partly": [*partly],
        "databases": waiting_databases.list_waiting(project),
        "notes": waiting_notes.list_waiting(project),
    }
    data = label_texts(data)
    return Result(data, _text(data, listing), 1 if len(revoked) < len(revoke) else 0)


def _take(project: paths.Project, path: str, numbers: list[int], waiting: list[str]) -> list[str]:
    """Accept a file, or some of its rows; return what was accepted: "MEMORY.md", "MEMORY.md:12"."""
    name = _find_name(project, path, waiting)
    database = waiting_databases.find_waiting(project, name)
    if database and numbers:
        raise BadInput(name, "is a database, which is accepted as a whole", "leave out the numbers")
    if database:
        return [waiting_databases.accept(project, database)]
    return waiting_rows.accept_rows(project, name, numbers) if numbers else [_accept(project, name)]


def _find_name(project: paths.Project, given: str, waiting: list[str]) -> str:
    """Return the path from the root that a person means: from the folder where he is, else from the root.

    "" means the only file that waits.
    """
    if given in database_location.VARIABLES:
        return given
    if not given:
        if len(waiting) != 1:
            raise BadInput("belay trust", "does not say of which file the rows are", "name it: belay trust MEMORY.md 2")
        return waiting[0]
    if is_label(given):
        return projects.find_file(project, given) or given
    near = project.relative(os.path.abspath(given))
    choices = [near, project.relative(project.at(given))]
    there = [name for name in choices if os.path.lexists(project.at(name))]
    return next((name for name in choices if name in waiting), (there or choices)[0])


def _revoked(project: paths.Project, name: str) -> bool:
    if waiting_databases.revoke(project, name):
        return True
    key = f"${name}" if name in database_location.VARIABLES else name
    return trust.revoke(os.environ, project.root, key)


def _followed(project: paths.Project, name: str) -> str:
    """Accept where a variable of the knowledge base leads."""
    if not os.environ.get(name):
        raise BadInput(f"${name}", "is not set", "so there is nothing to accept")
    if not database_location.accept(project, os.environ, name):
        raise BelayError(paths.trust_file(os.environ), "cannot be written", "make its folder writable")
    return name


def _accept(project: paths.Project, name: str) -> str:
    if name in database_location.VARIABLES:
        return _followed(project, name)
    full = project.at(name)
    why = next(iter(vetting.explain_refusals(project, [name])), "")
    if why or not os.path.isfile(full):
        raise BadInput(name, "cannot be accepted" if why else "is not there", why or "name a file of this project")
    if not paths.inside(project.root, full):
        raise BadInput(name, "is outside this project", "run belay trust in its own project")
    if not trust.accept(os.environ, project.root, name, core_files.read(full)):
        raise BelayError(paths.trust_file(os.environ), "cannot be written", "make its folder writable")
    if full == project.settings:
        settings.compile_settings(project, os.environ)
    return name


def _retell(project: paths.Project, names: list[str]) -> None:
    """Let hooks and searches know at once what they may show, or which base; else the consolidator does."""
    from belay.context.recall.indexed_base import IndexedStore
    from belay.knowledge.documents import indexer, insights
    from belay.knowledge.store import database, database_file

    ruled = [name for name in names if insights.rule_folder(name) or row_vetting.list_judged(project, [name])]
    database_location.settle(project, os.environ)
    if not (ruled or {*names} & {*database_location.VARIABLES}) or not database_file.has_data(project.workshop):
        return
    try:
        with IndexedStore(project, project.workshop, os.environ) as store:
            indexer.update_trust(project, store, ruled)
    except (OSError, BelayError, database.SqlError):
        return


def _text(data: Trust, listing: bool) -> str:
    rows = [f"Accepted {name} as it is now." for name in data["accepted"]]
    rows += [f"{name} is no longer trusted." for name in data["revoked"]]
    rows += [f"{row['path']}: {row['how']} {row['time']}" for row in data["trusted"]]
    rows += data["refused"]
    for name in data["unknown"]:
        rows += [_wait(name, name in data["partly"]), *waiting_rows.format_rows(data["rows"], name)]
    for found in data["databases"]:
        rows += waiting_databases.format_waiting(found)
    rows += waiting_notes.format_waiting(data["notes"])
    return "\n".join(rows) or ("Nothing is trusted here yet." if listing else "No memory file waits to be accepted.")


def _wait(name: str, partly: bool) -> str:
    if name in database_location.VARIABLES:
        return f"${name} points outside this project; if you set it: {mend_foreign(name)}"
    what = "has rows that came from elsewhere and are" if partly else "came from elsewhere and is"
    return f"{name} {what} not shown to Claude; {mend_foreign(name)}"
