"""Another tool's entries into the base, each once however often its file is imported.

Record of the ledger that this room writes: `imported` with `what` (the tool) and `keys`, the hashes of what was taken.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from belay.core import signatures
from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.exchange.transcripts import IMPORTED
from belay.knowledge.store.store import checked
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.knowledge.exchange.foreign import Memory
    from belay.knowledge.store.records import ImportedRecord
    from belay.knowledge.store.store import NewEntry, Store

AT_ONCE = 900
"""Entries that are written together with the record that they were taken: fewer than one write holds."""


def fresh(store: Store, memory: Memory) -> list[NewEntry]:
    """Return the entries of a memory that no earlier import took; what is no entry's text is left out."""
    known = _known(store)
    found: dict[str, NewEntry] = {}
    for row in memory.entries:
        if _key(row) not in known and _fits(row.content):
            found.setdefault(_key(row), row)
    return list(found.values())


def _fits(content: str) -> bool:
    try:
        return bool(checked(content))
    except BelayError:
        return False


def keep(store: Store, memory: Memory, rows: Iterable[NewEntry]) -> int:
    """Write entries and the record that they were taken; return how many entries are new."""
    new = list(rows)
    for row in new:
        row.fields["source"] = IMPORTED
    before, added = entries.ids(store.connection), set[str]()
    for at in range(0, len(new), AT_ONCE):
        part = new[at : at + AT_ONCE]
        keys = [_key(row) for row in part]
        record: ImportedRecord = {"kind": "imported", "session": "", "what": memory.tool, "keys": keys}
        added.update(store.add_many(part, then=[record]))
    return len((entries.ids(store.connection) - before) & added)


def _known(store: Store) -> set[str]:
    known: set[str] = set()
    for record in journal.read(store.ledger)[0]:
        own = signatures.of(store.environ, str(record.get("session", "")))
        keys: Any = record.get("keys")
        if record.get("kind") == IMPORTED and own and record.get("mark") == own and isinstance(keys, list):
            known |= set(map(str, keys))
    return known


def _key(row: NewEntry) -> str:
    return hashlib.blake2b(f"{row.type}\n{row.content}".encode("utf-8", "replace"), digest_size=5).hexdigest()
