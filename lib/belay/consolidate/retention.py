"""What stays for good and what goes: captures stay in the ledger; old journals and what killed writers left go.

A clock that is years off must not make everything old: nothing goes by its age while the clock has just jumped
(`clock.is_settled`).
"""

from __future__ import annotations

import os
import time

from belay.client import processes
from belay.core import clock, files, paths, settings
from belay.session import journal
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

KEPT = ("capture", "close", "wrap-up")
UNFINISHED_SECONDS = 600.0
"""How long a half-written file stays whose writer is gone: the process may be of another container."""
_DIGITS = 10
_OURS = (".md", ".json", ".jsonl")
"""Endings of what Belay writes into folders that are not its own."""


def copy_to_ledger(session: Session) -> None:
    """Copy a session's captures, and the records that closed them, into the ledger where it does not have them yet."""
    ledger = session.project.ledger
    known = {_record_key(record) for record in journal.read(ledger)[0]}
    for record in session.own_records():
        if record["kind"] in KEPT and _record_key(record) not in known:
            journal.append(ledger, record)


def _record_key(record: Mapping[str, Any]) -> tuple[object, ...]:
    return record.get("kind"), record.get("id"), record.get("time"), record.get("session")


def remove_old_files(project: paths.Project, environ: Mapping[str, str]) -> int:
    """Remove journals that are older than the retention, and stale state; return how many files."""
    swept = sum(map(_remove, find_stale_files(project, environ)))
    if not clock.is_settled(project.states):
        return swept
    days = int(settings.load_settings(project, environ)["retention_days"])
    before = time.time() - days * clock.DAY
    dropped = 0
    for name in set(journal.list_sessions(project.journals)) - set(journal.list_sessions(project.journals, before)):
        session = Session(project, name, environ)
        if session.mark and session.state["folded"]:
            copy_to_ledger(session)
            if name in journal.list_sessions(project.journals, before):
                continue  # resumed this moment
            # The first segment goes last: without it nobody would find the others.
            dropped += sum(_remove(part) for part in journal.list_segments(project.journal(name))[::-1])
            dropped += _remove(project.state(name))
    return dropped + swept


def find_stale_files(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Return what killed writers left half-written."""
    now = time.time()
    return [path for path in _list_unfinished(project, environ) if _is_left_behind(path, now)]


def _list_unfinished(project: paths.Project, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield what `core/files` writes before it replaces a file, NAME.PID.tmp, in every folder that Belay writes to."""
    data, git = paths.data_home(environ), os.path.dirname(project.exclude)
    for folder in {*_list_folders(project.store), *_list_folders(project.orchestration), *_list_folders(data)}:
        yield from (os.path.join(folder, name) for name in files.list_names(folder) if _find_writer(name))
    shared = {project.root, project.logs, project.tasks, project.overlays, paths.client_dir(environ), git}
    for folder in shared - {""}:
        for name in files.list_names(folder):
            target = _find_target(name)
            if target.endswith(_OURS) or (folder == git and target == "exclude"):
                yield os.path.join(folder, name)


def _list_folders(top: str) -> Iterator[str]:
    """Yield a folder of Belay's own and those in it; nothing behind a link."""
    if os.path.islink(top):
        return
    for folder, _, _ in os.walk(top):
        yield folder


def _find_target(name: str) -> str:
    """Return the name of the file that a half-written one was to become, "" for any other name."""
    stem, _, end = name.rpartition(".")
    target, _, number = stem.rpartition(".")
    is_number = number.isascii() and number.isdigit() and len(number) < _DIGITS
    return target if end == "tmp" and is_number else ""


def _find_writer(name: str) -> str:
    """Return the number of the process that wrote a half-written file, "" for any other name."""
    return name.rsplit(".", 2)[1] if _find_target(name) else ""


def _is_left_behind(path: str, now: float) -> bool:
    """Whether a file has lain for a while and its writer is gone; one of the future is from a wrong clock."""
    age = now - files.written_at(path)
    is_file = os.path.isfile(path) and not os.path.islink(path)
    return is_file and abs(age) > UNFINISHED_SECONDS and not processes.is_alive(_find_writer(os.path.basename(path)))


def _remove(path: str) -> int:
    try:
        os.unlink(path)
    except OSError:
        return 0
    return 1
