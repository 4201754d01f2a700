"""The database of conversations, beside their files: sections in a text index of their own, and a catalog of sessions.

Each section is a document of its own there: a session is about many things, and its words say little of one answer.
It is no part of the knowledge base: what was said in passing must not change how entries and documents are ranked.
Whatever is in it can be written again from the files.
"""

from __future__ import annotations

import os
import time

from belay.core import clock, files, json_codec
from belay.core.errors import BelayError
from belay.core.tuples import NamedTuple
from belay.knowledge.conversations import turns
from belay.knowledge.store import database
from belay.knowledge.store.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypedDict

    from belay.knowledge.conversations.archive import Archive
    from belay.knowledge.conversations.turns import Conversation

    Told = Callable[[int, int], None]

    class Row(TypedDict):
        """A session in the catalog: its file as it was read, and the fields of its Summary, [] for one without text."""

        seen: list[object]
        row: list[Any]


FORM = "1"
"""Number of the rules by which conversations are cut: where it differs, every file is read again."""
CATALOG = "conversations"
"""Key of the catalog in the database's own values: JSON, session → a Row."""
FILES_KEPT = 60
BATCH = 500
"""Sections of one transaction."""


class Summary(NamedTuple):
    """A session as lists show it: UTC times, commit at its end, prompts, its branches and the files that it edited.

    The branch on which it was last is the last one.
    """

    name: str
    title: str
    started: str
    active: str
    commit: str
    folder: str
    prompts: int
    branches: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def branch(self) -> str:
        """The branch at its end, "" where none is known."""
        return self.branches[-1] if self.branches else ""


class Indexed(NamedTuple):
    """What a run did: sessions read and removed, sections written, sessions left for the next run."""

    sessions: int = 0
    sections: int = 0
    removed: int = 0
    left: int = 0


def open_index(kept: Archive, *, create: bool = False) -> Store:
    """Open the database of an archive; one that is damaged is made anew where that is allowed."""
    try:
        return Store(kept.index, kept.environ, create=create)
    except database.Damaged:
        if not create:
            raise
    for name in files.list_names(kept.folder):
        if name.startswith(os.path.basename(kept.index)):
            os.unlink(os.path.join(kept.folder, name))
    return Store(kept.index, kept.environ, create=True)


def update(kept: Archive, ends: float | None = None, told: Told | None = None) -> Indexed:
    """Bring the database up to the files, the newest first, until a moment (monotonic)."""
    from belay.knowledge.documents import documents
    from belay.knowledge.vectors import missing

    with open_index(kept, create=True) as store:
        catalog, names = _load_rows(store), kept.list_names()
        gone = sorted(catalog.keys() - set(names))
        todo = [name for name in names if name not in catalog or catalog[name]["seen"] != _stamp(kept, name)]
        paths = _list_paths(store) if gone or todo else {}
        documents.remove_files(store.connection, [path for name in gone for path in paths.get(name, ())])
        done = sections = 0
        for name in sorted(todo, key=_age(kept), reverse=True):
            if ends is not None and time.monotonic() > ends:
                break
            catalog[name], written = _write(store, kept, name, paths.get(name, []))
            sections, done = sections + written, done + 1
            if told:
                told(done, len(todo))
        _save_rows(store, {name: row for name, row in catalog.items() if name not in gone})
        missing.make_missing(store, max(0.001, ends - time.monotonic()) if ends is not None else None)
    return Indexed(done, sections, len(gone), len(todo) - done)


def _list_paths(store: Store) -> dict[str, list[str]]:
    """Return the paths of each session's sections: "session/number"."""
    from belay.knowledge.documents import documents

    paths: dict[str, list[str]] = {}
    for path in documents.load_stamps(store.connection):
        paths.setdefault(path.partition("/")[0], []).append(path)
    return paths


def _age(kept: Archive) -> Callable[[str], float]:
    return lambda name: files.written_at(kept.path(name))


def _stamp(kept: Archive, name: str) -> list[object]:
    return [*files.stamp(kept.path(name)), FORM, kept.hidden.changes.get(name, 0)]


def _write(store: Store, kept: Archive, name: str, before: list[str]) -> tuple[Row, int]:
    """Write a session's sections in place of those before; return its row of the catalog, and how many sections."""
    from belay.knowledge.documents import documents

    seen = _stamp(kept, name)
    said = turns.read_conversation(kept.load(name))
    made = []
    for number, (part, turn) in enumerate(turns.cut_sections(said)):
        stamp = documents.Stamp(int(clock.seconds(turn.time) * 1e9), len(part[3]), "")
        made.append(documents.Document(f"{name}/{number}", stamp, len(part[3].split()), [part]))
    documents.remove_files(store.connection, set(before) - {one.path for one in made})
    for at in range(0, len(made), BATCH):
        documents.write_documents(store.connection, made[at : at + BATCH], [], clock.now())
    return {"seen": seen, "row": [*_summarize(name, said)[1:]] if said.turns else []}, len(made)


def _summarize(name: str, said: Conversation) -> Summary:
    branches = dict.fromkeys(turn.branch for turn in reversed(said.turns) if turn.branch)
    commits = [turn.commit for turn in said.turns if turn.commit]
    edited = dict.fromkeys(path for turn in said.turns for path in turn.files)
    return Summary(
        name, said.title, said.started, said.active, commits[-1] if commits else "", said.folder,
        sum(1 for turn in said.turns if turn.prompt), tuple(reversed(branches)), tuple(edited)[:FILES_KEPT],
    )  # fmt: skip


def _load_rows(store: Store) -> dict[str, Row]:
    try:
        rows = json_codec.loads(database.load_value(store.connection, CATALOG, "{}"))
    except ValueError:
        rows = {}
    return rows if isinstance(rows, dict) else {}


def _save_rows(store: Store, rows: dict[str, Row]) -> None:
    text = json_codec.dumps(rows)
    if text != database.load_value(store.connection, CATALOG, "{}"):
        database.save_value(store.connection, CATALOG, text)


def load_catalog(store: Store) -> list[Summary]:
    """Return the sessions that are searchable, the latest first."""
    rows = [_make_summary(name, row["row"]) for name, row in _load_rows(store).items() if row["row"]]
    return sorted(rows, key=lambda row: (row.active, row.name), reverse=True)


def _make_summary(name: str, fields: list[Any]) -> Summary:
    *plain, branches, edited = fields
    return Summary(*[name, *plain, tuple(branches), tuple(edited)])


def read_catalog(kept: Archive) -> list[Summary]:
    """Return the same without an open database; [] where there is none that can be read."""
    try:
        with open_index(kept) as store:
            return load_catalog(store)
    except (BelayError, database.SqlError):
        return []
