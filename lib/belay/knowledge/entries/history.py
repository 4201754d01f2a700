"""How a fact came to be what it is: the line of entries that replaced each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import signatures
from belay.core.errors import BadInput
from belay.knowledge.entries import entries
from belay.session import journal

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

LONGEST = 50
"""Entries of one line that are followed."""


def load_chain(store: Store, entry: Entry) -> list[Entry]:
    """Return an entry with all that it replaced and all that replaced it, the one that holds now first.

    One entry may replace several; a circle, which two clones can make, is followed once.
    """
    top, seen = entry, {entry.id}
    while top.superseded_by and top.superseded_by not in seen:
        following = entries.load_entry(store.connection, top.superseded_by)
        if following is None:
            break
        top = following
        seen.add(top.id)
    return _load_replaced_by(store, top)


def supersede(store: Store, old: Entry, new: Entry) -> tuple[Entry, Entry]:
    """Mark an entry as replaced by another, which holds from now on; return both; BadInput where they are one.

    The new one may be in the ledger only, where another writer keeps the database busy.
    """
    if old.id == new.id:
        raise BadInput(old.id, "cannot replace itself", f"`workshop edit {old.id}` changes its words")
    former = store.change(old.id, status=entries.SUPERSEDED, superseded_by=new.id)
    if new.status != entries.ACTIVE:
        new = store.change(new.id, status=entries.ACTIVE, superseded_by="")
    return former, new


def reason_before_closing(store: Store, entry: Entry) -> str:
    """Return the reason of an entry without the words that its last closing added, if they still end it.

    The closing's record keeps them as `how`, beside the fields that it set.
    """
    for record in reversed(journal.read(store.ledger)[0]):
        fields = record.get("set")
        if record.get("id") != entry.id or not isinstance(fields, dict) or "status" not in fields:
            continue
        is_own = signatures.is_own(store.environ, str(record.get("session", "")), record.get("mark"))
        how = str(fields.get("how", "")) if is_own else ""
        return entry.reasoning.removesuffix(how).removesuffix("; ") if how else entry.reasoning
    return entry.reasoning


def _load_replaced_by(store: Store, top: Entry) -> list[Entry]:
    chain = {top.id: top}
    todo = [top]
    while todo and len(chain) < LONGEST:
        new = [entry for entry in _select_replaced(store, todo.pop(0).id) if entry.id not in chain]
        chain.update((entry.id, entry) for entry in new)
        todo += new
    return list(chain.values())


def _select_replaced(store: Store, entry: str) -> list[Entry]:
    rows = store.connection.execute(
        "SELECT num FROM entries WHERE superseded_by = ? AND superseded_by <> '' AND status != 'forgotten' "
        "ORDER BY updated DESC, num DESC",
        (entry,),
    ).fetchall()
    return entries.load_by_numbers(store.connection, [int(row[0]) for row in rows])
