"""Code that a memory names, as rows of --json and as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from belay.core.plain_text import count, shown
from belay.memory.claude_files.code_names import DELETED, EXISTS, MOVED

if TYPE_CHECKING:
    from belay.memory.claude_files.untouched import CodeChange


class CodeRow(TypedDict):
    """Code that a statement names: where it is, and what happened to it since.

    `commits` is null where nothing was counted; `last` and `date` are of the last commit that changed its file, or of
    the one that took it away.
    """

    name: str
    kind: str
    path: str
    line: int
    state: str
    commits: int | None
    last: str
    date: str


def list_code(changes: list[CodeChange]) -> list[CodeRow]:
    """Return the rows of code."""
    return [_make_row(change) for change in changes]


def _make_row(change: CodeChange) -> CodeRow:
    code = change.code
    is_gone = code.state != EXISTS
    last = code.commit if is_gone else change.last.commit if change.last else ""
    date = code.date if is_gone else change.last.date if change.last else ""
    return {
        "name": code.name, "kind": code.kind, "path": code.path, "line": code.line, "state": code.state,
        "commits": change.commits, "last": last, "date": date,
    }  # fmt: skip


def describe_code(row: CodeRow) -> str:
    """Return one line: the code, where it is, and what happened to it."""
    by = f"in {row['last'][:9]} on {row['date']}"
    if row["state"] == DELETED:
        return f"{shown(row['name'])}: deleted {by}"
    if row["state"] == MOVED:
        return f"{shown(row['name'])}: is {shown(row['path'])} since {row['last'][:9]} on {row['date']}"
    place = shown(row["path"]) + (f":{row['line']}" if row["line"] else "")
    name = f"{place} {row['name']}" if row["kind"] == "symbol" else place
    if not row["last"]:
        return f"{name}: not committed yet"
    if row["commits"] is None:
        return f"{name}: last changed {by}"
    since = f"{count(row['commits'], 'commit')} since, the last {by}" if row["commits"] else f"unchanged since; {by}"
    return f"{name}: {since}"
