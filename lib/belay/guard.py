"""Which tool calls are refused: writing a secret into a memory file, editing Belay's own journal or database.

Values in, a reason out. The reason says what to do instead and never holds a command that destroys.
"""

from __future__ import annotations

import os

from belay.redact import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from belay.paths import Project

OWN = ("memory/journal", "memory/state", "memory\\journal", "memory\\state", "workshop.db")
"""What stands in a path or command that touches Belay's own files."""
_CHANGES = frozenset(
    "rm mv cp tee truncate dd shred unlink install rsync ln touch chmod chown sqlite3 del erase move copy "
    "remove-item set-content out-file add-content clear-content move-item".split()
)
_MEMORY_NAMES = ("memory.md", "memory-archive.md", "continuation.md", "global-memory.md")
_MEMORY_FOLDERS = ("memory/", "tasks/", ".memory/", ".claude/memory/")

SECRET = (
    "Belay does not let a secret be written into {where}: memory files are shared and committed. "
    "Keep the value in .env or a secret manager and write its name there instead."
)
JOURNAL = (
    "{where} is Belay's own record, which only Belay writes. "
    "Use `belay capture`, `belay ack ID` or `belay journal show` instead."
)


def refuse(project: Project, tool: str, call: dict[str, Any]) -> str:
    """Return why a tool call is refused, "" when it may go on."""
    path = first_text(call, "file_path", "notebook_path", "path")
    command = first_text(call, "command")
    if command:
        return _command(command)
    if path:
        return _path(project, path, call)
    return ""


def first_text(call: dict[str, Any], *keys: str) -> str:
    """Return the first of the fields that is a string, "" when none is."""
    for key in keys:
        value = call.get(key)
        if isinstance(value, str):
            return value
    return ""


def _path(project: Project, path: str, call: dict[str, Any]) -> str:
    full = os.path.realpath(os.path.join(project.root, path)) if "\0" not in path else path
    name = project.relative(full)
    if _is_own(project, full):
        return JOURNAL.format(where=name)
    if is_memory(name) or full.startswith(project.store + os.sep):
        text = "\n".join(_texts(call))
        return SECRET.format(where=name) if find(text) else ""
    return ""


def _is_own(project: Project, full: str) -> bool:
    inside = any(full.startswith(folder + os.sep) for folder in (project.journals, project.states))
    return inside or full == project.workshop


def is_memory(name: str) -> bool:
    """Whether a path from the project's root is a memory file (HOUSE.md §3)."""
    lower = name.replace("\\", "/").lower()
    return lower in _MEMORY_NAMES or (lower.endswith(".md") and lower.startswith(_MEMORY_FOLDERS))


def _texts(call: dict[str, Any]) -> list[str]:
    edits = call.get("edits")
    rows = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    return [first_text(row, key) for row in (call, *rows) for key in ("content", "new_string", "new_source")]


def _command(command: str) -> str:
    lower = command.lower()
    if any(mark in lower for mark in OWN) and _changes(lower):
        return JOURNAL.format(where="That file")
    if ">" in command and any(name in lower for name in (*_MEMORY_NAMES, "working-buffer.md")) and find(command):
        return SECRET.format(where="a memory file")
    return ""


def _changes(lower: str) -> bool:
    """Whether a command that names one of Belay's files writes, as far as its words tell."""
    words = lower.replace("|", " ").replace(";", " ").replace("&", " ").replace("(", " ").split()
    names = {word.rsplit("/", 1)[-1] for word in words}
    targets = [part.lstrip(">").split()[:1] for part in lower.split(">")[1:]]
    written = any(mark in target[0] for target in targets if target for mark in OWN)
    return bool(names & _CHANGES) or written or ("sed" in names and "-i" in lower)
