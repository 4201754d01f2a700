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

    from belay.knowledge.exchange.foreign import Given, Memory
    from belay.knowledge.store.store import Store

AT_ONCE = 900
"""Entries that are written together with the record that they were taken: fewer than one write holds."""


def fresh(store: Store, memory: Memory) -> list[Given]:
    """Return the entries of a memory that no earlier import took; what is no entry's text is left out."""
    known = _known(store)
    found: dict[str, Given] = {}
    for row in memory.entries:
        if _key(row) not in known and _fits(row[1]):
            found.setdefault(_key(row), row)
    return list(found.values())


def _fits(content: str) -> bool:
    try:
        return bool(checked(content))
    except BelayError:
        return False


def keep(store: Store, memory: Memory, rows: Iterable[Given]) -> int:
    """Write entries and the record that they were taken; return how many entries are new."""
    taken = [(kind, text, {**fields, "source": IMPORTED}) for kind, text, fields in rows]
    before, added = entries.ids(store.connection), set[str]()
    for at in range(0, len(taken), AT_ONCE):
        part = taken[at : at + AT_ONCE]
        keys = [_key(row) for row in part]
        added |= {
            *store.add_many(part, then=[{"kind": IMPORTED, "session": "", "what": memory.tool, "keys": keys}])
        }
    return len((entries.ids(store.connection) - before) & added)


def _known(store: Store) -> set[str]:
    known: set[str] = set()
    for record in journal.read(store.ledger)[0]:
        own = signatures.of(store.environ, str(record.get("session", "")))
        keys: Any = record.get("keys")
        if record.get("kind") == IMPORTED and own and record.get("mark") == own and isinstance(keys, list):
            known |= set(map(str, keys))
    return known


def _key(row: Given) -> str:
    return hashlib.blake2b(f"{row[0]}\n{row[1]}".encode("utf-8", "replace"), digest_size=5).hexdigest()
