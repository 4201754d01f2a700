"""`belay rebuild db` and `belay rebuild notes`: write again what is derived from ledger and journal."""

from __future__ import annotations

import os

from belay.cli import terminal
from belay.cli.knowledge import base as opening
from belay.cli.output import Result, here
from belay.consolidate import session
from belay.core import clock
from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.core.plain_text import count
from belay.knowledge.documents import documents
from belay.knowledge.documents import indexer as indexing
from belay.knowledge.store import database, rebuild, repair
from belay.knowledge.store.store import Store
from belay.memory import memory_files
from belay.repository import foreign_database
from belay.session import working_buffer
from belay.session.session import Session, at_its_work_tree, find_others


def db() -> Result:
    """Write the knowledge base again: entries from the ledger, the documents from their files."""
    place, told = opening.place(), list[str]()
    with _opened(place.path, told) as store, terminal.Progress("Writing the knowledge base") as progress:
        entries = rebuild.rewrite_base(store)
        home = place.project.home if place.project else ""
        folder = documents.find_folder(store.connection, home) or home
        counts = indexing.Counts()
        if os.path.isdir(folder):
            counts = indexing.run_index(folder, store, anew=True, told=progress)
    data = {"written": place.path, "records": entries, "sections": counts.sections, "notes": told}
    found = f"{count(entries, 'record')} of the ledger, {count(counts.sections, 'section')}"
    return Result(data, "\n".join([*told, f"{place.path} was written again: {found}."]))


def _opened(path: str, told: list[str]) -> Store:
    try:
        return Store(
            path,
            os.environ,
            opening.session(),
            on_repair=lambda line: told.append(line.removesuffix(repair.FOLLOW)),
        )
    except database.Unsearchable:
        told.append(
            f"The old one is kept as {repair.set_aside_base(foreign_database.locate(path, os.environ), os.environ)}"
        )
        return Store(path, os.environ, opening.session(), create=True)


def notes() -> Result:
    """Write the daily logs and the working buffer again from the journal; lines of yours stay."""
    project = here()
    try:
        return _notes(project)
    except OSError as error:
        where = error.filename or project.store
        raise BelayError(where, f"cannot be written ({error.strerror})", "make it writable") from None


def _notes(project: Project) -> Result:
    known = Session(project, "", os.environ)
    found = find_others(known, session.LOOK_BACK_DAYS, most=session.MOST)[::-1]
    days = set()
    with memory_files.lock_memory(project), terminal.Progress("Writing daily logs"):
        for one in found:
            lines = session.render_day(one.state)
            if len(lines) > 1 and one.state["ended"]:
                date = clock.local_date(one.state["started"] or one.state["active"])
                path = at_its_work_tree(one).project.daily(date)
                working_buffer.update(path, project.own_lines(date), [(one.name, lines)], title=f"# {date}\n\n")
                days.add(project.relative(path))
    session.update_buffer(project, found)
    data = {"written": sorted(days), "sessions": len(found)}
    logs = f"The working buffer and {count(len(days), 'daily log')}"
    return Result(data, f"{logs} were written again from the journal of {count(len(found), 'session')}.")


WRITTEN = {"db": db, "notes": notes}
