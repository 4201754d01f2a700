"""Take over an earlier tool's database: its entries through the ledger, everything else unchanged, with a backup.

Killed anywhere, it is repeated from the start: each row has a name made of what it says (`once`), and one that is in
the ledger already is not written twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import files, outputs
from belay.core.errors import BelayError
from belay.knowledge.exchange import adoption_mapping
from belay.knowledge.store import database, database_file, ledger, legacy
from belay.knowledge.store.store import NewEntry, Store
from belay.knowledge.store.tables import carried_tables
from belay.safety.redaction import redact
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from belay.knowledge.store.legacy import Row
    from belay.knowledge.store.records import UpstreamRecord

SESSION = "import"
VALUE_BYTES = 1 << 20
"""A row with a larger value stays in the backup alone."""


class TakeOver(NamedTuple):
    """What came of a take-over: the tool, entries and other rows taken over, what stays in the backup alone."""

    tool: str
    entries: int
    rows: int
    left: tuple[str, ...] = ()
    backup: str = ""


class OldEntry(NamedTuple):
    """An entry of a database: its table, its id there, what it says."""

    table: str
    id: str
    entry: NewEntry


def take_over(source: str, store: Store, batch: str) -> TakeOver:
    """Bring a database without a log beside it into an open base."""
    try:
        return _take_over(source, store, batch)
    except database.SqlError as error:
        raise BelayError(source, f"cannot be taken over ({error})", "it is left as it is") from None


def _take_over(source: str, store: Store, batch: str) -> TakeOver:
    tool = legacy.find_tool(source)
    tables, left = legacy.list_tables(source)
    if tool == legacy.BELAY:  # it came with a clone: its words alone are taken
        tables, left = [table for table in tables if table.name in ("entries", *adoption_mapping.LISTS)], []
    lists = {name: load_lists(source, tables, name) for name in adoption_mapping.LISTS}
    once = RowNames(store.ledger)
    rows, entries = (
        _make_records(source, tables, tool, once, batch, left),
        _make_entries(source, tables, lists, once, batch, tool),
    )
    carry = [] if tool == legacy.BELAY else list(rows)
    ledger.append_many(store.ledger, store.environ, carry)
    store.add_many(entries)
    other = [table for table in tables if table.name not in adoption_mapping.LEDGERED]
    count = _copy_tables(source, other, store, batch, left)
    return TakeOver(tool, len(entries), len(carry) + count, tuple(left))


class RowNames:
    """Names of rows by what they say; `fresh` is empty for one that the ledger holds."""

    def __init__(self, path: str) -> None:
        self.known: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        for record in journal.read(path)[0]:
            if record.get("kind") == "import-undone":
                self.known = {key: of for key, of in self.known.items() if of != record.get("batch")}
            elif "once" in record:
                self.known[str(record["once"])] = str(record.get("batch", ""))

    def fresh(self, table: str, said: Any) -> str:
        text = json.dumps([table, said], sort_keys=True, default=str)
        nth = self.counts[text] = self.counts.get(text, 0) + 1
        name = hashlib.blake2b(f"{nth} {text}".encode("utf-8", "replace"), digest_size=10).hexdigest()
        return "" if name in self.known else name


def _make_records(
    source: str, tables: list[legacy.Table], tool: str, once: RowNames, batch: str, left: list[str]
) -> Iterator[UpstreamRecord]:
    for table in tables if tool != legacy.BELAY else ():
        for row in _load_rows(source, table, left) if table.name in adoption_mapping.LEDGERED else ():
            packed = {column: carried_tables.pack_value(_redact(value)) for column, value in row.items()}
            name = once.fresh(table.name, packed)
            if name:
                yield {"kind": "upstream", "session": SESSION, "tool": tool, "table": table.name, "row": packed,
                       "batch": batch, "once": name}  # fmt: skip


def _make_entries(
    source: str,
    tables: list[legacy.Table],
    lists: dict[str, dict[str, list[str]]],
    once: RowNames,
    batch: str,
    tool: str,
) -> list[NewEntry]:
    found = read_entries(source, tables, lists, tool)
    return [*_name_entries(found, once, {"tool": tool, "batch": batch})]


def read_entries(
    source: str, tables: list[legacy.Table], lists: dict[str, dict[str, list[str]]], tool: str, seconds: float = 0.0
) -> Iterator[OldEntry]:
    """Yield what the rows of a database say as entries, as they are: not redacted, not checked."""
    for table in tables:
        for row in legacy.read_rows(source, table, seconds) if table.name in adoption_mapping.LEDGERED else ():
            entry = adoption_mapping.convert_row(table.name, row, lists)
            if entry and not (tool == legacy.BELAY and entry.fields.get("status") == "forgotten"):
                yield OldEntry(table.name, str(row.get("id", "")), entry)


def _name_entries(found: Iterable[OldEntry], once: RowNames, about: dict[str, str]) -> Iterator[NewEntry]:
    """Yield the entries that the ledger does not hold yet, redacted, each with its name in the take-over."""
    for table, number, entry in found:
        name = once.fresh("entry", [table, number, *entry])
        if name and redact(entry.content).strip():
            old = {"tool": about["tool"], "id": number, "batch": about["batch"]}
            entry.fields.update({"session": SESSION, "metadata": old, "batch": about["batch"], "once": name})
            yield entry._replace(content=adoption_mapping.cut_text(redact(entry.content)))


def take_in_entries(found: Iterable[OldEntry], store: Store, tool: str, batch: str) -> int:
    """Record those entries of a database that the ledger does not hold yet; return how many."""
    entries = [*_name_entries(found, RowNames(store.ledger), {"tool": tool, "batch": batch})]
    store.add_many(entries)
    return len(entries)


def load_lists(source: str, tables: list[legacy.Table], name: str, seconds: float = 0.0) -> dict[str, list[str]]:
    """Return the values that a table of lists has for each entry, by the entry's old id."""
    lists: dict[str, list[str]] = {}
    for row in (row for table in tables if table.name == name for row in legacy.read_rows(source, table, seconds)):
        value = row.get(adoption_mapping.LISTS[name])
        if isinstance(value, str):
            lists.setdefault(str(row.get("entry_id")), []).append(value)
    return lists


