"""claude-mem's records as entries (github.com/thedotmack/claude-mem: observations, session_summaries).

An observation has a type, a title, a narrative, and JSON lists of facts, concepts and files; a summary says what was
learned. A row of either names its project by the name of the folder.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from belay.core import kinds
from belay.core.clock import journal_time
from belay.core.plain_text import cut
from belay.knowledge.store.legacy import get_text
from belay.knowledge.store.store import CONTENT_CHARS, NewEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from belay.knowledge.store.legacy import Row
    from belay.knowledge.store.records import EntryFields

TYPES = {"decision": kinds.DECISION, "bugfix": kinds.GOTCHA, "discovery": kinds.FINDING}
"""Type of an observation → type of the entry; any other is a note with that type as a tag."""
CONFIDENCE = 0.6
"""A model wrote these, nobody said them."""
_CONTENT = 500
_LIST = 20


def convert_rows(observations: Iterable[Row], summaries: Iterable[Row], project: str) -> Iterator[NewEntry]:
    """Yield the records of one project as entries."""
    for row in observations:
        content = get_text(row, "title") or get_text(row, "text") or get_text(row, "narrative")
        if content and _belongs_to(row, project):
            why = "\n".join(
                filter(None, [get_text(row, "subtitle"), get_text(row, "narrative"), *_get_list(row, "facts")])
            )
            kind = cut(get_text(row, "type"), 200)
            fields = _common_fields(row)
            fields["reasoning"] = cut(why, CONTENT_CHARS)
            fields["tags"] = [*_get_list(row, "concepts"), *([] if kind in TYPES or not kind else [kind])]
            fields["files"] = _get_files(row)
            yield NewEntry(TYPES.get(kind, kinds.NOTE), cut(content, _CONTENT), fields)
    for row in summaries:
        if get_text(row, "learned") and _belongs_to(row, project):
            fields = _common_fields(row)
            fields["reasoning"] = get_text(row, "request")
            yield NewEntry(kinds.FINDING, cut(get_text(row, "learned"), _CONTENT), fields)


def list_projects(rows: Iterable[Row]) -> list[str]:
    """Return the names of the projects that rows are of."""
    return sorted({name for row in rows if (name := get_text(row, "project"))})


def _belongs_to(row: Row, project: str) -> bool:
    return project in (get_text(row, "project"), get_text(row, "merged_into_project"))


def _common_fields(row: Row) -> EntryFields:
    session = get_text(row, "memory_session_id") or get_text(row, "sdk_session_id")
    return {
        "created": journal_time(row.get("created_at")),
        "session": session[:100],
        "confidence": CONFIDENCE,
    }


def _get_files(row: Row) -> list[str]:
    return [path for path in _get_list(row, "files_modified") if not path.startswith(("/", "~")) and ".." not in path]


def _get_list(row: Row, key: str) -> list[str]:
    value = row.get(key)
    try:
        values = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return []
    return [cut(one, 200) for one in values if isinstance(one, str) and one][:_LIST] if isinstance(values, list) else []
