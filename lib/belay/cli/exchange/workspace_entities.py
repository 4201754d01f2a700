"""`belay workspace entities|entity|contacts|contact|learnings`: what projects declare, whom to ask, what all share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal, working_folder
from belay.cli.output import Result, here
from belay.core import settings as core_settings
from belay.core.errors import BadInput
from belay.core.plain_text import shown
from belay.knowledge.store.tables.workspace_entities import HAND, USES
from belay.repository.survey.declared import KINDS
from belay.workspace import contacts as workspace_contacts
from belay.workspace import entities as workspace_entities
from belay.workspace import learnings as workspace_learnings
from belay.workspace import registry

if TYPE_CHECKING:
    from belay.core import paths
    from belay.knowledge.store.tables.workspace_entities import ContactRow, EntityRow
    from belay.knowledge.store.tables.workspace_rows import ProjectRow
    from belay.workspace.entities import Entity

SHOWN_TIES = 4
_PROJECT = click.option("-p", "--project", "given", default="", help="Only of a project, by its name or folder.")
_ORIGINS = {"hand": "you", "history": "history", "codeowners": "CODEOWNERS"}


def _choose(given: str) -> tuple[list[ProjectRow], set[str]]:
    """Return the known projects, and the folders of those that are asked for."""
    rows = registry.list_projects(os.environ)
    chosen = [registry.find_project(rows, given, os.environ)] if given else rows
    return rows, {row["home"] for row in chosen}


def _name_homes(rows: list[ProjectRow]) -> dict[str, str]:
    return {row["home"]: row["name"] for row in rows}


@output.command(
    "entities",
    examples="""
    belay workspace entities                         services, APIs, repositories, shared packages, each with evidence
    belay workspace entities --kind api -p shop
    """,
)
@click.option("--kind", type=click.Choice(KINDS), default=None, help="Only of a kind.")
@_PROJECT
def entities(kind: str | None, given: str) -> Result:
    """Show what the known projects declare and share; each line says which file says so."""
    rows, homes = _choose(given)
    names = _name_homes(rows)
    found = [
        one for one in workspace_entities.list_entities(os.environ)
        if kind in (None, one.kind) and any(tie.home in homes for tie in one.ties)
    ]  # fmt: skip
    data = {"entities": [_entity_data(one, names) for one in found]}
    table = terminal.Table([_entity_cells(one, names) for one in found], wraps=True)
    return output.make_result(
        data, [table] if found else ["No entity is known: the end of a session reads its project."]
    )


def _entity_data(one: Entity, names: dict[str, str]) -> dict[str, object]:
    return {"kind": one.kind, "name": one.name, "projects": [_tie_data(tie, names) for tie in one.ties]}


def _tie_data(tie: EntityRow, names: dict[str, str]) -> dict[str, object]:
    return {
        "project": names[tie.home], "home": tie.home, "role": tie.role, "origin": tie.origin,
        "evidence": tie.evidence, "seen": tie.seen,
    }  # fmt: skip


def _entity_cells(one: Entity, names: dict[str, str]) -> tuple[str, ...]:
    ties = [f"{shown(names[tie.home], 40)} {_describe_tie(tie)}" for tie in one.ties[:SHOWN_TIES]]
    more = [f"{len(one.ties) - SHOWN_TIES} more"] if len(one.ties) > SHOWN_TIES else []
    return one.kind, shown(one.name, 80), "; ".join([*ties, *more])


def _describe_tie(tie: EntityRow) -> str:
    verb = "uses it" if tie.role == USES else "declares it"
    said = f"you said{': ' + tie.evidence if tie.evidence else ''}" if tie.origin == HAND else tie.evidence
    return f"{verb} ({shown(said, 120)})"


@output.command(
    "entity",
    examples="""
    belay workspace entity service billing --as "runs at the bank"      of this project
    belay workspace entity api "Orders API" -p shop
    belay workspace entity service billing --remove
    """,
)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("name")
@click.option("--as", "words", default="", help="What you know of it, in your words.")
@click.option("-p", "--project", "given", default="", help="The project it belongs to: this one, where none is named.")
@click.option("--remove", is_flag=True, help="Take it back.")
def entity(kind: str, name: str, words: str, given: str, remove: bool) -> Result:
    """Note an entity that no file declares."""
    folder = given or working_folder.find(os.environ)
    project = registry.find_project(registry.list_projects(os.environ), folder, os.environ)
    if remove:
        workspace_entities.remove_entity(os.environ, project, kind, name)
    else:
        workspace_entities.add_entity(os.environ, project, kind, name, words)
    said = f"{kind} {shown(name, 80)} of {shown(project['name'], 80)}"
    data = {"kind": kind, "name": name, "project": project["home"], "kept": not remove}
    return Result(data, f"{'Forgotten' if remove else 'Noted'}: {said}.")


@output.command("contacts", examples="belay workspace contacts\nbelay workspace contacts -p shop")
@_PROJECT
def contacts(given: str) -> Result:
    """Show whom to ask about the known projects: whom you named, CODEOWNERS, who committed. Names only."""
    rows, homes = _choose(given)
    names = _name_homes(rows)
    found = [row for row in workspace_contacts.list_contacts(os.environ) if row.home in homes]
    data = {"contacts": [{"project": names[row.home], **row._asdict()} for row in found]}
    table = terminal.Table([_contact_cells(row, names) for row in found], wraps=True)
    nobody = 'No contact is known: belay remember --as contact "who, and for what" names one.'
    return output.make_result(data, [table] if found else [nobody])


def _contact_cells(row: ContactRow, names: dict[str, str]) -> tuple[str, ...]:
    return shown(names[row.home], 40), shown(row.name, 200), shown(row.about, 120), _ORIGINS.get(row.origin, row.origin)


@output.command(
    "contact",
    examples="""
    belay workspace contact "Ana Li: payments, in #team-pay"
    belay workspace contact "Ana Li" --remove
    """,
)
@click.argument("text", nargs=-1, required=True)
@click.option("--remove", is_flag=True, help="Take it back; the beginning of the text is enough.")
def contact(text: tuple[str, ...], remove: bool) -> Result:
    """Name somebody to ask about this project; HANDOFF.md says it too."""
    return change_contact(here(), " ".join(text), remove)


def change_contact(project: paths.Project, text: str, remove: bool = False) -> Result:
    """Keep or drop a contact of a project; BadInput where a setting keeps the project off the list."""
    if not text.strip():
        raise BadInput("the text", "is empty", "say whom to ask, and for what")
    if remove:
        workspace_contacts.remove_contact(project, os.environ, text)
        return Result({"contact": text, "kept": False}, "That contact is forgotten.")
    if not core_settings.load_settings(project, os.environ)["workspace"]:
        raise BadInput("this project", "is kept off the list of projects (`workspace: false`)", "change that setting")
    is_new = workspace_contacts.add_contact(project, os.environ, text)
    said = "Kept" if is_new else "That was known"
    return Result(
        {"contact": text, "kept": True},
        f"{said}: whom to ask about this project, for you and for `belay handoff`; "
        "`belay workspace contacts` shows it, `belay workspace contact --remove` takes it back.",
    )


@output.command("learnings", examples="belay workspace learnings --json")
def learnings() -> Result:
    """Show what holds for every project (GLOBAL-MEMORY.md), and which known projects say it too."""
    names = _name_homes(registry.list_projects(os.environ))
    found = workspace_learnings.list_learnings(os.environ)
    data = {"learnings": [one._asdict() for one in found]}
    said = [", ".join(names.get(home, os.path.basename(home)) for home in one.homes) for one in found]
    cells = [(str(one.line), one.day, shown(one.text, 300), also) for one, also in zip(found, said, strict=True)]
    nothing = "Nothing was promoted yet: `belay promote` offers what several projects have in common."
    return output.make_result(data, [terminal.Table(cells, wraps=True)] if found else [nothing])


COMMANDS = (entities, entity, contacts, contact, learnings)
