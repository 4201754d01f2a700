"""Which texts a search may answer with: filters by type, file, branch and date, as SQL over `memory_texts AS t`."""

from __future__ import annotations

from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

DOCUMENT = "document"
"""The type of what is no entry."""
SESSION = "session"
"""The type of a place of a conversation, and what its path begins with."""
BESIDE = (
    "LEFT JOIN entries AS e ON t.path = '' AND e.num = t.num "
    "LEFT JOIN memory_files AS m ON t.path != '' AND m.path = t.path"
)
_DATE = "coalesce(e.updated, strftime('%Y-%m-%dT%H:%M:%SZ', m.mtime / 1000000000, 'unixepoch'), '')"
_AT_ONCE = 500


class Row(NamedTuple):
    """A text that may be answered with: words of it and of its file, and what an entry is."""

    num: int
    path: str
    words: int
    file_words: int
    id: str
    type: str
    status: str
    updated: str
    recalled: int
    used: int
    superseded_by: str
    created: str
    seen: int
    source: str


class Scope(NamedTuple):
    """Conditions on a text, all of which must hold; a date is UTC or the beginning of one."""

    types: Sequence[str] = ()
    files: Sequence[str] = ()
    branch: str = ""
    since: str = ""
    until: str = ""


def load_rows(connection: sqlite3.Connection, nums: Iterable[int], scope: Scope, most: int) -> list[Row]:
    """Return the first `most` of some texts that a scope lets through, in their order."""
    rows: list[Row] = []
    conditions, values = make_condition(scope)
    for part in _split(list(nums), _AT_ONCE if any(scope) else min(most, _AT_ONCE)):
        marks = ", ".join("?" * len(part))
        sql = (
            "SELECT t.num, t.path, t.words, coalesce(m.words, 0), coalesce(e.id, ''), coalesce(e.type, ''), "
            "coalesce(e.status, ''), coalesce(e.updated, ''), coalesce(e.recalled, 0), coalesce(e.used, 0), "
            "coalesce(e.superseded_by, ''), coalesce(e.created, ''), coalesce(e.seen, 0), coalesce(e.source, '') "
            f"FROM memory_texts AS t {BESIDE} WHERE t.num IN ({marks}){conditions}"
        )
        passed = {row[0]: Row._make(row) for row in connection.execute(sql, (*part, *values))}
        rows += [passed[num] for num in part if num in passed]
        if len(rows) >= most:
            break
    return rows[:most]


def _split(nums: list[int], size: int) -> Iterator[list[int]]:
    yield from (nums[at : at + size] for at in range(0, len(nums), size))


def make_condition(scope: Scope) -> tuple[str, list[Any]]:
    """Return the conditions of a scope, each behind an AND, and their values."""
    values: list[Any] = []
    sql = " AND (e.id IS NULL OR e.status != 'forgotten')"
    if scope.types:
        sql += f" AND coalesce(e.type, '{DOCUMENT}') IN ({', '.join('?' * len(scope.types))})"
        values += scope.types
    if scope.files:
        sql += f" AND ({' OR '.join(_FILE for _ in scope.files)})"
        values += [value for name in scope.files for value in _file_values(name)]
    for condition, value in (
        ("e.branch = ?", scope.branch), (f"{_DATE} >= ?", scope.since),
        (f"substr({_DATE}, 1, length(?2)) <= ?", scope.until),
    ):  # fmt: skip
        if value:
            sql += f" AND {condition.replace('?2', '?')}"
            values += [value] * condition.count("?")
    return sql, values


_FILE = (
    "t.path GLOB ? OR substr(t.path, 1, length(?)) = ? OR EXISTS (SELECT 1 FROM files AS f "
    "WHERE f.entry_id = e.id AND (f.file_path GLOB ? OR substr(f.file_path, 1, length(?)) = ?))"
)


def _file_values(name: str) -> tuple[str, ...]:
    """Return the values of _FILE: a file, a pattern of files, or a folder with all below it."""
    folder = name.rstrip("/") + "/"
    pattern = name.replace("[redacted:", "[[]redacted:")  # of a label, which is no pattern
    return (pattern, folder, folder) * 2
