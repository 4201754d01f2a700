"""claude-workshop's tables as entries (schema_version 2): entries with tags and files, preferences, goals and blockers.

`workshop init` takes over such a database completely; this takes only what is worth finding.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from belay.core import kinds
from belay.core.clock import journal_time
from belay.core.plain_text import cut
from belay.knowledge.entries.entries import DONE
from belay.knowledge.store.legacy import get_text
from belay.knowledge.store.store import CONTENT_CHARS, NewEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from belay.knowledge.store.legacy import Row
    from belay.knowledge.store.records import EntryFields

    Rows = Callable[[str], Iterator[Row]]

_STATE = {
    kinds.GOAL: (kinds.GOAL, []),
    kinds.BLOCKER: (kinds.NOTE, [kinds.BLOCKER]),
    "next_step": (kinds.GOAL, ["next"]),
}
_TAKEN = ("entries", "tags", "files", "preferences", "current_state")
_LIST = 50
_OWN = "Session ended:"
"""It noted the end of every session as a decision (FIELD §1.2): that is none."""


def convert_tables(rows: Rows) -> Iterator[NewEntry]:
    """Yield the rows of the tables as entries."""
    tags, files = group_by_entry(rows("tags"), "tag"), group_by_entry(rows("files"), "file_path")
    for row in rows("entries"):
        kind, content = get_text(row, "type"), get_text(row, "content")
        if content and not content.startswith(_OWN):
            name = get_text(row, "id")
            other = [] if kind in kinds.ENTRIES or not kind else [cut(kind, 200)]
            more: EntryFields = {
                "reasoning": cut(get_text(row, "reasoning"), CONTENT_CHARS), "branch": get_text(row, "branch")[:200],
                "commit": get_text(row, "commit_hash")[:40], "created": _parse_time(row),
                "tags": [*tags.get(name, []), *other], "files": files.get(name, []),
            }  # fmt: skip
            yield NewEntry(kind if kind in kinds.ENTRIES else kinds.NOTE, cut(content, CONTENT_CHARS), more)
    for row in rows("preferences"):
        if get_text(row, "content"):
            more = {"tags": [get_text(row, "category")], "created": _parse_time(row)}
            yield NewEntry(kinds.PREFERENCE, cut(get_text(row, "content"), CONTENT_CHARS), more)
    for row in rows("current_state"):
        kind, marks = _STATE.get(get_text(row, "type"), (kinds.NOTE, []))
        if get_text(row, "content"):
            more = {"tags": marks, "created": _parse_time(row)}
            if row.get("completed"):
                more["status"] = DONE
            yield NewEntry(kind, cut(get_text(row, "content"), CONTENT_CHARS), more)


def list_other_tables(tables: Iterable[str]) -> list[str]:
    """Return the tables that hold something else."""
    return [name for name in tables if name not in _TAKEN]


def group_by_entry(rows: Iterable[Row], column: str) -> dict[str, list[str]]:
    """Return what a table keeps of each entry: its tags, or its files."""
    values_of: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        value = get_text(row, column)[:300]
        outside = column == "file_path" and (value.startswith(("/", "~")) or ".." in value)
        if value and not outside and len(values_of[get_text(row, "entry_id")]) < _LIST:
            values_of[get_text(row, "entry_id")].append(value)
    return values_of


def _parse_time(row: Row) -> str:
    """Return a time of these tables, which is local and says no zone, taken for UTC."""
    text = next((value for key in ("timestamp", "ts") if (value := get_text(row, key))), "").replace(" ", "T")
    return journal_time(text) or journal_time(text + "Z")
