"""Where earlier tools kept things, and where each of them belongs now (seed 001, "Migration")."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

LEGACY = (".claude-work", ".orchestration", ".workshop")
SIDECARS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database that is open or was not closed."""

_NESTED = (".workshop", ".orchestration", "orchestration")
_RESERVED = frozenset(
    (".gitignore", "continuations", "journal", "lock", "log", "settings.json", "state", "templates", "undo")
)
"""Names in .claude/memory that Belay reads as its own: a file that came with a clone must not become one."""


class Item(NamedTuple):
    """One entry of a legacy folder: where it is, where it belongs, and that folder's name without the dot."""

    source: str
    target: str
    origin: str


def list_items(folder: str, origin: str, memory: str, other: str) -> Iterator[Item]:
    """Yield what a legacy folder holds: memory/, databases, playbooks go to `memory`, others to `other`."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name == "memory" and is_folder(path):
            yield from (_kept(path, inner, memory, origin) for inner in sorted(os.listdir(path)))
        elif name in _NESTED and is_folder(path):
            yield from list_items(path, origin, memory, other)
        else:
            in_memory = name == "playbooks" or is_database(name) or is_sidecar(name)
            yield _kept(folder, name, memory if in_memory else other, origin)


def _kept(folder: str, name: str, target: str, origin: str) -> Item:
    taken = name.lower() in _RESERVED
    return Item(os.path.join(folder, name), os.path.join(target, name_beside(name, origin) if taken else name), origin)


def name_beside(name: str, origin: str, number: int = 1) -> str:
    """Return a readable second name for a file that came from `origin`: notes.from-workshop.md."""
    stem, end = os.path.splitext(name)
    return f"{stem}.from-{origin}{'' if number == 1 else f'-{number}'}{end}"


def is_folder(path: str) -> bool:
    """Whether the path is a folder itself, not a link to one."""
    return stat.S_ISDIR(mode(path))


def is_plain(path: str) -> bool:
    """Whether the path is a regular file itself, not a link to one."""
    return stat.S_ISREG(mode(path))


def mode(path: str) -> int:
    """Return the mode of the path itself, 0 when there is nothing."""
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0


def is_database(name: str) -> bool:
    return name.endswith(".db")


def is_sidecar(name: str) -> bool:
    return name.endswith(tuple(".db" + end for end in SIDECARS))


def list_with_sidecars(path: str) -> list[str]:
    """Return a database and SQLite's files beside it, the database first."""
    return [path, *(path + end for end in SIDECARS if os.path.lexists(path + end))]