def _load_rows(source: str, table: legacy.Table, left: list[str]) -> Iterator[Row]:
    """Yield the rows of a table that can be carried over; count what is too large for that."""
    large = 0
    for row in legacy.read_rows(source, table):
        if any(isinstance(value, (str, bytes)) and len(value) > VALUE_BYTES for value in row.values()):
            large += 1
        else:
            yield row
    if large:
        left.append(f"{large} rows of {table.name}")


def _copy_tables(source: str, tables: list[legacy.Table], store: Store, batch: str, left: list[str]) -> int:
    """Copy tables straight into the base, once a batch, in one transaction."""
    count = 0
    with database.Transaction(store.connection):
        if database.load_value(store.connection, f"taken {batch}"):
            return 0
        for table in tables:
            for row in _load_rows(source, table, left):
                values = {column: _redact(value) for column, value in row.items()}
                carried_tables.insert_row(store.connection, table.name, values, batch)
                count += 1
        database.save_value(store.connection, f"taken {batch}", str(count))
    return count


def _redact(value: Any) -> Any:
    return redact(value) if isinstance(value, str) else value


def hash_database(path: str) -> str:
    """Return the name of a take-over: a hash of the database that is taken over."""
    digest = hashlib.blake2b(digest_size=8)
    with open(path, "rb") as opened:
        while piece := opened.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def back_up(path: str, folder: str) -> str:
    """Keep a copy of a database in a folder, its log folded in; return its path. BelayError where it is damaged."""
    files.make_folder(folder)
    work = os.path.join(folder, f"workshop.db.{os.getpid()}.tmp")
    wrong = legacy.find_trouble(path) or legacy.copy_database(path, work)
    if wrong:
        database_file.discard(work)
        raise BelayError(path, f"{wrong}; it is left alone", "put an undamaged copy in its place")
    stem = os.path.join(folder, f"workshop.db.{legacy.find_tool(work)}-{time.strftime('%Y%m%d')}")
    number, target = 1, f"{stem}.bak"
    while os.path.lexists(target) and hash_database(target) != hash_database(work):
        number += 1
        target = f"{stem}-{number}.bak"
    outputs.sync_file(work)
    files.replace(work, target)
    return target


def take_over_into(source: str, made: str, path: str, environ: Mapping[str, str], batch: str) -> TakeOver:
    """Bring a database into a base that is being made for a place, with that place's ledger."""
    with Store(made, environ, SESSION, create=True, beside=path) as store:
        return take_over(source, store, batch)


def record_undo(path: str, environ: Mapping[str, str], batch: str) -> None:
    """Record in a ledger that a take-over was undone, once."""
    kinds = [record["kind"] for record in journal.read(path)[0] if record.get("batch") == batch]
    if kinds and kinds[-1] != "import-undone":
        ledger.append(path, environ, "import-undone", SESSION, batch=batch)


def take_over_in_place(path: str, environ: Mapping[str, str]) -> TakeOver:
    """Put a base of ours in the place of an earlier tool's, with all that it held; the old one stays as backup."""
    copy = back_up(path, os.path.dirname(path))
    beside = f"{path}.{os.getpid()}.new.tmp"
    database_file.discard(beside)
    taken = take_over_into(copy, beside, path, environ, hash_database(copy))
    with database.base_lock(path, environ):
        for end in database_file.SIDECARS:
            if os.path.lexists(path + end):
                os.unlink(path + end)
        files.replace(beside, path)
    return taken._replace(backup=copy)


def take_over_from(source: str, target: str, environ: Mapping[str, str]) -> TakeOver:
    """Bring an earlier tool's database from its own place into ours; it moves beside ours as backup."""
    copy = back_up(source, os.path.dirname(target))
    with Store(target, environ, SESSION, create=True) as store:
        taken = take_over(copy, store, hash_database(copy))
    for end in (*database_file.SIDECARS, ""):
        if os.path.lexists(source + end):
            os.unlink(source + end)
    _remove_empty_folders(os.path.dirname(source))
    return taken._replace(backup=copy)


def _remove_empty_folders(folder: str) -> None:
    """Remove an earlier tool's folder, and the one above it, where nothing else is in it."""
    for path in (folder, os.path.dirname(folder)):
        if os.path.basename(path) in (".workshop", "memory", ".claude-work") and not os.listdir(path):
            os.rmdir(path)
