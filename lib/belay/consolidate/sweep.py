"""Transient files of sessions (tier 4): a session that ended takes its own along, the others go when nobody needs them.

Kept is what the next start needs: saved states stay with their journals (`retention`), and for seven days which project
a session belongs to, so that a resume finds it. Nothing of a session goes while its client lives.
"""

from __future__ import annotations

import os
import time

from belay.client import processes
from belay.client.event import BINDINGS
from belay.core import clock, files, paths, settings
from belay.session import binding, journal
from belay.session.evidence import output_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from belay.session.session import Session

DAYS = 7.0
"""Days after which a file goes whose session did not end here."""
_FIGURES = ("mirror", "measure")
"""Folders of what the client says of its context: of no use once the session is over."""
_FORM, _LINES = "wrap-up-", "own-lines-"


def prune_evidence(project: paths.Project, environ: Mapping[str, str]) -> int:
    """Remove results and outputs of checks that are too old, all of them where the setting says no; return how many."""
    if not settings.load_settings(project, environ)["evidence"]:
        return sum(output_files.prune(project, folder, most=0) for folder in output_files.FOLDERS)
    before = time.time() - output_files.DAYS * clock.DAY if clock.is_settled(project.states) else 0.0
    return sum(output_files.prune(project, folder, before=before) for folder in output_files.FOLDERS)


def remove_transient(project: paths.Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Remove what nobody needs of a project's sessions, and what other projects' dead ones left; return how many."""
    count = 0
    for path in list_transient(project, environ, sessions, by_age=clock.is_settled(project.states)):
        files.remove(path)
        count += not os.path.lexists(path)
    return count


def list_transient(
    project: paths.Project, environ: Mapping[str, str], sessions: list[Session], *, by_age: bool = True
) -> list[str]:
    """Return the files that may go; without `by_age`, when the clock is wrong, only those whose owner is over."""
    before = time.time() - DAYS * clock.DAY if by_age else 0.0
    alive = {session.name: session for session in sessions if _is_alive(session)}
    over = {session.name for session in sessions} - alive.keys()
    found = [*_list_figures(environ, {*alive}, over, before), *_list_bindings(environ, before)]
    started = {clock.local_date(session.state["started"] or clock.now()) for session in alive.values()}
    return [*found, *_list_states(project, {*alive}, started, before)]


def _is_alive(session: Session) -> bool:
    state = session.state
    return not state["ended"] and processes.is_alive(state["client"])


def _list_figures(environ: Mapping[str, str], alive: set[str], over: set[str], before: float) -> Iterator[str]:
    for folder in _FIGURES:
        top = os.path.join(paths.data_home(environ), folder)
        for name in files.list_names(top):
            path, session = os.path.join(top, name), name.removesuffix(".json")
            if session in over or (
                session not in alive and _is_left(path, binding.read_owner(environ, session), before)
            ):
                yield path


def _is_left(path: str, owner: str, before: float) -> bool:
    """Whether a file's owner is dead, or it is old and nobody knows its owner."""
    return not processes.is_alive(owner) and (bool(owner) or _is_old(path, before))


def _list_bindings(environ: Mapping[str, str], before: float) -> Iterator[str]:
    top = os.path.join(paths.data_home(environ), BINDINGS)
    for name in files.list_names(top):
        path = os.path.join(top, name)
        if _is_old(path, before) and not processes.is_alive(binding.read_owner(environ, name)):
            yield path


def _list_states(project: paths.Project, alive: set[str], started: set[str], before: float) -> Iterator[str]:
    """Yield old files of a session's wrap-up form, of a day's own lines, and states whose journal is gone."""
    for name in files.list_names(project.states):
        path = os.path.join(project.states, name)
        if not _is_old(path, before):
            continue
        if name.startswith(_FORM):
            is_needed = name[len(_FORM) :] in alive
        elif name.startswith(_LINES):  # a session that lives still writes into the log of the day it began
            is_needed = name[len(_LINES) :] in started
        else:
            is_needed = not _is_orphan(project, path)
        if not is_needed:
            yield path


def _is_orphan(project: paths.Project, path: str) -> bool:
    """Whether a file is the state of a session whose journal is gone."""
    session, dot, ending = os.path.basename(path).rpartition(".")
    if not dot or ending != "json" or os.path.exists(project.journal(session)):
        return False
    saved = journal.unseal(files.read(path)) or {}
    return saved.get("session") == session and "place" in saved


def _is_old(path: str, before: float) -> bool:
    return 0 < files.written_at(path) < before
