"""Refusal of tool calls that write a secret into a memory file or change Belay's own journal or database.

Values in, a reason out. The reason says what to do instead and never contains a command that destroys something.
"""

from __future__ import annotations

import os

from belay.core.json_codec import as_path, first_text, rows_of
from belay.core.paths import find_ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import ToolCall
    from belay.core.paths import Project

_OWN = (".claude/memory/journal", ".claude/memory/state", ".claude/memory/sessions", ".claude/memory/workshop.db")
_TRUSTED = ("/belay/trust.json", "/belay/key", "/belay/workshop-own.db")
_TRUSTED_ROWS = "/belay/rows/"
"""What says which text is the person's, in the user's own folder wherever that is; a base beside a stranger's."""
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


ACCEPTS = (
    "Belay asks you, not Claude: this command (`{verb}`) lets text that came from elsewhere reach Claude. "
    "Read that text first; say no if you did not want this."
)
_NAMED = ("belay", "workshop", "trust")
"""Words without which a command lets nothing foreign in."""


LONG = (
    "This call writes {size} into {where}; Belay looks for secrets in at most 256 KB at once. "
    "Write it in smaller parts, or keep long text in a file outside the memory folders and name it there."
)
LONG_COMMAND = (
    "This command has {size}; Belay reads at most 256 KB of one to see what it writes. "
    "Save the text with a file tool first and let a short command use that file."
)
CHECKED_CHARS = 256 * 1024
"""Characters that are looked through for secrets while the client waits: more than Claude writes in one call."""
CLEAN = "Cleaning what git ignores would delete Belay's records under .claude/memory. Leave them out with `-e .claude`."


def find_refusal(project: Project, call: ToolCall) -> str:
    """Return why a tool call is refused, "" when it may go on."""
    if len(call.command) > CHECKED_CHARS:
        return LONG_COMMAND.format(size=_format_size(call.command))
    if call.command:
        return _refuse_command(project, as_path(call.command))
    return _refuse_write(project, call) if call.path else ""


def find_question(project: Project, call: ToolCall) -> str:
    """Return what the person is asked before a tool call goes on, "" for nothing: only they accept foreign text."""
    bare = call.command.lower().replace("'", "").replace('"', "").replace("\\", "")
    if not any(word in bare for word in _NAMED):
        return ""
    from belay.client.permission import acceptance

    verb = acceptance.find_acceptance(call.command)
    if not verb or (verb in acceptance.TAKE_OVER and not _may_take_over(project, bare)):
        return ""
    return ACCEPTS.format(verb=verb)


def _may_take_over(project: Project, command: str) -> bool:
    """Whether there is a database that `init` or `cleanup` may take over; another folder's cannot be ruled out."""
    from belay.repository import database_location

    places = [os.path.join(project.root, folder, database_location.DATABASE) for folder in database_location.FOLDERS]
    return "cd " in command or "--db" in command or any(map(os.path.lexists, places))


def _refuse_write(project: Project, call: ToolCall) -> str:
    path = call.path
    full = os.path.realpath(os.path.join(project.root, path)) if "\0" not in path else path
    name = project.relative(full)
    if _is_own(project, full):
        return JOURNAL.format(where=name)
    if is_memory_file(name) or full.startswith(project.store + os.sep):
        # The client's own editors have one text a call; MultiEdit and file servers have a list of edits.
        parts = [call.given, *rows_of(call.given.get("edits"))]
        text = "\n".join(first_text(part, name) for part in parts for name in _WRITTEN)
        if len(text) > CHECKED_CHARS:
            return LONG.format(where=name, size=_format_size(text))
        from belay.safety.redaction import find_secrets

        return SECRET.format(where=name) if find_secrets(text) else ""
    return ""


def _format_size(text: str) -> str:
    return f"{len(text) / 1e6:.1f} MB"


def _is_own(project: Project, full: str) -> bool:
    if any(full.startswith(folder + os.sep) for folder in (project.journals, project.states, project.sessions)):
        return True
    if full.endswith(_TRUSTED) or _TRUSTED_ROWS in f"{full}/":
        return True
    named = os.path.realpath(project.database) if project.database else ""  # a variable can put it elsewhere
    return full == project.own_workshop or (bool(named) and full in (named, find_ledger(named)))


def is_memory_file(name: str) -> bool:
    """Whether a path from the project's root is a memory file."""
    lower = name.replace("\\", "/").lower()
    return lower.rsplit("/", 1)[-1] in _MEMORY_NAMES or (lower.endswith(".md") and lower.startswith(_MEMORY_FOLDERS))


def _refuse_command(project: Project, command: str) -> str:
    from belay.client.shell_command import cleans_ignored, find_changed, find_removed

    bare = strip_here_documents(command)
    own = [word for word in find_changed(bare) if _touches_own(project, word)]
    own += [word for word in find_removed(bare) if project.relative(word).rstrip("/*") in _ABOVE]
    if own:
        return JOURNAL.format(where=own[0])
    if cleans_ignored(bare):
        return CLEAN
    memory = [word for word in find_changed(command) if is_memory_file(project.relative(word))]
    if memory and any(mark in command for mark in (">", "tee", "sed")):
        from belay.safety.redaction import find_secrets

        return SECRET.format(where=memory[0]) if find_secrets(command) else ""
    return ""


def _touches_own(project: Project, word: str) -> bool:
    """Whether a changed word is one of Belay's own files."""
    name = project.relative(word).replace("\\", "/").rstrip("/*")
    inside = any(f"/{name}/".find(f"/{own}/") >= 0 for own in _OWN)
    return inside or _is_own(project, os.path.join(project.root, word))


def strip_here_documents(command: str) -> str:
    """Return a command without the bodies of its here-documents: they are text, not commands."""
    lines: list[str] = []
    end = ""
    for line in command.split("\n"):
        if end:
            end = "" if line.strip() == end else end
            continue
        lines.append(line)
        word = line.partition("<<")[2].lstrip("-~ ").split(" ", 1)[0].strip("'\"")
        end = word if word and not word.startswith("<") else ""
    return "\n".join(lines)


def is_belay_command(command: str) -> bool:
    """Whether a command runs Belay's own command line, which is no work of the session."""
    first = command.strip().split(" ", 1)[0] if not command.lstrip().startswith('"') else command.split('"')[1]
    return first.rsplit("/", 1)[-1] == "belay"
