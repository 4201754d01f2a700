"""Find steps of a memory that the project's files show as carried out: an upgrade, a new file, a removal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.drift import awaited_versions
from belay.memory.drift.awaited_versions import Cause
from belay.memory.drift.missing_paths import MissingPath
from belay.repository.git import history

if TYPE_CHECKING:
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import DependencyChange

_START = r"^\W*(?:(?:then|first|finally|next|please|we should|need to|todo):?\s+)?"
_UPGRADE = re.compile(_START + r"(?:bump|upgrade|update|raise|move|migrate|switch|go)\b", re.IGNORECASE)
_CREATE = re.compile(_START + r"(?:add|create|write|draft|introduce|set up|scaffold|start)\b", re.IGNORECASE)
_REMOVE = re.compile(_START + r"(?:remove|delete|drop|retire|get rid of|clean up|replace)\b", re.IGNORECASE)
_MOVE = re.compile(_START + r"(?:move|rename|relocate|extract|split)\b", re.IGNORECASE)


_TEST = re.compile(r"(?:^|[^a-z])(?:tests?|specs?)(?![a-z])", re.IGNORECASE)


class Since(NamedTuple):
    """What happened to the project: dependencies now (manifest → package → version) and their changes, lost paths."""

    packages: dict[str, dict[str, str]]
    deltas: list[DependencyChange]
    missing: list[MissingPath]


def find_cause(look: Comparison, line: int, text: str, since: Since) -> Cause | None:
    """Return what shows that the step on a line was carried out, None where nothing does."""
    if _UPGRADE.search(text):
        cause = awaited_versions.find_package(text, since.packages, since.deltas)
        if cause:
            return cause
    if _CREATE.search(text):
        return _find_added(look, line, text)
    if _REMOVE.search(text):
        return _find_lost(line, since, ("deleted",)) or _find_removed_package(text, since)
    return _find_lost(line, since, ("renamed", "moved")) if _MOVE.search(text) else None


def _find_added(look: Comparison, line: int, text: str) -> Cause | None:
    """Return a file that was to be written and that was added since."""
    named = [ref["path"] for ref in look.facts["refs"] if ref["line"] == line]
    written = [path for path in named if _is_written_there(text, path) and look.path_exists(path)]
    added = {file.path for file in history.sum_changes(look.commits) if file.status == "A"} if written else set()
    return next(((path, f"{path}: added since") for path in written if path in added), None)


def _is_written_there(text: str, path: str) -> bool:
    """Whether a file is itself what is to be written: not where something is to be added."""
    before = text.partition(path)[0].rstrip('`*"( ')
    if re.search(r"\b(?:in|into|inside)$", before, re.IGNORECASE):
        return bool(_TEST.search(before) and _TEST.search(path))
    return not re.search(r"\b(?:to|for|from|of|by|with|on|like|than)$", before, re.IGNORECASE)


def _find_lost(line: int, since: Since, ways: tuple[str, ...]) -> Cause | None:
    """Return the path that the line names, where it was taken away in one of some ways."""
    for row in since.missing:
        if line in row.lines and row.how in ways:
            to = f" to {row.new}" if row.new else ""
            return row.path, f"{row.path}: {row.how}{to}" + (f" in {row.sha[:9]}" if row.sha else " since")
    return None


def _find_removed_package(text: str, since: Since) -> Cause | None:
    """Return a package that the text names and that no manifest has any more."""
    kept = {name for packages in since.packages.values() for name in packages}
    for row in since.deltas:
        for name in row["removed"]:
            if name not in kept and any(_is_named(text, alias) for alias in awaited_versions.list_names(name)):
                return row["manifest"], f"{row['manifest']}: {awaited_versions.shortest_name(name)} was removed"
    return None


def _is_named(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w/@.-]){re.escape(name)}(?![\w/-])", text, re.IGNORECASE) is not None
