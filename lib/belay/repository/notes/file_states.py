"""What files of the project hold, by their blobs: in the work tree now, or at a commit. Nothing is written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import paths
from belay.repository.git import process
from belay.repository.git import status as git_status
from belay.repository.notes import binding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from belay.core.paths import Project

MOST = 2000
"""Files that are looked at."""
FILE_BYTES = 64 * 1024 * 1024
"""A larger file that is not committed counts as unknown."""


def read_now(project: Project, names: Iterable[str]) -> dict[str, str]:
    """Return path → blob of files as the work tree has them, "" for one that is gone; a folder is left out."""
    wanted = [name for name in dict.fromkeys(names) if _is_file_name(name)][:MOST]
    if not wanted:
        return {}
    dirty = [path for _, path in git_status.list_uncommitted(project.root, *wanted)]
    changed = [name for name in wanted if any(_covers(path, name) for path in dirty)]
    clean = [name for name in wanted if name not in {*changed}]
    blobs = dict(zip(clean, git_status.find_blobs(project.root, [f"HEAD:{name}" for name in clean]), strict=True))
    return {**blobs, **_hash_files(project, changed)}


def _is_file_name(name: str) -> bool:
    return bool(name) and not name.endswith("/") and "\n" not in name


def _covers(path: str, name: str) -> bool:
    return path == name or (path.endswith("/") and name.startswith(path))


def _hash_files(project: Project, names: Sequence[str]) -> dict[str, str]:
    there = {name: project.at(name) for name in names if paths.inside(project.root, name)}
    plain = [name for name, full in there.items() if os.path.isfile(full) and not os.path.islink(full)]
    small = [name for name in plain if os.path.getsize(there[name]) <= FILE_BYTES]
    data = "".join(name + "\n" for name in small).encode("utf-8", "surrogateescape")
    answer = process.run(project.root, "hash-object", "--stdin-paths", data=data) if small else ""
    hashes = dict(zip(small, answer.split(), strict=True))
    return {**{name: "" for name in names if not os.path.lexists(project.at(name))}, **hashes}


def read_at(project: Project, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return (commit, path) → blob of files as commits have them; what a commit does not have is left out."""
    asked = [(at, name) for at, name in dict.fromkeys(wanted) if binding.is_commit(at) and _is_file_name(name)][:MOST]
    blobs = git_status.find_blobs(project.root, [f"{at}:{name}" for at, name in asked])
    return {place: blob for place, blob in zip(asked, blobs, strict=True) if blob}
