"""The learnings that hold for every project: GLOBAL-MEMORY.md is the truth, workspace.db an index of it.

The index is written again whenever the file is another one; it is deleted with workspace.db and comes back by itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files, paths
from belay.core.plain_text import cut, printable
from belay.knowledge.store.tables import workspace_entities, workspace_rows
from belay.knowledge.store.tables.workspace_entities import LearningRow
from belay.memory import global_memory
from belay.safety.redaction import redact
from belay.workspace import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT_CHARS = 300


class Learning(NamedTuple):
    """A learning of the global memory: line, date, words, and the folders of projects that hold it too."""

    line: int
    day: str
    text: str
    homes: list[str]


def list_learnings(environ: Mapping[str, str]) -> list[Learning]:
    """Return what the global memory says, with the known projects that say it too."""
    path = paths.global_memory(environ)
    stamp = _find_stamp(path)
    if not stamp and not os.path.exists(registry.find_file(environ)):
        return []
    with workspace_rows.open_workspace(registry.find_file(environ), create=True) as connection:
        if connection is None:
            return []
        if workspace_entities.find_stamp(connection, path) != stamp:
            workspace_entities.replace_learnings(connection, path, stamp, _read_rows(environ))
        rows = workspace_entities.list_learnings(connection)
    held = global_memory.find_holders(environ)
    return [Learning(row.line, row.day, row.text, held.get(global_memory.learning_key(row.text), [])) for row in rows]


def _find_stamp(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return "" if files.explain_refusal(path) else f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"


def _read_rows(environ: Mapping[str, str]) -> list[LearningRow]:
    found = global_memory.read_lines(environ)
    return [LearningRow(line, day, cut(printable(redact(text)), TEXT_CHARS)) for line, day, text in found]
