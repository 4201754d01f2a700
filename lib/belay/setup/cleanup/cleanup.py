"""A cleanup from end to end: look, plan, act under a lock, or undo the last one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from belay.core import files
from belay.core.errors import BelayError
from belay.core.lock import hold
from belay.core.paths import Project
from belay.repository import excludes
from belay.repository.git import status
from belay.setup.cleanup import executor, open_files, plan, sweep, undo, undo_record
from belay.setup.cleanup.executor import Note
from belay.setup.cleanup.places import LEGACY, is_plain, mode
from belay.setup.cleanup.plan import Facts, Step


class Outcome(NamedTuple):
    """What a cleanup did: its steps, what is worth telling, and the undo record's folder ("" without one)."""

    steps: list[Step]
    notes: list[Note]
    undo: str

    @property
    def done(self) -> bool:
        """Whether nothing waits for another run."""
        return not any(note.failed for note in self.notes) and not any(step.again for step in self.steps)


def plan_steps(project: Project) -> list[Step]:
    """Return what a cleanup would do now."""
    return plan.plan(project, _facts(project)) + sweep.plan(project)


def _facts(project: Project) -> Facts:
    opened = open_files.find_open_files(plan.places(project))
    try:
        tracked = status.list_tracked(project.root, list(LEGACY)) if project.git_dir else []
    except BelayError:
        tracked = []  # without git nothing can be said about it; the moves are the same
    return Facts(opened, sorted(tracked))


def carry_out(project: Project) -> Outcome:
    """Clean up, finishing first what a killed run left half-done."""
    found = plan_steps(project)
    if not _unfinished(project) and all(step.do == "leave" for step in found):
        return Outcome(found, [], "")
    made = undo_record.missing(project.undo)
    with _alone(project):
        return _carry_out(project, made)


def _unfinished(project: Project) -> undo_record.Record | None:
    before = undo_record.last(project.undo)
    return before if before and not before.finished else None


def _carry_out(project: Project, made: list[str]) -> Outcome:
    before = _unfinished(project)
    if before:
        exhaust(executor.resume(before))
    current = before or undo_record.begin(project.undo, made)
    found, notes = plan_steps(project), list[Note]()
    exhaust(executor.run(found, current, notes))
    exhaust(_ignored(project, current))
    current.write({"do": "end"})
    return Outcome(found, notes, current.folder)


def _ignored(project: Project, current: undo_record.Record) -> Iterator[str]:
    """Keep databases and undo records out of git, as everywhere in Belay; git's own folder is not entered."""
    for path, names in excludes.files(project):
        if path == project.exclude or (mode(path) and not is_plain(path)):
            continue
        old = files.read(path)
        new = excludes.block(old, names)
        if new != old:
            yield from executor.rewrite(path, new, current)


def take_back(project: Project) -> list[str]:
    """Undo the last cleanup; return what could not go back as it was. BelayError when there is none."""
    if undo_record.last(project.undo) is None:
        raise BelayError(project.relative(project.undo), "holds no cleanup to undo")
    notes: list[str] = []
    with _alone(project):
        last = undo_record.last(project.undo)
        if last:
            exhaust(undo.run(last, notes))
            _leave(project, last)
    return notes


def _leave(project: Project, last: undo_record.Record) -> None:
    """Remove the lock where no record is left, then the folders that the cleanup had made."""
    undo_record.drop_empty(project.undo)
    try:
        if os.listdir(project.undo) == ["lock"]:
            os.unlink(_lock(project))
            os.rmdir(project.undo)
    except OSError:
        return  # an open file cannot be removed everywhere; the next undo does it
    exhaust(undo.unmake(last))


def exhaust(changes: Iterator[str]) -> None:
    """Drive changes to their end."""
    for _ in changes:
        pass


@contextmanager
def _alone(project: Project) -> Iterator[None]:
    """Hold the lock of cleanups; an undo that ends removes the file, so the locked file must still exist."""
    while True:
        with hold(_lock(project), opened=True) as held:
            try:
                stands = os.path.samestat(os.fstat(held.handle), os.stat(_lock(project)))
            except FileNotFoundError:
                stands = False
            if stands:
                yield
                return


def _lock(project: Project) -> str:
    return os.path.join(project.undo, "lock")
