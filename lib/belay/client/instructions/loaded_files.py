"""The files that the client loads by itself: the CLAUDE.md chain with its imports, rules, its own memory (HOST §4)."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from belay.client import settings_files
from belay.core import files, paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_BYTES = 4 * 1024 * 1024
"""What the client reads of one file (HOST §4)."""
HOPS = 4
"""Imports inside imports that are followed (HOST §4)."""
MOST_FILES = 500
NATIVE_LINES, NATIVE_BYTES = 200, 25 * 1024
"""What the client loads of its own memory (HOST §4)."""
MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/CLAUDE.md",
    "win32": r"C:\Program Files\ClaudeCode\CLAUDE.md",
}
_MANAGED_ELSEWHERE = "/etc/claude-code/CLAUDE.md"
_IMPORT = re.compile(r"(?:^|(?<=\s))@([^\s`]+)")
_CODE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)[^\n]*$|`[^`\n]*`", re.S | re.M)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)


class LoadedFile(NamedTuple):
    """A file: its path, what it is, the text that the client takes of it, and why that is nothing, "" if it is not."""

    path: str
    what: str
    text: str
    problem: str = ""


def list_loaded(cwd: str, root: str, environ: Mapping[str, str]) -> list[LoadedFile]:
    """Return what a session in a folder begins with, in the order of loading; each file once, imports behind theirs."""
    switch = settings_files.find_instructions_switch(environ, root)
    found: list[LoadedFile] = []
    seen: set[str] = set()
    for path, what in [] if switch else _list_places(cwd, environ):
        if len(found) < MOST_FILES:
            found += _load(path, what, environ, root, seen, 0)
    return [*found, *_load_native(root, environ)]


def list_on_demand(cwd: str, root: str, environ: Mapping[str, str], names: list[str]) -> list[LoadedFile]:
    """Return what the client reads later: CLAUDE.md files below a folder, rules of paths, topics of its own memory.

    `names` are the project's files, from its root.
    """
    below = os.path.join(os.path.realpath(cwd), "")
    nested = [os.path.join(root, name) for name in names if os.path.basename(name) == "CLAUDE.md"]
    own = {os.path.join(below, name) for name in ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"))}
    lazy = [(path, "CLAUDE.md of a folder") for path in nested if path.startswith(below) and path not in own]
    rules = [path for folder in _list_rule_folders(cwd, environ) for path in _list_rules(folder)]
    lazy += [(path, "rule of some paths") for path in rules if _has_paths(_read(path))]
    folder = os.path.dirname(paths.native_memory(environ, root))
    topics = [os.path.join(folder, name) for name in files.list_names(folder) if name.endswith(".md")]
    lazy += [(path, "topic of Claude's own memory") for path in topics if os.path.basename(path) != "MEMORY.md"]
    return [LoadedFile(path, what, _COMMENT.sub("", _read(path))) for path, what in lazy[:MOST_FILES]]


def _list_places(cwd: str, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield MANAGED.get(sys.platform, _MANAGED_ELSEWHERE), "managed by your organisation"
    yield os.path.join(paths.client_dir(environ), "CLAUDE.md"), "yours, for every project"
    for path in _list_rules(os.path.join(paths.client_dir(environ), "rules")):
        yield path, "your rule"
    for folder in _list_folders(cwd):
        for name in ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md")):
            yield os.path.join(folder, name), "of the project or a folder above"
        for path in _list_rules(os.path.join(folder, ".claude", "rules")):
            yield path, "rule of the project"
        yield os.path.join(folder, "CLAUDE.local.md"), "yours, in this project"


def _list_folders(cwd: str) -> list[str]:
    """Return a folder and those above it, the topmost first."""
    found = [os.path.realpath(cwd)]
    while os.path.dirname(found[-1]) != found[-1]:
        found.append(os.path.dirname(found[-1]))
    return found[::-1]


def _list_rule_folders(cwd: str, environ: Mapping[str, str]) -> list[str]:
    folders = [os.path.join(folder, ".claude", "rules") for folder in _list_folders(cwd)]
    return [*dict.fromkeys([os.path.join(paths.client_dir(environ), "rules"), *folders])]


def _list_rules(folder: str) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(place, name) for name in sorted(names) if name.endswith(".md")]
        if len(found) > MOST_FILES:
            break
    return found


def _load(
    path: str, what: str, environ: Mapping[str, str], root: str, seen: set[str], hop: int
) -> Iterator[LoadedFile]:
    """Yield a file and what it imports, as far as the client follows."""
    real = os.path.realpath(path)
    if real in seen or not os.path.lexists(path) or len(seen) > MOST_FILES:
        return
    seen.add(real)
    problem = _explain(path, environ, root)
    text = "" if problem else _read(path)
    if _has_paths(text):
        return
    plain = _COMMENT.sub("", text)
    yield LoadedFile(path, what, plain, problem)
    if hop < HOPS:
        for name in _IMPORT.findall(_CODE.sub("", plain)):
            target = os.path.join(os.path.dirname(path), os.path.expanduser(name.rstrip(".,;:!?)")))
            if os.path.isfile(target):
                yield from _load(target, f"imported by {os.path.basename(path)}", environ, root, seen, hop + 1)


def _explain(path: str, environ: Mapping[str, str], root: str) -> str:
    """Return why the client loads nothing of a file, "" where it does."""
    if not os.path.isfile(path):
        return "is no file" if os.path.exists(path) else "is a link that leads nowhere"
    exclusion = settings_files.find_exclusion(environ, root, path)
    if exclusion:
        return f"is left out by {exclusion}"
    return "" if os.access(path, os.R_OK) else "cannot be read"


def _read(path: str) -> str:
    data = files.read(path, MOST_BYTES) if os.path.isfile(path) else b""
    return data.decode("utf-8", "replace")


def _has_paths(text: str) -> bool:
    """Whether a rule is for some files only, and so is read with them."""
    front = _FRONT.match(text)
    return bool(front) and any(line.startswith("paths:") for line in (front[1] if front else "").split("\n"))


def _load_native(root: str, environ: Mapping[str, str]) -> list[LoadedFile]:
    path = paths.native_memory(environ, root)
    if not os.path.isfile(path):
        return []
    switch = settings_files.find_native_memory_switch(environ, root)
    if switch:
        return [LoadedFile(path, "Claude's own memory", "", f"is switched off by {switch}")]
    text = _read(path)
    return [LoadedFile(path, "Claude's own memory", text)]


def cut_native(text: str) -> str:
    """Return what the client loads of its own memory: the first lines, and of them the first bytes."""
    head = "".join(text.splitlines(keepends=True)[:NATIVE_LINES])
    return head.encode("utf-8", "replace")[:NATIVE_BYTES].decode("utf-8", "ignore")
