"""The knowledge base as everybody else uses it: open, write through the ledger, read."""

from __future__ import annotations

import os
import sqlite3

from belay.core import kinds
from belay.core.errors import BadInput, BelayError
from belay.knowledge.entries import entries
from belay.knowledge.store import database, database_file, ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from belay.knowledge.entries.entries import Entry

CONTENT_CHARS = 4000
"""Characters of an entry's content or reason; a document is indexed as a file instead."""


class Store:
    """An open knowledge base; a context manager. `connection` is for the rooms of `knowledge/` alone.

    `mend` is told in one line that a base that was damaged or gone was written again; without it, in hooks, nothing
    is mended: Damaged. What SQLite raises inside the block comes out as a BelayError. `beside` is the place that a
    base is being made for: its ledger is read.
    """

    __slots__ = ("connection", "environ", "file", "ledger", "mend", "path", "session", "wait")

    def __init__(
        self, path: str, environ: Mapping[str, str], session: str = "", *, create: bool = False,
        wait: float = database.WAIT, mend: Callable[[str], object] | None = None, beside: str = "",
    ) -> None:  # fmt: skip
        self.path, self.environ, self.session = os.path.abspath(path), environ, session
        self.ledger, self.wait, self.mend = ledger.path_of(beside or self.path), wait, mend
        self._open(create or (mend is not None and os.path.exists(self.ledger)))
        fresh = mend is not None and database.get(self.connection, "place", "[]") == "[]"
        self._fold()
        if fresh and entries.listed(self.connection, limit=1):
            self._tell_again()

    def _fold(self) -> None:
        """Fold; a base that turns out to be damaged meanwhile is mended first, by who may."""
        try:
            self.fold()
        except database.Damaged:
            self.close()
            self._open()
            self.fold()

    def _tell_again(self) -> None:
        from belay.knowledge.store import repair

        if self.mend and repair.is_first_told(self.connection):
            self.mend(f"{self.path} was gone: written again from the ledger{repair.FOLLOW}")

    def _open(self, create: bool = False) -> None:
        try:
            self.connection = database.open_base(self.path, self.environ, create=create, wait=self.wait)
        except database.Damaged:
            if self.mend is None:
                raise
            from belay.knowledge.store import repair

            line = repair.mend(self.path, self.environ)
            self.connection = database.open_base(self.path, self.environ, create=True, wait=self.wait)
            if line:
                self.mend(line)
        self.file = database_file.identity(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            raise self._broken(error) from error

    def close(self) -> None:
        self.connection.close()

    def fold(self) -> bool:
        """Bring the base up to its ledger; False where another process kept it busy: it is folded later.

        A base that was replaced meanwhile (`belay rebuild db`, or it was damaged) is opened anew.
        """
        if database_file.identity(self.path) != self.file:
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

            repair.suspect(self.path)
        return database.broken(self.path, error)

    def add(self, kind: str, content: str, **fields: Any) -> Entry:
        """Record one entry (fields as in `ledger`); return it as it stands now: it may be an older one, said again.

        BadInput for an unknown type and for a text that is empty or too long. Secrets are taken out before the first
        byte is written.
        """
        record = self._append("entry", **self._row(kind, content, fields, {}))
        try:
            return entries.get(self.connection, str(record["id"])) or self._same(ledger.of(record))
        except sqlite3.OperationalError:  # busy: the ledger has it
            return ledger.of(record)

    def add_many(
        self, rows: Iterable[tuple[str, str, Mapping[str, Any]]], then: Iterable[dict[str, Any]] = ()
    ) -> list[str]:
        """Record many entries (type, content, fields; `session` may be one of these) in few writes; return their ids.

        `then`: other records of the ledger that follow in the same writes. What says the same as one before is counted
        there. BadInput, before anything is written, as for `add`.
        """
        given: dict[str, str] = {}
        records = [{"kind": "entry", "session": self.session, **self._row(*row, given)} for row in rows]
        ledger.append_many(self.ledger, self.environ, [*records, *then])
        self._fold()
        return [str(record["id"]) for record in records]

    def _row(
        self, kind: str, content: str, fields: Mapping[str, Any], given: dict[str, str]
    ) -> dict[str, Any]:
        kinds.check(kind, kinds.ENTRY_TYPES, "a type of entry")
        content = checked(content)
        kept = {key: _clean(value) for key, value in fields.items() if value not in ("", (), [], None)}
        taken = self._taken(kind, content, given)
        given[taken] = content
        return {"id": taken, "type": kind, "content": content, **kept}

    def _taken(self, kind: str, content: str, given: Mapping[str, str]) -> str:
        """Return the id for a content: of other content's ids, in the base or just given, none."""
        from belay.knowledge.entries import similarity

        other: list[str] = []
        while True:
            taken = entries.name(kind, content, other)
            standing = self._standing(taken)
            said = standing.content if standing else given.get(taken, content)
            if entries.name(kind, said) == entries.name(kind, content) and similarity.exact(said, content):
                return taken
            other.append(taken)

    def _standing(self, entry: str) -> Entry | None:
        try:
            return entries.get(self.connection, entry)
        except (
            sqlite3.OperationalError
        ):  # busy, where readers wait for writers: no reason to refuse what is said
            return None

    def _same(self, entry: Entry) -> Entry:
        return ledger.near(self.connection, entry) or entry

    def change(self, entry: str, **fields: Any) -> Entry:
        """Change fields of an entry (`ledger.SETTABLE`); return it; BadInput where there is no such entry."""
        standing = self.get(entry)
        self._append("entry-set", id=standing.id, set={key: _clean(value) for key, value in fields.items()})
        return self.get(standing.id)

    def supersede(self, old: str, new: str) -> tuple[Entry, Entry]:
        """Mark an entry as replaced by another; return both."""
        latter = self.get(new)
        former = self.change(old, status=entries.SUPERSEDED, superseded_by=latter.id)
        return former, latter

    def note(self, kind: str, **fields: Any) -> None:
        """Append any other record of the ledger and fold it."""
        self._append(kind, **fields)

    def get(self, entry: str) -> Entry:
        """Return an entry by its id; BadInput where there is none."""
        found = entries.get(self.connection, entry)
        if found is None:
            raise BadInput(entry, "is no entry of the knowledge base", "`workshop recent` lists them")
        return found

    def _append(self, kind: str, **fields: Any) -> dict[str, Any]:
        try:
            record = ledger.append(self.ledger, self.environ, kind, self.session, **fields)
        except OSError as error:
            where, mend = os.path.dirname(self.ledger), "make it writable"
            raise BelayError(where, f"cannot be written ({error.strerror})", mend) from None
        self._fold()
        return record


def checked(content: str) -> str:
    """Return an entry's text redacted and without blank edges; BadInput for an empty or a far too long one."""
    text = _redacted(content).strip()
    if not text:
        raise BadInput("the text", "is empty", "say what to keep")
    if len(text) > CONTENT_CHARS:
        raise BadInput(
            "the text", f"is over {CONTENT_CHARS} characters", "keep it in a file: files are indexed"
        )
    return text


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _redacted(value)
    return [_redacted(str(one)) for one in value] if isinstance(value, (list, tuple)) else value


def _redacted(text: str) -> str:
    from belay.safety.redaction import redact  # reading needs none of it

    return redact(text)
