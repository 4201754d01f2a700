"""One run of the index: what changed since the last one is read again, what is gone is taken out.

Written in small transactions: a run that is killed is taken up by the next one, and two at once write the same.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from belay import clock
from belay.errors import BadInput
from belay.indexing import read, walk
from belay.knowledge import base, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from belay.indexing.read import Look
    from belay.knowledge.documents import Document, Stamp
    from belay.knowledge.store import Store

    Told = Callable[[int, int], None]

FORM = "1"
"""Number of the rules by which documents are cut and cleaned: where it differs, everything is read again."""
BATCH_FILES, BATCH_SECTIONS = 100, 500
"""What one transaction holds at most: about a tenth of a second for whoever else wants to write."""


class Counts(NamedTuple):
    """What a run did: files found, read, removed from the index, left for the next run; sections written; reasons."""

    files: int = 0
    indexed: int = 0
    sections: int = 0
    removed: int = 0
    left: int = 0
    skipped: dict[str, int] = {}


class Wish(NamedTuple):
    """What is to be indexed: ignored build `output` too, comments of source `code` too."""

    output: bool
    code: bool


def run(
    folder: str, store: Store, *, ignored: bool | None = None, code: bool | None = None, limit: int | None = None,
    seconds: float | None = None, anew: bool = False, told: Told | None = None,
) -> Counts:  # fmt: skip
    """Bring the index of a folder up to date; return what was done.

    `ignored`, `code`: None for as last time. `limit`, `seconds`: at most so many files and so long; the rest is `left`.
    `anew`: read everything again. `told` is called with (files done, files to do). BadInput where there is no folder.
    """
    folder = os.path.realpath(folder)
    if not os.path.isdir(folder):
        raise BadInput(folder, "is no folder", "name the folder of your documents")
    ends = time.monotonic() + seconds if seconds else None
    try:
        return _run(store, folder, _begin(store, folder, ignored, code, anew), limit, ends, told)
    except base.SqlError as error:
        raise base.broken(store.path, error) from None


def _run(
    store: Store, folder: str, wish: Wish, limit: int | None, ends: float | None, told: Told | None
) -> Counts:
    paths, whole = walk.files(folder, output=wish.output, code=wish.code)
    known = documents.stamps(store.connection)
    looks = [read.look(folder, path) for path in paths]
    gone = _gone(known, looks) if whole else []
    for at in range(0, len(gone), BATCH_FILES):
        documents.remove(store.connection, gone[at : at + BATCH_FILES])
    todo = [one for one in looks if not one.why and _changed(one, known.get(one.path))]
    todo.sort(key=lambda one: -one.mtime)
    work = _Work(store, folder, known, len(todo), told)
    for batch in _batches(work, islice(todo, limit), ends):
        work.write(batch)
    skipped = Counter(one.why for one in looks if one.why)
    skipped.update(stamp.why for stamp in documents.stamps(store.connection).values() if stamp.why)
    return Counts(len(paths), work.indexed, work.sections, len(gone), len(todo) - work.done, dict(skipped))


def _begin(store: Store, folder: str, ignored: bool | None, code: bool | None, anew: bool) -> Wish:
    """Note what is wanted, and return it."""
    wish = Wish(
        documents.asked(store.connection, documents.OUTPUT, ignored),
        documents.asked(store.connection, documents.CODE, code),
    )
    told = {
        documents.FOLDER: folder, documents.FORM: FORM,
        documents.OUTPUT: str(int(wish.output)), documents.CODE: str(int(wish.code)),
    }  # fmt: skip
    documents.begin(store.connection, told, anew)
    return wish


def _gone(known: dict[str, Stamp], looks: list[Look]) -> list[str]:
    there = {one.path for one in looks if not one.why}
    return [path for path in known if path not in there]


def _changed(seen: Look, known: Stamp | None) -> bool:
    return known is None or (known.mtime, known.size) != (seen.mtime, seen.size)


class _Work:
    """The files of a run: read one by one, written in batches."""

    def __init__(
        self, store: Store, folder: str, known: dict[str, Stamp], todo: int, told: Told | None
    ) -> None:
        self.store, self.folder, self.known, self.todo = store, folder, known, todo
        self.told = told or (lambda done, todo: None)
        self.done = self.indexed = self.sections = 0

    def read(self, seen: Look) -> Document | None:
        return read.document(self.folder, seen, self.known.get(seen.path))

    def write(self, batch: list[tuple[Look, Document | None]]) -> None:
        found = [document for _, document in batch if document]
        touched = [(seen.path, read.settled(seen)) for seen, document in batch if not document]
        self.sections += documents.write(self.store.connection, found, touched, clock.now())
        self.done += len(batch)
        self.indexed += len(found)
        self.told(self.done, self.todo)


def _batches(
    work: _Work, looks: Iterator[Look], ends: float | None
) -> Iterator[list[tuple[Look, Document | None]]]:
    """Yield files as they were read, as many as one transaction holds, until time is over."""
    batch: list[tuple[Look, Document | None]] = []
    size = 0
    for seen in looks:
        document = work.read(seen)
        batch.append((seen, document))
        size += len(document.parts) if document else 0
        if len(batch) == BATCH_FILES or size >= BATCH_SECTIONS:
            yield batch
            batch, size = [], 0
        if ends and time.monotonic() > ends:
            break
    if batch:
        yield batch
