"""The merge driver: git merges memory files by their records. Set up in a repository, taken out again, run by git.

git's own config names the program, `.git/info/attributes` (or, shared with a team, `.gitattributes`) the files.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from belay.core import files, paths
from belay.core.constants import FILE_BYTES
from belay.core.errors import BelayError
from belay.repository.git import process

if TYPE_CHECKING:
    from belay.core.paths import Project

_SECTION = "merge.belay"
_TITLE = "Belay: memory files merged by their records"
_BEGIN, _END = "# belay: merge driver", "# /belay: merge driver"
_JOINED = _BEGIN + " (no line end before)"
_RULES = ("MEMORY.md merge=belay", ".memory/branches/*.md merge=belay")
MISSING = (
    ".gitattributes names Belay's merge driver, which is not set up on this machine: git merges MEMORY.md line by "
    "line. `belay branch merge-driver --install` sets it up."
)


def driver_command() -> str:
    """Return the command line that git runs: base, ours, theirs, the path."""
    return f"{shlex.quote(paths.resource('bin', 'belay'))} branch merge-driver --run %O %A %B %P"


def install_driver(project: Project, *, shared: bool = False) -> list[str]:
    """Set the driver up; return the files that name it. `shared` names it in .gitattributes for everybody.

    Raises BelayError where a file is not to be touched or git refuses.
    """
    _require_git(project)
    process.run(project.root, "config", "--local", f"{_SECTION}.name", _TITLE)
    process.run(project.root, "config", "--local", f"{_SECTION}.driver", driver_command())
    path = _shared_attributes(project) if shared else _local_attributes(project)
    text = _read_attributes(path)
    if _BEGIN not in text:
        joined = bool(text) and not text.endswith("\n")
        rows = [_JOINED if joined else _BEGIN, *_RULES, _END]
        _write_attributes(path, text + ("\n" if joined else "") + "\n".join(rows) + "\n")
    return [project.relative(path)]


def uninstall_driver(project: Project) -> list[str]:
    """Take the driver out of git's config and of both attribute files, every other byte kept; return what changed."""
    _require_git(project)
    changed = []
    if process.run(project.root, "config", "--local", "--get-regexp", r"^merge\.belay\.", ok=(0, 1)):
        process.run(project.root, "config", "--local", "--remove-section", _SECTION)
        changed.append("config")
    for path in (_local_attributes(project), _shared_attributes(project)):
        text = _read_attributes(path)
        rest = _remove_block(text)
        if rest != text:
            _write_attributes(path, rest)
            changed.append(project.relative(path))
    return changed


def is_installed(project: Project) -> bool:
    """Whether this machine's git has the driver and its program exists."""
    try:
        program = shlex.split(_read_configured_command(project))[:1]
    except ValueError:  # a quote that nothing closes
        return False
    return bool(program) and os.path.exists(program[0])


def explain_missing(project: Project) -> str:
    """Return the warning that .gitattributes names the driver and this machine has none, "" otherwise."""
    named = project.git_dir and b"merge=belay" in files.read(_shared_attributes(project), FILE_BYTES)
    return MISSING if named and not is_installed(project) else ""


def run_driver(base: str, ours: str, theirs: str) -> int:
    """Merge three files (paths, as git gives them) into the second; return 1 where conflicts are left, else 0.

    What is no text, or too large, is merged by git line by line.
    """
    from belay.memory.document.three_way_merge import merge

    base, ours, theirs = (os.path.abspath(path) for path in (base, ours, theirs))
    texts = [text for path in (base, ours, theirs) if (text := _read_text(path)) is not None]
    if len(texts) < 3:
        options = ["merge-file", ours, base, theirs]
        process.call(os.path.dirname(ours), options, process.TIMEOUT, tuple(range(128)), b"")
        return 1
    result = merge(*texts)
    _write_file(ours, result.text)
    return 1 if result.conflicts else 0


def _read_text(path: str) -> str | None:
    data = files.read(path, FILE_BYTES + 1)
    if len(data) > FILE_BYTES or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _require_git(project: Project) -> None:
    if not project.git_dir:
        raise BelayError(project.root, "is no git repository")


def _local_attributes(project: Project) -> str:
    info = os.path.join(project.common_dir, "info")
    if paths.leads_out(project.common_dir, info):
        raise BelayError(info, "is a link out of this repository", "remove the link")
    return os.path.join(info, "attributes")


def _shared_attributes(project: Project) -> str:
    return project.at(".gitattributes")


def _read_attributes(path: str) -> str:
    if os.path.islink(path) or (os.path.lexists(path) and not os.path.isfile(path)):
        raise BelayError(path, "is no plain file", "add the lines by hand: " + ", ".join(_RULES))
    return files.read(path).decode("utf-8", "surrogateescape")


def _write_attributes(path: str, text: str) -> None:
    """Write an attribute file; one that holds nothing any more goes."""
    if text:
        _write_file(path, text)
    elif os.path.lexists(path):
        os.unlink(path)


def _write_file(path: str, text: str) -> None:
    try:
        files.write(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise BelayError(path, f"cannot be written: {error.strerror or error}") from error


def _remove_block(text: str) -> str:
    """Return a text without Belay's block, and without the line end that was put before it."""
    before, begin, rest = text.partition(_BEGIN)
    block, end, after = rest.partition(_END + "\n")
    if not begin or not end:
        return text
    joined = block.startswith(_JOINED[len(_BEGIN) :])
    return (before.removesuffix("\n") if joined else before) + after


def _read_configured_command(project: Project) -> str:
    try:
        return process.run(project.root, "config", "--get", f"{_SECTION}.driver", ok=(0, 1)).strip()
    except BelayError:
        return ""
