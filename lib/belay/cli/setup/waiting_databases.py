"""Databases that this user's Belay did not make: what each holds, listed for the person, and accepted by its path."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.cli import working_folder
from belay.cli.knowledge import base as opening
from belay.core import paths
from belay.core.errors import BadInput, BelayError, mend_foreign
from belay.core.plain_text import count, shown
from belay.core.text.invisible import spell_invisible
from belay.knowledge.exchange import foreign_contents
from belay.repository import database_location, foreign_database
from belay.safety import trust

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.knowledge.exchange.foreign_contents import Contents

SHOWN_ENTRIES, SHOWN_CHARACTERS, LISTED = 30, 300, 500
"""So many entries of a database are printed, so many characters of each; --json has more entries, in full."""


class ForeignEntry(TypedDict):
    """An entry of a database that waits; `text` without secrets and without invisible characters."""

    type: str
    text: str


class ForeignDatabase(TypedDict):
    """A database that waits: its entries by kind, and the first of them; whether git tracks it.

    `why` it cannot be read, "" where it can.
    """

    path: str
    tool: str
    entries: int
    kinds: dict[str, int]
    listed: list[ForeignEntry]
    why: str
    tracked: bool


def list_waiting(project: Project) -> list[ForeignDatabase]:
    """Return the databases that wait, from the current folder up; without their words where Claude asks."""
    is_person = os.environ.get("CLAUDECODE") != "1"  # HOST §1.3: else a tool of a session calls
    waiting: list[ForeignDatabase] = []
    for path in database_location.list_foreign(project, working_folder.find(os.environ), os.environ):
        found = foreign_contents.read_contents(path)
        if not foreign_contents.is_accepted(project, os.environ, path, found.digest):
            waiting.append(_describe(project, path, found, LISTED if is_person else 0))
    return waiting


def list_unaccepted(project: Project) -> list[str]:
    """Return the paths of the databases that wait, which are not read."""
    found = database_location.list_foreign(project, working_folder.find(os.environ), os.environ)
    digests = {path: foreign_contents.read_digest(path) for path in found}
    return [path for path in found if not foreign_contents.is_accepted(project, os.environ, path, digests[path])]


def _describe(project: Project, path: str, found: Contents, most: int) -> ForeignDatabase:
    listed = foreign_contents.list_texts(found, most)
    return {
        "path": project.relative(path), "tool": found.tool, "entries": len(found.entries),
        "kinds": foreign_contents.count_kinds(found),
        "listed": [{"type": kind, "text": spell_invisible(text)} for kind, text in listed],
        "why": spell_invisible(found.why),
        "tracked": foreign_database.is_tracked(path, os.environ),
    }  # fmt: skip


def find_waiting(project: Project, name: str) -> str:
    """Return the database that a path from the root means, "" for what is none of those that are left alone."""
    found = database_location.list_foreign(project, working_folder.find(os.environ), os.environ)
    return next((path for path in found if path == project.at(name)), "")


def accept(project: Project, path: str) -> str:
    """Take the entries of a database in; return what was accepted. BadInput where it cannot be read."""
    name = project.relative(path)
    found = foreign_contents.read_contents(path)
    if found.why:
        raise BadInput(name, f"cannot be accepted: it {found.why}", "it stays as it is, and Belay does not need it")
    database_location.claim_notice(project, [path], os.environ)  # whoever accepts it knows of it
    with opening.open_base(create=True) as store:
        if not foreign_contents.accept(project, os.environ, path, found, store):
            raise BelayError(paths.trust_file(os.environ), "cannot be written", "make its folder writable")
    return name


def revoke(project: Project, name: str) -> bool:
    """Stop trusting a database, which may be gone; its entries go where it was accepted. True if it was."""
    if not name.endswith(".db") or not trust.revoke(os.environ, project.root, name):
        return False
    with opening.open_base(create=True) as store:
        foreign_contents.take_back(store.ledger, os.environ, name)
        store.fold()
    return True


def format_waiting(found: ForeignDatabase) -> list[str]:
    """Return the lines on a database that waits."""
    name = shown(found["path"], 400)
    head = f"{name} was not written by your Belay and is left alone"
    if found["why"]:
        return [f"{head}; it {found['why']}"]
    kinds = ", ".join(f"{number} {kind}" for kind, number in found["kinds"].items())
    about = f"{count(found['entries'], 'entry', 'entries')}{f' ({kinds})' if kinds else ''}"
    other = "" if found["tracked"] else " (`belay init` takes over all of it)"
    lines = [f"{head}. It holds {about}; {mend_foreign(name)}{other}"]
    lines += [f"  {row['type']:<10}  {_cut(row['text'])}" for row in found["listed"][:SHOWN_ENTRIES]]
    more = found["entries"] - SHOWN_ENTRIES
    return lines + (
        [f"  and {count(more, 'entry', 'entries')} more: belay trust --json"] if found["listed"] and more > 0 else []
    )


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return (
        line
        if len(line) <= SHOWN_CHARACTERS
        else f"{line[:SHOWN_CHARACTERS]}… and {len(line) - SHOWN_CHARACTERS:,} characters more"
    )
