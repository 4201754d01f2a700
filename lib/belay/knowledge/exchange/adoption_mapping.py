"""Rows of earlier tools as entries of ours: values in, values out.

claude-workshop 2.x (docs/workshop.md): `entries`, `preferences`, `current_state`; versions name a few columns
differently. What a row says besides stays in its `upstream_…` table.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, cast

from belay.core import kinds
from belay.knowledge.entries.entries import ACTIVE, DONE, FORGOTTEN, SUPERSEDED
from belay.knowledge.store.store import CONTENT_CHARS, NewEntry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.knowledge.store.legacy import Row
    from belay.knowledge.store.records import EntryFields

LISTS = {"tags": "tag", "files": "file_path"}
"""Tables that hold lists of an entry, by `entry_id`."""
LEDGERED = frozenset(
    (
        "entries", "preferences", "current_state", "sessions", "session_files", "session_commands",
        "session_workshop_entries", "session_user_requests", "import_history", "config", *LISTS,
    )
)  # fmt: skip
"""Tables of claude-workshop, carried over through the ledger; of others the base alone holds a copy."""
_STATES = {
    kinds.GOAL: (kinds.GOAL, ""),
    "next_step": (kinds.GOAL, "next-step"),
    kinds.BLOCKER: (kinds.NOTE, kinds.BLOCKER),
}
_NOISE = "Session ended"
"""How the earlier tool's own hook began what it filed as a decision."""


def convert_row(table: str, row: Row, lists: Mapping[str, Mapping[str, list[str]]]) -> NewEntry | None:
    """Return the entry that a row says, None for none; `lists` holds tags and files by the entry's old id."""
    content = _get_text(row, "content").strip()
    if not content or table not in _MADE:
        return None
    kind, tags, fields = _MADE[table](row)
    old = _get_text(row, "id") if table == "entries" else ""
    fields["tags"] = [*tags, *lists.get("tags", {}).get(old, [])]
    fields["files"] = lists.get("files", {}).get(old, [])
    fields["created"] = parse_time(_get_text(row, "timestamp", "ts", "created"))
    fields["source"] = "imported"
    given = {key: value for key, value in fields.items() if value}
    return NewEntry(kind, cut_text(content), cast("EntryFields", given))


def cut_text(text: str) -> str:
    """Return a text as long as an entry may be; all of it is in `upstream_entries`."""
    return text if len(text) <= CONTENT_CHARS else text[: CONTENT_CHARS - 1] + "…"


def _convert_entry(row: Row) -> tuple[str, list[str], EntryFields]:
    name = _get_text(row, "type").strip().lower()
    kind, tags = (name, []) if name in kinds.ENTRIES else (kinds.NOTE, [name] if name else [])
    if kind == kinds.DECISION and _get_text(row, "content").startswith(_NOISE):
        kind, tags = kinds.NOTE, ["session"]
    status = _get_text(row, "status")
    fields: EntryFields = {
        "reasoning": cut_text(_get_text(row, "reasoning")), "branch": _get_text(row, "branch"),
        "commit": _get_text(row, "commit_hash"),
        "priority": _get_text(row, "priority"), "status": status if status in (DONE, SUPERSEDED, FORGOTTEN) else ACTIVE,
    }  # fmt: skip
    return kind, tags, fields


def _convert_preference(row: Row) -> tuple[str, list[str], EntryFields]:
    category = _get_text(row, "category").strip()
    return kinds.PREFERENCE, [category] if category else [], {}


def _convert_state(row: Row) -> tuple[str, list[str], EntryFields]:
    kind, tag = _STATES.get(_get_text(row, "type"), (kinds.NOTE, _get_text(row, "type")))
    return kind, [tag] if tag else [], {"status": DONE if row.get("completed") in (1, "1") else ACTIVE}


_MADE = {"entries": _convert_entry, "preferences": _convert_preference, "current_state": _convert_state}


def _get_text(row: Row, *names: str) -> str:
    """Return the first of some columns that holds a text."""
    values = (row.get(name) for name in names)
    return next((str(value) for value in values if isinstance(value, (str, int)) and value != ""), "")


def parse_time(text: str) -> str:
    """Return an ISO time as the journal writes it, in UTC; a time without a zone counts as UTC; "" for none."""
    try:
        time = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return ""
    if time.tzinfo:
        time = time.astimezone(timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
