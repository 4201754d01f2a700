"""One run of the index: what changed since the last one is read again, what is gone is taken out.

Written in small transactions: a run that is killed is taken up by the next one, and two at once write the same.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, settings
from belay.core import files as core_files
from belay.core.errors import BadInput
from belay.knowledge.documents import bulk_folders, documents, file_kinds, walk
from belay.knowledge.documents import reading as read
from belay.knowledge.documents.documents import Stamp
from belay.knowledge.entries import insights
from belay.knowledge.store import database
from belay.knowledge.store.store import Store
from belay.repository import excludes, projects, row_vetting, vetting
from belay.safety.labels import make_label
from belay.safety.trust import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from belay.core.paths import Project
    from belay.knowledge.documents.documents import Document
    from belay.knowledge.documents.reading import Look

    Told = Callable[[int, int], None]

FORM = "2"
"""Number of the rules by which documents are cut and cleaned: where it differs, everything is read again."""
STEP_FILES, STEP_SECONDS, STEP_NAMES = 500, 2.0, 100_000
"""What one run of the consolidator reads at most; the next one goes on."""
BATCH_FILES, BATCH_SECTIONS = 100, 500
"""What one transaction holds at most: about a tenth of a second for whoever else wants to write."""


UNREACHED = "too many names: some folders"
_NEW = Stamp(-1, -1, "")


class Counts(NamedTuple):
    """What a run did: files found, read, removed from the index, left for the next run; sections written; reasons.

    `bulk`: folders that are left out as a program's (`bulk_folders`), with the number of their files.
    """

    files: int = 0
    indexed: int = 0
    sections: int = 0
    removed: int = 0
    left: int = 0
    skipped: dict[str, int] = {}
    bulk: dict[str, int] = {}


class Wish(NamedTuple):
    """What is to be indexed: ignored build `output` too, comments of source `code` too; only what is `below`."""

    output: bool
    code: bool
    below: str = ""


def run_index(
    folder: str, store: Store, *, ignored: bool | None = None, code: bool | None = None, limit: int | None = None,
    seconds: float | None = None, anew: bool = False, below: str = "", told: Told | None = None,
) -> Counts:  # fmt: skip
    """Bring the index of a folder up to date; return what was done.

    `ignored`, `code`: None for as last time. `limit`, `seconds`: at most so many files and so long; the rest is `left`.
    `anew`: read everything again. `below`: only what is below this folder in it ("docs/"). `told` is called with
    (files done, files to do). BadInput where there is no folder.
    """
    folder = os.path.realpath(folder)
    if not os.path.isdir(folder):
        raise BadInput(folder, "is no folder", "name the folder of your documents")
    ends = time.monotonic() + seconds if seconds else None
    try:
        wish = _save_wish(store, folder, ignored, code, below, anew)
        return _run(store, folder, wish, limit, ends, told)
    except database.SqlError as error:
        raise database.explain_error(store.path, error) from None


def run_step(project: Project, environ: Mapping[str, str], _: object = ()) -> Counts | None:
    """Bring the index of a project's documents on by one bounded run; None where the setting `index` is off.

    Neither where a variable names a base that holds another folder's documents: who asked for those keeps them.
    """
    if not settings.load_settings(project, environ)["index"]:
        return None
    if not os.path.exists(project.workshop):
        excludes.write_excludes(project, environ)
    with Store(project.workshop, environ, create=True) as store:
        folder = _find_own_folder(project, store)
        return run_index(folder, store, limit=STEP_FILES, seconds=STEP_SECONDS) if folder else None


def update_trust(project: Project, store: Store, names: list[str]) -> None:
    """Note at once which files' rules are trusted; one of these that was not read as it is now is read first."""
    folder = _find_own_folder(project, store)
    if not folder:
        return
    known = insights.load_files(store.connection)
    for name in names if settings.load_settings(project, store.environ)["index"] else ():
        if known.get(make_label(name)) != digest(core_files.read(os.path.join(folder, name))):
            run_index(folder, store, below=name)
    _save_trust(store, _find_project(folder, store))


def _find_own_folder(project: Project, store: Store) -> str:
    """Return the folder whose documents a base is to hold, "" where it holds another's: a variable may name such."""
    folder, before = find_folder(project, store), documents.load_folder(store.connection)
    return "" if project.database and before not in ("", make_label(folder)) else folder


def find_folder(project: Project, store: Store) -> str:
    """Return the folder whose documents a project's base holds: the main checkout.

    Where there is none (a bare repository with worktrees) it stays the worktree that was the first.
    """
    before = documents.find_folder(store.connection, project.root, project.home)
    if project.home != project.root or not before or not os.path.isdir(before):
        return project.home
    other = projects.find(before, store.environ)
    return before if other and (other.root, other.store) == (before, project.store) else project.home


