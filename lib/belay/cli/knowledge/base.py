"""Where commands open the knowledge base: the project's own, or the file that --db names."""

from __future__ import annotations

import os

import click

from belay.cli import working_folder
from belay.client.event import session_name
from belay.context.recall.indexed_base import IndexedStore
from belay.core import paths, plain_text
from belay.knowledge.store.store import Store
from belay.repository import database_location, excludes, projects


def named_database() -> str:
    """Return the database that --db names, absolute, "" where none is named."""
    context = click.get_current_context(silent=True)
    return str(context.find_root().meta.get("belay.db", "")) if context else ""


def place() -> database_location.Place:
    """Return the place of the database that commands work on: what --db names, else by the seven rules.

    NotAProject and ForeignText as `database_location.find`.
    """
    return (
        database_location.Place(named_database(), 1, project())
        if named_database()
        else database_location.choose(working_folder.find(os.environ), os.environ)
    )


def project() -> paths.Project | None:
    """Return the project of the session that calls, else of the current folder; None where there is none."""
    found = projects.find(working_folder.find(os.environ), os.environ)
    return database_location.settle(found, os.environ) if found else None


def session() -> str:
    """Return the session that calls us (`working_folder.name_session`), "" from a terminal."""
    own = working_folder.name_session(os.environ)
    return session_name(own) if own else ""


def open_base(create: bool = False) -> Store:
    """Open the knowledge base, for `with`. Raises Missing where there is none and none may be created."""
    found = place()
    print_notice(found)
    if create and found.project and not named_database():
        excludes.write_excludes(found.project, os.environ)
    return IndexedStore(found.project, found.path, os.environ, session=session(), create=create, on_repair=print_repair)


def print_notice(found: database_location.Place) -> None:
    """Say once, on stderr, which database is left alone; a session's start says it to its person."""
    if found.foreign and found.project and os.environ.get("CLAUDECODE") != "1":  # HOST §1.3
        line = database_location.claim_notice(found.project, found.foreign, os.environ)
        if line:
            click.echo(f"belay: {line}", err=True)


def print_repair(line: str) -> None:
    """Say on stderr what was repaired on the way."""
    click.echo(plain_text.shown(line, 400), err=True)
