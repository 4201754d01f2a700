"""Files that a library or another program fills: copies, archives, the output of a command. Not for hooks."""

from __future__ import annotations

import os
import shutil
import tarfile
from typing import TYPE_CHECKING

from belay.core import files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO


def copy_file(source: str, target: str, *, follow_links: bool = True) -> None:
    """Copy a file with its mode and times; without `follow_links` a link is copied as a link."""
    shutil.copy2(source, target, follow_symlinks=follow_links)


def write_archive(target: str, paths: Iterable[str], base: str) -> None:
    """Pack files and folders under their names from `base` into a new archive (0600) and read it back.

    OSError or tarfile.TarError where that fails.
    """
    files.create(target, new=True)
    with tarfile.open(target, "w:gz") as archive:
        for path in paths:
            archive.add(path, arcname=os.path.relpath(path, base))
    with tarfile.open(target) as archive:
        archive.getmembers()


def open_log(path: str) -> TextIO:
    """Open a new text file in the place of an earlier one, for the output of a command."""
    files.remove(path)
    return open(path, "x", encoding="utf-8", errors="replace")


def sync_file(path: str) -> None:
    """Make the content of a file durable that a library wrote."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))  # Windows syncs only what is open for writing
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
