"""Moves that a kill cannot tear, and the comparisons that make them safe to repeat."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Sequence

from belay.core import files, outputs
from belay.setup.cleanup.places import is_folder, is_plain

_PIECE = 1 << 20


def move(source: str, target: str, *, durable: bool = True) -> None:
    """Move a file, link or folder; between devices a file is copied, synced, compared, then removed.

    FileExistsError when something is at the target. A folder is never copied: OSError EXDEV asks the
    caller to move what is in it.
    """
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "something is there now", target)
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV or is_folder(source):
            raise
        copy(source, target)
        os.unlink(source)
    if durable:
        settle([[source, target]])


def settle(pairs: Iterable[Sequence[str]]) -> None:
    """Make the moves between these paths durable, each folder synced once."""
    for folder in sorted({os.path.dirname(path) for pair in pairs for path in pair}):
        if is_folder(folder):
            files.sync_folder(folder)


def copy(source: str, target: str) -> None:
    """Copy one file or link beside the target, sync, compare, put it in place; OSError leaves no target."""
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    if not is_plain(source):
        raise OSError(errno.EXDEV, "only files, links and folders can be moved to another disk", source)
    work = os.path.join(os.path.dirname(target), f".belay.{os.getpid()}.tmp")
    outputs.copy_file(source, work, follow_links=False)
    outputs.sync_file(work)
    if not has_same_content(source, work):
        os.unlink(work)
        raise OSError(errno.EIO, "the copy differs from the original", source)
    files.replace(work, target)


def save(source: str, target: str) -> None:
    """Give a file a second name that outlives its replacement; a copy where there are no hard links."""
    if os.path.lexists(target):
        return
    try:
        os.link(source, target, follow_symlinks=False)
        files.sync_folder(os.path.dirname(target))
    except (OSError, NotImplementedError):
        copy(source, target)


def has_same_content(one: str, other: str) -> bool:
    """Whether two paths hold the same: equal bytes, or links to one place; folders and pipes never."""
    if os.path.islink(one) and os.path.islink(other):
        return os.readlink(one) == os.readlink(other)
    if not (is_plain(one) and is_plain(other)) or os.path.getsize(one) != os.path.getsize(other):
        return False
    return digest(one) == digest(other)


def digest(path: str) -> str:
    """Return the sha256 of a file, "" when there is none to read."""
    found = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                found.update(piece)
    except OSError:
        return ""
    return found.hexdigest()
