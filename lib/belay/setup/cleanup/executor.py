"""Carries a plan out: each change is recorded before it is made, so that a kill at any point costs nothing.

`run` is a generator that stops after every single change; whoever drives it may stop for good at any of them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from belay.core import files, outputs, paths
from belay.core.errors import BelayError
from belay.core.plain_text import count
from belay.knowledge.exchange import adoption
from belay.knowledge.store import database, database_file, legacy
from belay.repository import projects
from belay.setup.cleanup.open_files import is_locked
from belay.setup.cleanup.places import is_database, is_folder, list_with_sidecars, mode, name_beside
from belay.setup.cleanup.plan import Step
from belay.setup.cleanup.transfer import digest, has_same_content, move, save, settle
from belay.setup.cleanup.undo_record import Line, Record


class Note(NamedTuple):
    """What happened to one step that is worth telling; `failed` when it was not done."""

    step: Step
    text: str
    failed: bool = False


def run(steps: list[Step], record: Record, notes: list[Note]) -> Iterator[str]:
    """Do the steps; yields after each change, adds to `notes` what is worth telling."""
    for _, group in groupby(steps, _company):
        yield from _together(list(group), record, notes)


def _company(step: Step) -> tuple[str, ...]:
    """What steps must share to be recorded in one line: files of one folder that move to one folder."""
    alone = step.do != "move" or is_folder(step.source)
    return (step.do, step.source) if alone else (os.path.dirname(step.source), os.path.dirname(step.target))


def _together(group: list[Step], record: Record, notes: list[Note]) -> Iterator[str]:
    if len(group) > 1 and not any(mode(step.target) for step in group):
        try:
            yield from _room(group[0].target, record)
            pairs = [[step.source, step.target] for step in group]
            yield from perform(record.write({"do": "move", "pairs": pairs}))
        except OSError:
            group = [step for step in group if mode(step.source)]  # one by one shows which cannot
        else:
            return
    for step in group:
        yield from _one(step, record, notes)


def _one(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    try:
        yield from _DOINGS[step.do](step, record, notes)
    except (OSError, database.SqlError, BelayError) as error:
        notes.append(Note(step, getattr(error, "strerror", None) or str(error), failed=True))


def resume(record: Record) -> Iterator[str]:
    """Carry out the record's last line again: it is the only one that may be half-done."""
    if record.lines:
        try:
            yield from perform(record.lines[-1])
        except OSError:
            return  # the plan that is made next covers what is left


def perform(line: Line) -> Iterator[str]:
    """Carry out one recorded line, as far as it is not done yet."""
    if line["do"] == "mkdir" and not mode(line["target"]):
        os.mkdir(line["target"])
        yield "mkdir"
    elif line["do"] == "move":
        yield from _move(line["pairs"])
    elif line["do"] == "install":
        yield from _install(line)
    elif line["do"] == "rmdir" and mode(line["source"]):
        os.rmdir(line["source"])
        yield "rmdir"


def _move(pairs: list[list[str]]) -> Iterator[str]:
    for source, target in pairs:
        if mode(source) and not mode(target):
            move(source, target, durable=False)
            yield "move"
        elif mode(source) and has_same_content(source, target):
            os.unlink(source)  # a copy to another device was cut off before its original went
            yield "unlink"
    settle(pairs)


def _install(line: Line) -> Iterator[str]:
    """Put a made file in its place, then move what it was made from into the record's folder."""
    if mode(line["work"]):
        yield from _replace(line)
    yield from _move(line["then"])


def _replace(line: Line) -> Iterator[str]:
    """Replace a database; the old one keeps its second name in the record's folder."""
    try:
        for source, kept in line["saved"]:
            if mode(source):
                save(source, kept)
                yield "save"
        for source, _ in line["saved"][1:]:
            if mode(source):
                os.unlink(source)
                yield "unlink"
        files.replace(line["work"], line["target"], sync=False)
    except OSError:
        _put_back(line["saved"])
        raise
    files.sync_folder(os.path.dirname(line["target"]))
    yield "install"


def _put_back(saved: list[list[str]]) -> None:
    for source, kept in saved:
        if mode(kept) and not mode(source):
            save(kept, source)


