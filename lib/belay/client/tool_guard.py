"""Which tool calls are refused: writing a secret into a memory file, editing Belay's own journal or database.

Values in, a reason out. The reason says what to do instead and never holds a command that destroys.
"""

from __future__ import annotations

import os

from belay.client.shell_command import changed, cleans_ignored, removed
from belay.core.paths import ledger_of
from belay.safety.redaction import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from belay.core.paths import Project

_OWN = (".claude/memory/journal", ".claude/memory/state", ".claude/memory/workshop.db")
_ABOVE = (".claude", ".claude/memory")
_MEMORY_NAMES = ("memory.md", "memory-archive.md", "continuation.md", "global-memory.md")
_WRITTEN = ("content", "new_string", "new_source", "newText", "new_str", "file_text", "insert_text")
"""Fields in which the client's own tools and the usual file servers take text to write."""
_MEMORY_FOLDERS = ("memory/", "tasks/", ".memory/", ".claude/memory/")

SECRET = (
    "Belay does not let a secret be written into {where}: memory files are shared and committed. "
    "Keep the value in .env or a secret manager and write its name there instead."
)
JOURNAL = (
    "{where} is Belay's own record, which only Belay writes. "
    "Use `belay capture`, `belay ack ID` or `belay journal show` instead."
)


CLEAN = (
    "Cleaning what git ignores would delete Belay's records under .claude/memory. "
    "Leave them out with `-e .claude`."
)


def refuse(project: Project, tool: str, call: dict[str, Any]) -> str:
    """Return why a tool call is refused, "" when it may go on."""
    path = first_text(call, "file_path", "notebook_path", "path")
    command = first_text(call, "command")
    if command:
        return _command(project, command)
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
    return inside or full in (project.own_workshop, *_elsewhere(project))


def _elsewhere(project: Project) -> tuple[str, ...]:
    """Return the knowledge base that a variable names, and its ledger."""
    base = os.path.realpath(project.database) if project.database else ""
    return (base, ledger_of(base)) if base else ()


def is_memory(name: str) -> bool:
    """Whether a path from the project's root is a memory file."""
    lower = name.replace("\\", "/").lower()
    return lower.rsplit("/", 1)[-1] in _MEMORY_NAMES or (
        lower.endswith(".md") and lower.startswith(_MEMORY_FOLDERS)
    )


def _texts(call: dict[str, Any]) -> list[str]:
    edits = call.get("edits")
    rows = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    return [first_text(row, key) for row in (call, *rows) for key in _WRITTEN]


def _command(project: Project, command: str) -> str:
    bare = without_documents(command)
    own = [word for word in changed(bare) if _touches_own(project, word)]
    own += [word for word in removed(bare) if project.relative(word).rstrip("/*") in _ABOVE]
    if own:
        return JOURNAL.format(where=own[0])
    if cleans_ignored(bare):
        return CLEAN
    if any(mark in command for mark in (">", "tee", "sed")) and find(command):
        memory = [word for word in changed(command) if is_memory(project.relative(word))]
        return SECRET.format(where=memory[0]) if memory else ""
    return ""


def _touches_own(project: Project, word: str) -> bool:
    """Whether a changed word is one of Belay's own files."""
    name = project.relative(word).replace("\\", "/").rstrip("/*")
    inside = any(f"/{name}/".find(f"/{own}/") >= 0 for own in _OWN)
    return inside or _is_own(project, os.path.join(project.root, word))


def without_documents(command: str) -> str:
    """Return a command without the bodies of its here-documents: what is written there is text, not a command."""
    kept: list[str] = []
    end = ""
    for line in command.split("\n"):
        if end:
            end = "" if line.strip() == end else end
            continue
        kept.append(line)
        word = line.partition("<<")[2].lstrip("-~ ").split(" ", 1)[0].strip("'\"")
        end = word if word and not word.startswith("<") else ""
    return "\n".join(kept)


def is_belay(command: str) -> bool:
    """Whether a command runs Belay's own command line: that is no work of the session."""
    first = (
        command.strip().split(" ", 1)[0] if not command.lstrip().startswith('"') else command.split('"')[1]
    )
    return first.rsplit("/", 1)[-1] == "belay"