def _run(store: Store, folder: str, wish: Wish, limit: int | None, ends: float | None, told: Told | None) -> Counts:
    names, is_complete = walk.list_files(
        folder, output=wish.output, code=wish.code, most=STEP_NAMES if ends else walk.ENTRIES
    )
    project = _find_project(folder, store)
    bulk: dict[str, int] = {}
    if project and project.git_dir:
        names, bulk = bulk_folders.leave_out(store, folder, names, wish.below)
    known = _load_known(store, wish)
    names = [name for name in _add_own(names, project) if not wish.below or make_label(name).startswith(wish.below)]
    looks = [read.look_at_file(folder, name) for name in names]
    gone = _list_gone(known, looks) if is_complete else []
    for at in range(0, len(gone), BATCH_FILES):
        documents.remove_files(store.connection, gone[at : at + BATCH_FILES])
    memory = _read_memory(project, store, names)
    todo = _list_changed(looks, known, memory)
    rules = insights.load_ids(store.connection)
    work = _Run(store, folder, known, memory, len(todo), told)
    for batch in _read_batches(work, islice(todo, limit), ends):
        work.write(batch)
    documents.replay_rules(store, rules)
    _save_trust(store, project)
    skipped = Counter([one.why for one in looks if one.why] + ([] if is_complete else [UNREACHED]))
    skipped.update(stamp.why for stamp in _load_known(store, wish).values() if stamp.why)
    return Counts(len(looks), work.indexed, work.sections, len(gone), len(todo) - work.done, dict(skipped), bulk)


def _load_known(store: Store, wish: Wish) -> dict[str, Stamp]:
    rows = documents.load_stamps(store.connection).items()
    return {path: stamp for path, stamp in rows if path.startswith(wish.below)}


def _find_project(folder: str, store: Store) -> Project | None:
    """Return the project whose root the folder is, None for any other folder."""
    project = projects.find(folder, store.environ)
    return project if project and project.root == folder else None


def _add_own(names: list[str], project: Project | None) -> list[str]:
    """Return the files without Belay's own, and the project's memory files, which git may ignore."""
    playbooks = os.path.join(project.store, "playbooks") if project else ""
    belay_files = vetting.candidates(project) if project else []
    if project and os.path.isdir(playbooks):
        belay_files += [project.relative(os.path.join(playbooks, name)) for name in os.listdir(playbooks)]
    wanted = {name for name in belay_files if file_kinds.is_text(name) and not os.path.isabs(name)}
    return sorted(name for name in wanted.union(names) if not file_kinds.is_belay_file(name))


def _save_trust(store: Store, project: Project | None) -> None:
    """Note of the files that hold rules whether this user trusts them, as they were read."""
    known = insights.load_files(store.connection)
    if not known:
        return
    trusted = vetting.read_trusted(project, store.environ, list(known))[0] if project else {}
    documents.save_trusted(
        store.connection, {path for path in trusted if digest(trusted[path].encode()) == known[path]}
    )


def _save_wish(store: Store, folder: str, ignored: bool | None, code: bool | None, below: str, anew: bool) -> Wish:
    """Note what is wanted, and return it."""
    wish = Wish(
        documents.load_choice(store.connection, documents.OUTPUT, ignored),
        documents.load_choice(store.connection, documents.CODE, code),
        make_label(below),
    )
    values = {
        documents.FOLDER: make_label(folder), documents.FORM: FORM,
        documents.OUTPUT: str(int(wish.output)), documents.CODE: str(int(wish.code)),
    }  # fmt: skip
    documents.begin_run(store.connection, values, anew)
    return wish


def _list_gone(known: dict[str, Stamp], looks: list[Look]) -> list[str]:
    there = {look.path for look in looks if not look.why}
    return [path for path in known if path not in there]


def _read_memory(project: Project | None, store: Store, names: list[str]) -> dict[str, str | None]:
    """Return what may be shown of each memory file, None where nothing may: Claude reads what a search finds."""
    judged = row_vetting.list_judged(project, names) if project else []
    shown = row_vetting.read_known(project, store.environ, judged).texts if project and judged else {}
    return {name: shown.get(name) for name in judged}


def _list_changed(looks: list[Look], known: dict[str, Stamp], memory: dict[str, str | None]) -> list[Look]:
    """Return the files to read, the newest first; those that were only too young to be sure of come last.

    A memory file is also read if another part of it may be shown than the last time.
    """
    judged = {name: digest((text or "").encode("utf-8", "replace")) for name, text in memory.items()}

    def is_changed(look: Look) -> bool:
        mtime, size, text, _ = known.get(look.path, _NEW)
        return (mtime, size) != (look.mtime, look.size) or judged.get(look.name, text) != text

    todo = [look for look in looks if not look.why and is_changed(look)]
    return sorted(todo, key=lambda look: (known.get(look.path, _NEW)[:2] == (0, look.size), -look.mtime))


class _Run:
    """The files of a run: read one by one, written in batches."""

    def __init__(
        self, store: Store, folder: str, known: dict[str, Stamp], memory: dict[str, str | None], todo: int,
        told: Told | None,
    ) -> None:  # fmt: skip
        self.store, self.folder, self.known, self.memory, self.todo = store, folder, known, memory, todo
        self.told = told or (lambda done, todo: None)
        self.done = self.indexed = self.sections = 0

    def read(self, seen: Look) -> Document | None:
        if seen.name in self.memory:
            return read.read_memory(seen, self.known.get(seen.path), self.memory[seen.name])
        return read.read_document(self.folder, seen, self.known.get(seen.path))

    def write(self, batch: list[tuple[Look, Document | None]]) -> None:
        documents_read = [document for _, document in batch if document]
        touched = [(seen.path, read.safe_time(seen)) for seen, document in batch if not document]
        self.sections += documents.write_documents(self.store.connection, documents_read, touched, clock.now())
        self.done += len(batch)
        self.indexed += sum(not document.stamp.why for document in documents_read)
        self.told(self.done, self.todo)


def _read_batches(
    work: _Run, looks: Iterator[Look], ends: float | None
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
