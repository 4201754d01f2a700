"""Other tools' memories as entries: databases of claude-workshop 2.x, vibe-memory, claude-mem; an export of claude-mem.

Everything in them is somebody's text: read from a copy, cut to an entry's size, redacted, marked as imported.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BadInput
from belay.knowledge.entries import insights
from belay.knowledge.exchange import claude_mem, upstream
from belay.knowledge.store import database as store_database
from belay.knowledge.store import legacy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from belay.knowledge.store.legacy import Row
    from belay.knowledge.store.store import NewEntry

    Rows = Callable[[str], Iterator[Row]]

FILE_BYTES = 256 * 1024 * 1024
ROWS_MOST = 200_000
"""Rows of one table that are read."""
CLAUDE_MEM = "claude-mem"


class Memory(NamedTuple):
    """What a file holds: the tool that wrote it, its entries, and what is not taken over."""

    tool: str
    entries: list[NewEntry]
    left: list[str]


def read_database(path: str, project: str) -> Memory:
    """Return the entries of another tool's database; BadInput where it is none that can be read."""
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "copy.db")
        why = legacy.find_trouble(path) or legacy.copy_database(path, work)
        if why:
            raise BadInput(path, why, "nothing was imported")
        try:
            return _read_copy(path, work, project)
        except store_database.SqlError as error:
            raise BadInput(path, f"cannot be read ({error})", "nothing was imported") from None


def read_belay_database(path: str) -> bytes:
    """Return the entries of another Belay's database as knowledge.jsonl, b"" where it is no such one.

    The rules of its files stay with its files.
    """
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "copy.db")
        if legacy.find_trouble(path) or legacy.copy_database(path, work) or legacy.find_tool(work) != legacy.BELAY:
            return b""
        tables = {table.name: table for table in legacy.list_tables(work)[0]}
        rows_of = {name: list(legacy.read_rows(work, tables[name])) for name in ("entries", "tags", "files")}
    tags, files = (
        upstream.group_by_entry(rows_of["tags"], "tag"),
        upstream.group_by_entry(rows_of["files"], "file_path"),
    )
    rows = [
        {
            **row,
            "commit": row.get("commit_hash"),
            "tags": tags.get(row["id"], []),
            "files": files.get(row["id"], []),
        }
        for row in rows_of["entries"]
        if isinstance(row.get("id"), str) and not row["id"].startswith(insights.HEAD)
    ]
    return "".join(json.dumps(row, default=str) + "\n" for row in rows).encode()


def _read_copy(path: str, work: str, project: str) -> Memory:
    tables = {table.name: table for table in legacy.list_tables(work)[0]}

    def rows(name: str) -> Iterator[Row]:
        found = legacy.read_rows(work, tables[name]) if name in tables else iter(())
        return (row for _, row in zip(range(ROWS_MOST), found, strict=False))

    if {"observations", "session_summaries"} & set(tables):
        return _select_claude_mem(path, rows, project)
    if legacy.find_tool(work) == legacy.WORKSHOP:
        return Memory(legacy.WORKSHOP, list(upstream.convert_tables(rows)), upstream.list_other_tables(tables))
    if legacy.find_tool(work) == legacy.VIBE:
        return Memory(legacy.VIBE, [], ["indexed files: `workshop index` reads them again"])
    raise BadInput(path, "is a database of no tool known here", "claude-workshop, vibe-memory and claude-mem are known")


def _select_claude_mem(path: str, rows: Rows, project: str) -> Memory:
    observations, summaries = list(rows("observations")), list(rows("session_summaries"))
    new_entries = list(claude_mem.convert_rows(observations, summaries, project))
    others = claude_mem.list_projects([*observations, *summaries])
    if not new_entries and others and project not in others:
        named = ", ".join(others[:8])
        raise BadInput(path, f"holds nothing of {project!r}", f"--project NAME takes one of: {named}")
    return Memory(CLAUDE_MEM, new_entries, ["prompts", "session summaries but for what was learned"])


def read_export(path: str, data: bytes, project: str) -> Memory:
    """Return the entries of claude-mem's JSON export; BadInput where it is none."""
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        value = None
    lists = {key: value.get(key) for key in ("observations", "summaries")} if isinstance(value, dict) else {}
    if not any(isinstance(found, list) for found in lists.values()):
        raise BadInput(path, "is no export known here", "knowledge.jsonl and claude-mem's JSON are known")
    return _select_claude_mem(
        path, lambda name: _only_dicts(lists["summaries" if name == "session_summaries" else name]), project
    )


def _only_dicts(values: object) -> Iterator[Row]:
    return (row for row in values if isinstance(row, dict)) if isinstance(values, list) else iter(())
