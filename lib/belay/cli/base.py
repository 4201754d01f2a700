"""Where commands open the knowledge base: the project's own, or the file that --db names."""

from __future__ import annotations

import os

import click

from belay import ignore, paths
from belay.cli.face import here
from belay.event import session_name
from belay.knowledge.store import Store


def named() -> str:
    """Return the database that --db names, absolute, "" where none is named."""
    context = click.get_current_context(silent=True)
    return str(context.find_root().meta.get("belay.db", "")) if context else ""


def place() -> str:
    """Return the path of the database that commands work on; NotAProject where neither a project nor --db names one."""
    return named() or here().workshop


def project() -> paths.Project | None:
    """Return the project of the current folder, None where there is none."""
    return paths.find(os.getcwd(), os.environ)


def session() -> str:
    """Return the session that calls us (HOST §1.3: CLAUDE_CODE_SESSION_ID), "" from a terminal."""
    own = os.environ.get("CLAUDE_CODE_SESSION_ID")
    return session_name(own) if own else ""


def opened(create: bool = False) -> Store:
    """Return the knowledge base, open; a context manager. Missing where it does not stand and may not be created."""
    path = place()
    if create and not named():
        ignore.ensure(here())
    return Store(path, os.environ, session(), create=create)
