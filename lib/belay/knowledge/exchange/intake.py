"""Another tool's entries into the base, each once however often its file is imported.

The ledger record `imported` (`store.records.ImportedRecord`) holds the tool and the hashes of the entries taken.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from belay.core import signatures
from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.exchange.transcripts import IMPORTED
from belay.knowledge.store.store import check_text
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.knowledge.exchange.foreign import Memory
    from belay.knowledge.store.records import ImportedRecord
    from belay.knowledge.store.store import NewEntry, Store

AT_ONCE = 900
"""Entries that are written together with the record that they were taken: fewer than one write holds."""


def select_new(store: Store, memory: Memory) -> list[NewEntry]:
    """Return the entries of a memory that no earlier import took; what is no entry's text is left out."""
    known = _load_known(store)
    rows: dict[str, NewEntry] = {}
    for row in memory.entries:
        if _hash_entry(row) not in known and _is_valid(row.content):
            rows.setdefault(_hash_entry(row), row)
    return list(rows.values())


def _is_valid(content: str) -> bool:
    try:
        return bool(check_text(content))
    except BelayError:
        return False


def save_entries(store: Store, memory: Memory, rows: Iterable[NewEntry]) -> int:
    """Write entries and the record that they were taken; return how many entries are new."""
    new = list(rows)
    for row in new:
        row.fields["source"] = IMPORTED
    before, added = entries.load_ids(store.connection), set[str]()
    for at in range(0, len(new), AT_ONCE):
        part = new[at : at + AT_ONCE]
        keys = [_hash_entry(row) for row in part]
        record: ImportedRecord = {"kind": "imported", "session": "", "what": memory.tool, "keys": keys}
        added.update(store.add_many(part, then=[record]))
    return len((entries.load_ids(store.connection) - before) & added)


def _load_known(store: Store) -> set[str]:
    known: set[str] = set()
    for record in journal.read(store.ledger)[0]:
        is_own = signatures.is_own(store.environ, str(record.get("session", "")), record.get("mark"))
        keys: Any = record.get("keys")
        if is_own and record.get("kind") == IMPORTED and isinstance(keys, list):
            known |= set(map(str, keys))
    return known


def _hash_entry(row: NewEntry) -> str:
    return hashlib.blake2b(f"{row.type}\n{row.content}".encode("utf-8", "replace"), digest_size=5).hexdigest()
