"""Lines of entries in the notes of commits: each at HEAD, or at the nearest ancestor whose note has room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.repository import projects
from belay.repository.git import process
from belay.repository.notes import store
from belay.repository.notes.consent import LEDGER
from belay.repository.notes.lines import NOTE_BYTES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from belay.core.paths import Project

ANCESTORS = 64
"""Commits, HEAD the first of them, whose notes are filled; each holds some hundred entries."""


class _Notes:
    """The notes of the ledger as they will be: lines by commit, and which commits changed."""

    def __init__(self, project: Project) -> None:
        self.rows = {commit: {*rows} for commit, rows in store.read_rows(project, LEDGER).items()}
        unread = {note.commit for note in store.list_notes(project, LEDGER)} - self.rows.keys()
        self.chain = [commit for commit in _list_ancestors(project) if commit not in unread]
        self.changed: set[str] = set()

    def take_out(self, gone: Collection[bytes]) -> None:
        for commit, rows in self.rows.items():
            if not rows.isdisjoint(gone):
                rows.difference_update(gone)
                self.changed.add(commit)

    def put(self, row: bytes, droppable: Collection[bytes]) -> bool:
        """Put a line where there is room, else in place of older ones that may go; False where there are none."""
        place = next((commit for commit in self.chain if self._fits(commit, row)), "")
        if not place and not self._make_room(row, droppable):
            return False
        self._add(place or self.chain[0], row)
        return True

    def _make_room(self, row: bytes, droppable: Collection[bytes]) -> bool:
        """Take older lines out of HEAD's note, as many as a new one needs: a line begins with its time."""
        rows = self.rows.get(self.chain[0], set()) if self.chain else set()
        older = sorted(old for old in rows if old in droppable and old < row)
        need = _size(rows) + len(row) + 1 - NOTE_BYTES
        if not self.chain or need > _size(older):
            return False
        while need > 0:
            need -= len(older[0]) + 1
            rows.discard(older.pop(0))
        return True

    def _fits(self, commit: str, row: bytes) -> bool:
        return _size(self.rows.get(commit, ())) + len(row) + 1 <= NOTE_BYTES

    def _add(self, commit: str, row: bytes) -> None:
        self.rows.setdefault(commit, set()).add(row)
        self.changed.add(commit)

    def spread(self) -> None:
        """Move the oldest lines of notes that a merge made too large to where there is room; without any they go."""
        for commit, rows in list(self.rows.items()):
            over = []
            for row in sorted(rows):
                if _size(rows) <= NOTE_BYTES:
                    break
                rows.discard(row)
                over.append(row)
            for row in over:
                self.changed.add(commit)
                self.put(row, ())

    def save(self, project: Project) -> None:
        for commit in sorted(self.changed):
            store.write(project, commit, sorted(self.rows[commit]), LEDGER)


def _size(rows: Collection[bytes]) -> int:
    return sum(map(len, rows)) + len(rows)


def _list_ancestors(project: Project) -> list[str]:
    """Return HEAD and its first parents, the nearest first; [] before the first commit."""
    if not projects.head(project.git_dir, project.common_dir)[1]:
        return []
    answer = process.run(project.root, "rev-list", "--first-parent", f"-n{ANCESTORS}", "HEAD")
    return answer.split()


def place(
    project: Project, rows: Iterable[bytes], *, replaced: Collection[bytes] = (), droppable: Collection[bytes] = ()
) -> int:
    """Write lines of entries, the newest first, and take out those that they replace; return how many found room.

    `droppable` are lines of this user's that may go for newer ones. Nothing is written before the first commit.
    Raises BelayError, OSError or LockTimeout.
    """
    with store.writing(project):
        notes = _Notes(project)
        if not notes.chain:
            return 0
        notes.take_out(replaced)
        count = sum(notes.put(row, droppable) for row in rows)
        notes.spread()
        notes.save(project)
    return count


def spread(project: Project) -> None:
    """Bring notes back under their cap after a merge. The caller holds the lock."""
    try:
        notes = _Notes(project)
        notes.spread()
        notes.save(project)
    except BelayError:
        return  # the lines are there; the next writer does it
