"""The knowledge base as other packages use it: opened, written through the ledger, read."""

from __future__ import annotations

import os
import sqlite3

from belay.core import kinds, paths
from belay.core.errors import BadInput, BelayError
from belay.core.tuples import NamedTuple
from belay.knowledge.entries import entries
from belay.knowledge.store import database, database_file, ledger, ledger_steps
from belay.repository import foreign_database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from typing_extensions import Unpack

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.records import (
        CountRecord,
        EntryChanges,
        EntryFields,
        ImportedRecord,
        RepeatRecord,
        RuleRecord,
        SessionRecord,
        UndoneRecord,
        UpstreamRecord,
    )

CONTENT_CHARS = 4000
"""Characters of an entry's content or reason; a document is indexed as a file instead."""


class NewEntry(NamedTuple):
    """An entry to be recorded: its type, its content, and the other fields that it is given."""

    type: str
    content: str
    fields: EntryFields


class Store:
    """An open knowledge base; a context manager. Only the modules of `knowledge/` use its `connection`.

    `on_repair` gets one line where a base that was damaged or gone was written again; without it, in hooks, nothing is
    repaired: Damaged. An error of SQLite inside the block leaves it as a BelayError. `beside` is the place that a base
    is being made for: its ledger is read. `opened` is the file that is open: not `path` where a stranger's is there.
    """

    __slots__ = ("connection", "environ", "file", "ledger", "on_repair", "opened", "path", "session", "wait")

    def __init__(
        self, path: str, environ: Mapping[str, str], session: str = "", *, create: bool = False,
        wait: float = database.WAIT, on_repair: Callable[[str], object] | None = None, beside: str = "",
    ) -> None:  # fmt: skip
        self.path, self.environ, self.session = os.path.abspath(path), environ, session
        self.ledger, self.wait, self.on_repair = paths.find_ledger(beside or self.path), wait, on_repair
        self._open(create or (on_repair is not None and os.path.exists(self.ledger)))
        is_new = on_repair is not None and database.load_value(self.connection, "place", "[]") == "[]"
        self._fold_repaired()
        if is_new and on_repair and entries.list_entries(self.connection, limit=1):
            from belay.knowledge.store import repair

            if repair.claim_announcement(self.connection):
                why = "was gone: written again" if self.opened == self.path else "was written"
                on_repair(f"{self.opened} {why} from the ledger{repair.FOLLOW}")

    def _fold_repaired(self) -> None:
        """Fold the ledger; a base that turns out to be damaged is repaired first, where that is allowed."""
        try:
            self.fold()
        except database.Damaged:
            self.close()
            self._open()
            self.fold()

    def _open(self, create: bool = False) -> None:
        try:
            self.opened = foreign_database.locate(self.path, self.environ)
            self.connection = database.open_base(self.opened, self.environ, create=create, wait=self.wait)
        except database.Damaged:
            if self.on_repair is None:
                raise
            from belay.knowledge.store import repair

            line = repair.repair_base(self.opened, self.environ)
            self.connection = database.open_base(self.opened, self.environ, create=True, wait=self.wait)
            if line:
                self.on_repair(line)
        self.file = database_file.file_identity(self.opened)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            raise self._broken(error) from error

    def close(self) -> None:
        self.connection.close()

    def fold(self) -> bool:
        """Bring the base up to its ledger; return False where another process kept it busy (it is folded later).

        A base that was replaced meanwhile (`belay rebuild db`, or it was damaged) is opened anew.
        """
        if database_file.file_identity(self.opened) != self.file:
            self.close()
            self._open(create=True)
        try:
            ledger.catch_up(self.connection, self.ledger, self.environ)
        except sqlite3.OperationalError as error:
            if database.is_damage(error):
                raise self._broken(error) from None
            return False
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from None
        return True

    def _broken(self, error: sqlite3.Error) -> BelayError:
        if database.is_damage(error):
            from belay.knowledge.store import repair

            repair.mark_suspect(self.opened)
        return database.explain_error(self.opened, error)

    def add(self, kind: str, content: str, **fields: Unpack[EntryFields]) -> Entry:
        """Record one entry; return it as it is now, which may be an older one that says the same.

        BadInput for an unknown type and for a text that is empty or too long. Secrets are taken out before the first
        byte is written.
        """
        record = self._append("entry", **self._new_record(NewEntry(kind, content, fields), {}))
        entry = ledger_steps.parse_entry(record)
        try:
            return entries.load_entry(self.connection, entry.id) or ledger_steps.near(self.connection, entry) or entry
        except sqlite3.OperationalError:  # busy: the ledger has it
            return entry

    def add_many(self, rows: Iterable[NewEntry], then: Iterable[ImportedRecord | UpstreamRecord] = ()) -> list[str]:
        """Record many entries (`session` may be one of their fields) in few writes; return their ids.

        `then`: other records of the ledger that follow in the same writes. What says the same as one before is counted
        there. BadInput, before anything is written, as for `add`.
        """
        given: dict[str, str] = {}
        records = [{"kind": "entry", "session": self.session, **self._new_record(row, given)} for row in rows]
        self._write([*records, *then])
        return [str(record["id"]) for record in records]

    def _new_record(self, row: NewEntry, given: dict[str, str]) -> dict[str, Any]:
        """Return the fields of an entry's record; `given`: the ids and contents of the entries before it."""
        kinds.check(row.type, kinds.ENTRY_TYPES, "a type of entry")
        content = check_text(row.content)
        fields = {key: _clean(value) for key, value in row.fields.items() if value not in ("", (), [], None)}
        name = self._free_name(row.type, content, given)
        given[name] = content
        return {"id": name, "type": row.type, "content": content, **fields}

    def _free_name(self, kind: str, content: str, given: Mapping[str, str]) -> str:
        """Return the id for a content: none that another content has, in the base or in `given`."""
        from belay.knowledge.entries.identity import identity

        taken: list[str] = []
        while True:
            name = entries.make_id(kind, content, taken)
            try:
                stored = entries.load_entry(self.connection, name)
            except sqlite3.OperationalError:
                stored = None  # busy, where readers wait for writers: no reason to refuse an entry
            said = stored.content if stored else given.get(name, content)
            if said == content or identity(said) == identity(content):
                return name
            taken.append(name)

    def change(self, entry: str, **changes: Unpack[EntryChanges]) -> Entry:
        """Change fields of an entry; return it; BadInput where there is no such entry."""
        name = self.get(entry).id
        self._append("entry-set", id=name, set={key: _clean(value) for key, value in changes.items()})
        return self.get(name)

    def change_many(self, found: Iterable[Entry], batch: str, **changes: Unpack[EntryChanges]) -> list[Entry]:
        """Change fields of entries in few writes, as one `batch` that can be taken back; return the entries."""
        given = {key: _clean(value) for key, value in changes.items()}
        names = {one.id: one.status for one in found}
        same = {"kind": "entry-set", "session": self.session, "set": given, "batch": batch}
        self._write([{**same, "id": name, "before": before} for name, before in names.items()])
        return [self.get(name) for name in names]

    def supersede(self, old: str, new: str) -> tuple[Entry, Entry]:
        """Mark an entry as replaced by another; return both."""
        latter = self.get(new)
        former = self.change(old, status=entries.SUPERSEDED, superseded_by=latter.id)
        return former, latter

    def append(self, record: CountRecord | RepeatRecord | RuleRecord | SessionRecord | UndoneRecord) -> None:
        """Append a record to the ledger and fold it."""
        fields: dict[str, Any] = dict(record)
        self._append(fields.pop("kind"), **fields)

    def get(self, entry: str) -> Entry:
        """Return an entry by its id; BadInput where there is none."""
        stored = entries.load_entry(self.connection, entry)
        if stored is None:
            raise BadInput(entry, "is no entry of the knowledge base", "`workshop recent` lists them")
        return stored

    def _append(self, kind: str, **fields: Any) -> Any:
        return self._write([{"kind": kind, "session": self.session, **fields}])[0]

    def _write(self, records: Iterable[Mapping[str, Any]]) -> list[Any]:
        try:
            written = ledger.append_many(self.ledger, self.environ, records)
        except OSError as error:
            what, _, mend = (error.strerror or str(error)).partition("; ")
            if mend:  # of a link in the way (`files.open_own`)
                raise BelayError(str(error.filename), what, mend) from None
            where = os.path.dirname(self.ledger)
            raise BelayError(where, f"cannot be written ({error.strerror})", "make it writable") from None
        self._fold_repaired()
        return written


def check_text(content: str) -> str:
    """Return an entry's text redacted and without blank edges; BadInput for an empty or a far too long one."""
    text = _redact(content).strip()
    if not text:
        raise BadInput("the text", "is empty", "say what to keep")
    if len(text) > CONTENT_CHARS:
        raise BadInput("the text", f"is over {CONTENT_CHARS} characters", "keep it in a file: files are indexed")
    return text


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _redact(value)
    return [_redact(str(text)) for text in value] if isinstance(value, (list, tuple)) else value


def _redact(text: str) -> str:
    from belay.safety.redaction import redact  # reading needs none of it

    return redact(text)
