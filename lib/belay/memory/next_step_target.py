"""Find what a next step names: an existing file, a symbol of the code, or a command that can be run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from belay.core import files
from belay.core.errors import BelayError
from belay.core.paths import Project, inside
from belay.repository.git import process

_QUOTED = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[\w./\\~@+:#()$-]+")
_PLACE = re.compile(r"(?::\d+(?:-\d+)?|#L\d+)+$")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
_LIKE_CODE = re.compile(r"\(\)$|_\w|[a-z]\d*[A-Z]|\w(?:::|#)\w")
_RUN = re.compile(r"\b(?:re-?run|run|execute|start)\s+`?([\w./-]+)", re.IGNORECASE)
_NOT_CODE = (":(exclude,glob)**/*.md", ":(exclude,glob).claude/**", ":(exclude,glob)memory/**")
_PROSE = frozenset(["at", "find", "look", "more", "test", "time", "true", "who", "write", "yes"])
"""Programs whose names are words of any sentence."""
WALKED_FILES = 2000
WALKED_BYTES = 1024 * 1024


def find_target(text: str, project: Project, commands: Iterable[str] = ()) -> str:
    """Return what the text names that exists, "" when it names nothing; `commands` were run here."""
    quoted = _QUOTED.findall(text)
    words = [_strip_punctuation(word) for word in _WORD.findall(text)]
    return (
        _find_file(project, [*quoted, *words])
        or _find_known_command(text, commands)
        or _find_program([part.split()[0] for part in quoted if part.split()] + _RUN.findall(text))
        or _find_symbol(project, _extract_symbols(quoted, words))
    )


def _strip_punctuation(word: str) -> str:
    """Return a word without the punctuation around it; the brackets of a call stay."""
    word = word.strip(".,;:").lstrip("(")
    return word if word.endswith("()") else word.rstrip(").,;:")


def _find_file(project: Project, words: list[str]) -> str:
    names: set[str] = set()
    for word in words:
        path = _PLACE.sub("", word.strip()).replace("\\", "/").removeprefix("./")
        if path and _is_inside(project, path):
            return path
        if "." in path.strip("."):
            names.add("/" + path.lstrip("/"))
    return next((path for path in _list_files(project) if names and ("/" + path).endswith(tuple(names))), "")


def _is_inside(project: Project, path: str) -> bool:
    """Whether a path is a file of the project; a folder counts when it is written as one."""
    full = inside(project.root, path)
    return os.path.isfile(full) or ("/" in path and os.path.isdir(full))


def _list_files(project: Project) -> list[str]:
    if project.git_dir:
        try:
            listing = process.run(project.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
            return process.split_fields(listing)
        except BelayError:
            pass
    return list(_walk_files(project.root))


def _walk_files(root: str) -> Iterable[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            count += 1
            if count > WALKED_FILES:
                return
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def _find_known_command(text: str, commands: Iterable[str]) -> str:
    return next((command for command in commands if len(command) > 3 and command in text), "")


def _find_program(words: list[str]) -> str:
    if not words:
        return ""
    import shutil

    return next((word for word in words if word.lower() not in _PROSE and shutil.which(word)), "")


def _extract_symbols(quoted: list[str], words: list[str]) -> list[str]:
    """Return the last names of what looks like code: quoted, called(), snake_case, camelCase, qualified."""
    written = [*quoted, *(word for word in words if _LIKE_CODE.search(word))]
    whole = [match for part in written for match in [_SYMBOL.match(part.strip())] if match]
    names = [re.split(r"\.|::|#", match.group())[-1] for match in whole]
    return [name for name in dict.fromkeys(names) if len(name) > 2]


def _find_symbol(project: Project, names: list[str]) -> str:
    return next((name for name in names[:8] if _is_in_code(project, name)), "")


def _is_in_code(project: Project, name: str) -> bool:
    if project.git_dir:
        try:
            args = ("grep", "-l", "-w", "-F", "--untracked", "-e", name, "--", ".", *_NOT_CODE)
            return bool(process.run(project.root, *args, ok=(0, 1)))
        except BelayError:
            pass
    word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    code = (path for path in _walk_files(project.root) if not path.endswith(".md") and not path.startswith("memory/"))
    return any(word.search(files.read(os.path.join(project.root, path), WALKED_BYTES)) for path in code)
