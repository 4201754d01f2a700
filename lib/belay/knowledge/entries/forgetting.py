"""Entries that are forgotten in one go, and brought back in one go, each as it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import clock, signatures
from belay.core.errors import BadInput
from belay.knowledge.entries import entries
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

LAST = "last"
"""What a person writes in place of an id for the entries that were forgotten last."""


def forget(store: Store, found: Sequence[Entry]) -> list[Entry]:
    """Forget entries; return them as they are now. The ledger keeps that they went together, and their states."""
    return store.change_many(found, clock.now(), status=entries.FORGOTTEN)


def restore_last(store: Store) -> list[Entry]:
    """Bring back what was forgotten last, each entry with the state that it had; BadInput where there is nothing."""
    for states in reversed(_list_batches(store)):
        gone = [name for name in states if _is_forgotten(store, name)]
        if gone:
            return [store.change(name, status=states[name]) for name in gone]
    raise BadInput(LAST, "names nothing: no entry is forgotten", "`workshop forget --undo ID` brings back one")


def _is_forgotten(store: Store, name: str) -> bool:
    entry = entries.load_entry(store.connection, name)
    return entry is not None and entry.status == entries.FORGOTTEN


def _list_batches(store: Store) -> list[dict[str, str]]:
    """Return {id: the state before} of every batch that this user's ledger holds, the oldest first."""
    batches: dict[str, dict[str, str]] = {}
    for record in journal.read(store.ledger)[0]:
        batch, before = record.get("batch"), record.get("before")
        if record.get("kind") != "entry-set" or not isinstance(batch, str) or not isinstance(before, str):
            continue
        if signatures.is_own(store.environ, str(record.get("session", "")), record.get("mark")):
            batches.setdefault(batch, {})[str(record.get("id", ""))] = before
    return list(batches.values())
