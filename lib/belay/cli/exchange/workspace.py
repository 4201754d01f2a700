"""`belay workspace`: the projects that this user works in, and one search over them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal, working_folder
from belay.cli.exchange import workspace_entities
from belay.cli.knowledge import search_results
from belay.cli.output import Result
from belay.core.errors import BadCall, BadInput
from belay.core.plain_text import count, printable, shown
from belay.core.text.invisible import drop_invisible
from belay.repository import projects
from belay.workspace import registry
from belay.workspace import search as workspace_search

if TYPE_CHECKING:
    from belay.knowledge.store.tables.workspace_rows import ProjectRow
    from belay.workspace.search import Answer, ProjectHit

SHOWN_REMOTE = 60


@click.group("workspace", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """List, link and search the projects you work in. Nothing leaves this machine."""


@output.command("list", examples="belay workspace list\nbelay workspace list --json")
def list_() -> Result:
    """List the known projects, the one worked in last first."""
    rows = registry.list_projects(os.environ)
    parts = [terminal.Table([_cells(row, rows) for row in rows], wraps=True)]
    return output.make_result({"projects": [_data(row) for row in rows]}, parts if rows else [_NONE])


_NONE = "No project is known yet: the end of a session lists its own."


def _data(row: ProjectRow) -> dict[str, object]:
    return {**row, "gone": registry.is_gone(row)}


def _cells(row: ProjectRow, rows: list[ProjectRow]) -> tuple[str, ...]:
    names = {one["home"]: one["name"] for one in rows}
    links = [f"{names[one['home']]} {one['how'] or 'is linked with'} {names[one['other']]}" for one in row["links"]]
    trees = [count(len(row["roots"]), "work tree")] if len(row["roots"]) > 1 else []
    folder = f"{row['home']}{' (gone)' if registry.is_gone(row) else ''}"
    about = [shown(text, SHOWN_REMOTE) for text in (row["remote"], *trees, *links) if text]
    return shown(row["name"], 40), row["last"][:10], shown(folder, 200), ", ".join(about)


@output.command(
    "search",
    examples="""
    belay workspace search refund rounding
    belay workspace search retries --type gotcha -k 5
    belay workspace search retries --linked          only in projects that this one is linked with
    """,
)
@click.argument("query", nargs=-1, required=True)
@click.option("-k", "-n", "--limit", "k", default=search_results.SHOWN, type=click.IntRange(1, 1000), help="Results.")
@click.option("-t", "--type", "types", multiple=True, help="Only entries of a type, or `document`; may be repeated.")
@click.option("--linked", is_flag=True, help="Only in the projects that are linked with this one, and in this one.")
def search(query: tuple[str, ...], k: int, types: tuple[str, ...], linked: bool) -> Result:
    """Find entries and documents in every known project; each result says which project it is of."""
    text = " ".join(query).strip()
    if not text:
        raise BadCall("the query", "is empty", "say what to look for")
    rows = registry.list_projects(os.environ)
    rows = _keep_linked(rows) if linked else rows
    kinds = [search_results.parse_type(one) for one in types]
    answer = workspace_search.search_projects(os.environ, rows, text, most=k, types=kinds)
    return Result(_answer_data(answer), drop_invisible("\n".join(_answer_lines(answer))))


def _keep_linked(rows: list[ProjectRow]) -> list[ProjectRow]:
    folder = working_folder.find(os.environ)
    here = projects.find(folder, os.environ)
    label = projects.make_label(here.home) if here else ""
    own = next((row for row in rows if row["home"] == label), None)
    if own is None:
        raise BadInput(folder, "is not a known project", "leave --linked out, or cd into one that is listed")
    homes = {own["home"], *(home for one in own["links"] for home in (one["home"], one["other"]))}
    return [row for row in rows if row["home"] in homes]


def _answer_data(answer: Answer) -> dict[str, object]:
    return {
        "results": [
            {"project": found.project["name"], "home": found.project["home"], **search_results.make_row(found.hit)}
            for found in answer.hits
        ],
        "searched": answer.searched,
        "left_out": [{"project": row["name"], "home": row["home"], "why": why} for row, why in answer.left_out],
    }


def _answer_lines(answer: Answer) -> list[str]:
    left = [f"{shown(row['name'], 80)} was not searched: {printable(why)}" for row, why in answer.left_out]
    if not answer.hits:
        return [f"Nothing found in {count(answer.searched, 'project')} with a knowledge base.", *left]
    return [*(_format_hit(found) for found in answer.hits), *left]


def _format_hit(found: ProjectHit) -> str:
    head, _, rest = search_results.format_hit(found.hit).partition("\n")
    return f"[{shown(found.project['name'], 40)}] {head}\n{rest}"


@output.command(
    "link",
    examples="""
    belay workspace link api web                     two projects, by name or folder
    belay workspace link . ../web --as "calls"       in your words
    belay workspace link api web --remove
    """,
)
@click.argument("one")
@click.argument("other")
@click.option("--as", "how", default="", help="What the link is, in your words.")
@click.option("--remove", is_flag=True, help="Take the link back.")
def link(one: str, other: str, how: str, remove: bool) -> Result:
    """Link two known projects: they are listed with each other, and --linked searches them together."""
    rows = registry.list_projects(os.environ)
    first, second = (registry.find_project(rows, name, os.environ) for name in (one, other))
    if remove:
        registry.unlink(os.environ, first, second)
    else:
        registry.link(os.environ, first, second, how)
    names = f"{shown(first['name'], 80)} and {shown(second['name'], 80)}"
    data = {"projects": [first["home"], second["home"]], "linked": not remove}
    return Result(data, f"{names} are {'no longer' if remove else 'now'} linked.")


@output.command("forget", examples="belay workspace forget api\nbelay workspace forget --gone")
@click.argument("names", nargs=-1, metavar="[PROJECT]...")
@click.option("--gone", is_flag=True, help="Every project whose folder is gone.")
def forget(names: tuple[str, ...], gone: bool) -> Result:
    """Take projects off the list, with their links and noted learnings. Their own files stay as they are."""
    if not names and not gone:
        raise click.UsageError("which? belay workspace forget PROJECT, or --gone")
    rows = registry.list_projects(os.environ)
    chosen = {row["home"]: row for row in (registry.find_project(rows, name, os.environ) for name in names)}
    chosen |= {row["home"]: row for row in rows if gone and registry.is_gone(row)}
    registry.forget(os.environ, [*chosen.values()])
    lines = [f"Forgotten: {shown(home, 200)}" for home in chosen]
    back = "A session in a folder lists it again; `workspace: false` in its .claude/belay.yaml keeps it off the list."
    return Result({"forgotten": [*chosen]}, "\n".join([*lines, back] if lines else ["There is nothing to forget."]))


for _one in (list_, search, link, forget, *workspace_entities.COMMANDS):
    command.add_command(_one)