def _room(target: str, record: Record) -> Iterator[str]:
    """Make the folder that will hold the target."""
    missing = []
    folder = os.path.dirname(target)
    while not mode(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for made in reversed(missing):
        yield from perform(record.write({"do": "mkdir", "target": made}))


def _moved(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    yield from _room(step.target, record)
    if mode(step.target):
        raise FileExistsError(errno.EEXIST, "something is at the target now; run it again", step.target)
    try:
        yield from perform(record.write({"do": "move", "pairs": [[step.source, step.target]]}))
    except OSError as error:
        # An overlay or bind mount refuses to rename a folder that stat shows on the same device.
        if error.errno != errno.EXDEV or not is_folder(step.source):
            raise
        yield from _one_by_one(step, record, notes)


def _one_by_one(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    if projects.is_repository(step.source):
        raise OSError(errno.EXDEV, "a repository cannot be moved to another disk", step.source)
    yield from perform(record.write({"do": "mkdir", "target": step.target}))
    for name in sorted(os.listdir(step.source)):
        paths = (os.path.join(step.source, name), os.path.join(step.target, name))
        yield from _moved(step._replace(source=paths[0], target=paths[1]), record, notes)
    yield from _rmdir(step.source, record)


def _kept(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    """Move a file, a database with the files beside it, into the record's folder: nothing is deleted."""
    if step.do == "keep-one" and not has_same_content(step.source, step.target):
        raise OSError(errno.EBUSY, "changed meanwhile; run it again", step.source)
    yield from perform(record.write({"do": "move", "pairs": _pairs(step.source, record)}))


def _pairs(path: str, record: Record) -> list[list[str]]:
    """Return [from, to] into the record's folder for a file and, of a database, for the files beside it."""
    if not mode(path):
        return []
    place = record.place(path)
    return [[part, place + part[len(path) :]] for part in (list_with_sidecars(path) if is_database(path) else [path])]


def _checkpointed(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    yield from _room(step.target, record)
    work = record.work()
    wrong = "is in use" if is_locked(step.source) else legacy.copy_database(step.source, work)
    if wrong:
        database_file.discard(work)
        notes.append(Note(step, wrong, failed=wrong == "is in use"))
        return
    yield from _put(work, step.target, record, step.source)


def _put(work: str, target: str, record: Record, source: str = "") -> Iterator[str]:
    """Install a made database at the target; what was there, and the source, go beside the record."""
    outputs.sync_file(work)
    then = _pairs(source, record) if source else []
    line: Line = {"do": "install", "work": work, "target": target, "sha": digest(work)}
    yield from perform(record.write({**line, "saved": _pairs(target, record), "then": then}))


def _adopted(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    """Take an earlier tool's database over; the base with it is made beside and put in place in one step."""
    copy, made = record.work(), record.work()
    try:
        yield from _adopt(step, record, notes, copy, made)
    except (OSError, database.SqlError, BelayError):
        _discard(copy, made)
        raise
    _discard(copy, made)


def _discard(*works: str) -> None:
    for work in works:
        database_file.discard(work)


def _adopt(step: Step, record: Record, notes: list[Note], copy: str, made: str) -> Iterator[str]:
    busy = [path for path in (step.source, step.target) if is_locked(path)]
    wrong = "is in use" if busy else legacy.copy_database(step.source, copy)
    if not wrong and step.source != step.target and mode(step.target):
        wrong = legacy.copy_database(step.target, made)
    if wrong:
        notes.append(Note(step, wrong, failed=bool(busy)))
        return
    path, batch = paths.find_ledger(step.target), adoption.hash_database(copy)
    yield from _room(path, record)
    record.write({"do": "ledger", "target": path, "batch": batch, "fresh": not mode(path)})
    taken = adoption.take_over_into(copy, made, step.target, os.environ, batch)
    yield "ledger"
    yield from _beside(step, record, notes, copy, list(taken.left))
    came = f"{count(taken.entries, 'entry', 'entries')} and {count(taken.rows, 'other row')} taken over"
    notes.append(Note(step, came))
    yield from _put(made, step.target, record, "" if step.source == step.target else step.source)


def _beside(step: Step, record: Record, notes: list[Note], copy: str, lost: list[str]) -> Iterator[str]:
    """Keep the complete source beside the target where something in it could not be taken over."""
    if not lost:
        return
    folder, name = os.path.split(step.target)
    number, place = 1, os.path.join(folder, name_beside(name, step.origin))
    while mode(place) and not has_same_content(place, copy):
        number += 1
        place = os.path.join(folder, name_beside(name, step.origin, number))
    notes.append(Note(step, f"kept complete as {os.path.basename(place)} too: {', '.join(lost)}"))
    if not mode(place):
        yield from _put(copy, place, record)


def rewrite(path: str, data: bytes, record: Record) -> Iterator[str]:
    """Give a small file a new content, the old one kept beside the record."""
    work = record.work()
    files.write(work, data)
    if mode(path):
        os.chmod(work, mode(path) & 0o7777)
    yield from _put(work, path, record)


def _removed(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    """Remove the folder and the folders in it, the innermost first, as far as they are empty."""
    for folder, _, _ in list(os.walk(step.source, topdown=False)):
        yield from _rmdir(folder, record)
    if mode(step.source):
        notes.append(Note(step, "is kept, as it is not empty"))


def _rmdir(folder: str, record: Record) -> Iterator[str]:
    if not os.listdir(folder):
        yield from perform(record.write({"do": "rmdir", "source": folder, "mode": mode(folder) & 0o7777}))


def _left(step: Step, record: Record, notes: list[Note]) -> Iterator[str]:
    return iter(())


_DOINGS = {
    "move": _moved,
    "checkpoint": _checkpointed,
    "adopt": _adopted,
    "keep-one": _kept,
    "sweep": _kept,
    "remove": _removed,
    "leave": _left,
}
