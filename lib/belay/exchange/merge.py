"""Two sets of rows made one, whoever comes first: by id, the newer of two, nothing summed, no text lost.

merge(a, b) == merge(b, a), and merging again changes nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.exchange.rows import COUNTERS, text_hash, whole
from belay.knowledge import entries
from belay.knowledge.entries import FORGOTTEN, SUPERSEDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Row = dict[str, Any]

_FROM_BOTH = frozenset((*COUNTERS, "created", "was"))
_SAID = ("type", "content", "reasoning")


class Merged(NamedTuple):
    """The rows by id, and the ids under which a second text of an entry is kept: (new id, the entry's own)."""

    rows: dict[str, Row]
    both: list[tuple[str, str]]


def merge(mine: Mapping[str, Row], theirs: Iterable[Row]) -> Merged:
    """Return rows merged with others; an id may come several times (a union merge of git leaves it so)."""
    merged = Merged(dict(mine), [])
    for row in sorted(theirs, key=lambda row: (_order(row), json.dumps(row, sort_keys=True))):
        _into(merged, row)
    return merged._replace(rows={name: whole(row) for name, row in merged.rows.items()})


def _into(merged: Merged, row: Row) -> None:
    standing = merged.rows.get(row["id"])
    if standing is None:
        merged.rows[row["id"]] = row
        return
    older, newer = sorted((standing, row), key=_order)
    if not _conflict(older, newer):
        merged.rows[row["id"]] = _one(older, newer)
        return
    merged.rows[row["id"]] = {**newer, **_counters(older, newer)}
    _beside(merged, older)


def _beside(merged: Merged, row: Row) -> None:
    """Keep the older of two texts of one id under an id of its own."""
    own = entries.name(row["type"], row["content"], [row["id"]])
    if (own, row["id"]) not in merged.both:
        merged.both.append((own, row["id"]))
    _into(merged, {key: value for key, value in row.items() if key != "was"} | {"id": own})


def _order(row: Row) -> tuple[str, str, str]:
    """Return what orders two rows: their time, else what they tell, and last their text, which a merge may exchange.

    What a merge takes from both counts for nothing, so that a merged row stands where the newer of the two stood.
    """
    last = (*_SAID, "status", "superseded_by")
    said = {key: row[key] for key in last if key in row}
    told = {key: value for key, value in row.items() if key not in _FROM_BOTH and key not in last}
    return str(row.get("updated", "")), json.dumps(told, sort_keys=True), json.dumps(said, sort_keys=True)


def _conflict(one: Row, other: Row) -> bool:
    """Whether two rows of one id hold texts of which neither is an edit of the other."""
    if FORGOTTEN in (one.get("status"), other.get("status")) or one["content"] == other["content"]:
        return False
    return not _edits(one, other) and not _edits(other, one)


def _edits(one: Row, other: Row) -> bool:
    """Whether the first text was made from the other."""
    return text_hash(other["content"]) in one.get("was", ())


def _one(older: Row, newer: Row) -> Row:
    """Return two rows of one entry as one: what it says from the later edit, the rest from the newer row."""
    if FORGOTTEN in (older.get("status"), newer.get("status")):
        return newer
    kept = {"what_happened": older["what_happened"]} if "what_happened" in older else {}
    row = {**kept, **newer, **_counters(older, newer)}
    if _edits(older, newer) and not _edits(newer, older):
        row = {key: value for key, value in row.items() if key not in _SAID}
        row |= {key: older[key] for key in _SAID if key in older}
    if older.get("status") == SUPERSEDED and "status" not in newer:
        row |= {"status": SUPERSEDED, "superseded_by": older.get("superseded_by", "")}
    hashes = {text_hash(older["content"]), text_hash(newer["content"])}
    was = sorted({*older.get("was", ()), *newer.get("was", ()), *hashes} - {text_hash(row["content"])})
    return {**{key: value for key, value in row.items() if key != "was"}, **({"was": was} if was else {})}


def _counters(older: Row, newer: Row) -> Row:
    """Return the larger of each counter: both counted from what they had in common."""
    most = {key: max(older.get(key, 0), newer.get(key, 0)) for key in COUNTERS}
    created = min(filter(None, (older.get("created"), newer.get("created"))), default="")
    return {key: value for key, value in {**most, "created": created}.items() if value}
