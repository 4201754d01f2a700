"""Two sets of rows made one, whoever comes first: by id, the newer of two, nothing summed, no text lost.

merge(a, b) == merge(b, a), and merging again changes nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from belay.core import kinds
from belay.knowledge.entries import entries
from belay.knowledge.entries.entries import FORGOTTEN, HEARD, SUPERSEDED
from belay.knowledge.exchange.json_rows import COUNTERS, earlier_hashes, hash_reason, hash_text, order_fields
from belay.knowledge.store.store import CONTENT_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.knowledge.exchange.json_rows import Row

_FROM_BOTH = frozenset((*COUNTERS, "created", "was"))
_SAID = ("type", "content", "reasoning")
_STATE = ("status", "superseded_by")
_STATES = tuple(kinds.STATUSES)
_OWN = frozenset((*_FROM_BOTH, *_SAID, *_STATE))
"""Fields that are no matter of the larger value."""
_BETWEEN = "; "
"""Between reasons, as `workshop resolve` joins them."""


class Merged(NamedTuple):
    """The rows by id, and the ids under which a second text of an entry is kept: (new id, the entry's own).

    `dropped`: ids of entries with two reasons that are too long together, of which the newer stays.
    """

    rows: dict[str, Row]
    both: list[tuple[str, str]]
    dropped: list[str]


def merge_rows(mine: Mapping[str, Row], theirs: Iterable[Row]) -> Merged:
    """Return rows merged with others; an id may come several times (a union merge of git leaves it so)."""
    merged = Merged({}, [], [])
    given = {json.dumps(row, sort_keys=True): row for row in (*mine.values(), *theirs)}
    for _, row in sorted(given.items(), key=lambda pair: (_sort_key(pair[1]), pair[0])):  # whoever said it
        _add(merged, row)
    return merged._replace(rows={name: order_fields(row) for name, row in merged.rows.items()})


def _add(merged: Merged, row: Row) -> None:
    stored = merged.rows.get(row["id"])
    if stored is None:
        merged.rows[row["id"]] = row
        return
    older, newer = sorted((stored, row), key=_sort_key)
    if not _is_conflict(older, newer):
        merged.rows[row["id"]] = _merge_pair(older, newer)
        if len(_join_reasons(older, newer)) > CONTENT_CHARS:
            merged.dropped.append(row["id"])
        return
    merged.rows[row["id"]] = {**newer, **_merge_counters(older, newer)}
    _keep_both(merged, older)


def _keep_both(merged: Merged, row: Row) -> None:
    """Keep the older of two texts of one id under an id of its own."""
    name = entries.make_id(row["type"], row["content"], [row["id"]])
    if (name, row["id"]) not in merged.both:
        merged.both.append((name, row["id"]))
    beside: Row = {**row, "id": name}
    beside.pop("was", None)
    _add(merged, beside)


def _sort_key(row: Row) -> tuple[str, str]:
    """Return what orders two rows: their time, else their text."""
    return str(row.get("updated", "")), json.dumps([row.get("type", ""), row.get("content", "")])


def _is_conflict(one: Row, other: Row) -> bool:
    """Whether two rows of one id hold texts of which neither is an edit of the other."""
    if FORGOTTEN in (one.get("status"), other.get("status")) or one["content"] == other["content"]:
        return False
    return not _is_edit_of(one, other) and not _is_edit_of(other, one)


def _is_edit_of(one: Row, other: Row) -> bool:
    """Whether the first text was made from the other."""
    return hash_text(other["content"]) in one.get("was", ())


def _merge_pair(older: Row, newer: Row) -> Row:
    """Return two rows of one entry as one: what it says from the later edit, the rest from the newer row."""
    if FORGOTTEN in (older.get("status"), newer.get("status")):
        return newer
    row: Row = {
        **(newer if _is_later(older, newer) else _join_equals(older, newer)),
        **_merge_counters(older, newer),
    }
    if "what_happened" in older:
        row.setdefault("what_happened", older["what_happened"])
    if _is_edit_of(older, newer) and not _is_edit_of(newer, older):
        row["type"], row["content"] = older["type"], older["content"]
    if older.get("status") == SUPERSEDED and newer.get("status", HEARD) == HEARD:
        row["status"], row["superseded_by"] = SUPERSEDED, older.get("superseded_by", "")
    elif older.get("status") != HEARD and row.get("status") == HEARD:
        row.pop("status")  # what was confirmed stays so
    row["reasoning"] = _merge_reasons(older, newer)
    row["was"] = []
    row["was"] = earlier_hashes(row, older, newer)
    return order_fields(row)


def _is_later(older: Row, newer: Row) -> bool:
    return str(older.get("updated", "")) < str(newer.get("updated", ""))


def _join_equals(one: Row, other: Row) -> Row:
    """Return two rows of one moment as one: of each field what both would choose, whoever comes first."""
    rows: tuple[Mapping[str, Any], ...] = (one, other)
    state = max(rows, key=lambda row: (_STATES.index(row.get("status", "active")), row.get("superseded_by", "")))
    joined = {
        **{key: max(row[key] for row in rows if key in row) for key in {**one, **other} if key not in _OWN},
        **{key: rows[1][key] for key in _OWN if key in rows[1]},
        **{key: state.get(key, "") for key in _STATE},
    }
    return cast("Row", joined)


def _merge_reasons(older: Row, newer: Row) -> str:
    """Return what both give as reason; where that is too long for one entry, the newer."""
    both = _join_reasons(older, newer)
    return both if len(both) <= CONTENT_CHARS else str(newer.get("reasoning", ""))


def _join_reasons(older: Row, newer: Row) -> str:
    """Return the reasons of both as one, but for what the other was made from; of edits of each other the newer."""
    first, last = (str(row.get("reasoning", "")) for row in (older, newer))
    reasons = [
        reason for reason, row in ((first, newer), (last, older)) if reason and not _is_earlier_reason(reason, row)
    ]
    if not reasons and first and last:
        return last
    parts = dict.fromkeys(part for reason in reasons[1:] for part in reason.split(_BETWEEN))
    added = [part for part in parts if part not in reasons[0].split(_BETWEEN)]
    return _BETWEEN.join([*reasons[:1], *added])


def _is_earlier_reason(reason: str, row: Row) -> bool:
    """Whether a reason was a row's own before."""
    return reason != row.get("reasoning") and hash_reason(reason) in row.get("was", ())


def _merge_counters(older: Row, newer: Row) -> Row:
    """Return the larger of each counter: both counted from what they had in common."""
    rows: tuple[Mapping[str, Any], ...] = (older, newer)
    most = {key: max(row.get(key, 0) for row in rows) for key in COUNTERS}
    created = min(filter(None, (row.get("created") for row in rows)), default="")
    return cast("Row", {key: value for key, value in {**most, "created": created}.items() if value})
