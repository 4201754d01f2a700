"""Find files that another process has open: by /proc where there is one, else by a database's locks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

_PENDING_BYTE, _LOCK_BYTES = 0x40000000, 512
"""Where every SQLite process locks a database file (its file format: the lock-byte page)."""


def find_open_files(folders: Iterable[str], proc: str = "/proc") -> dict[str, str]:
    """Return {path: process} for the open files and working folders at or below the given ones.

    Processes of other users cannot be looked into; on systems without /proc the answer is empty.
    """
    roots = tuple(folders)
    found: dict[str, str] = {}
    for pid in _processes(proc):
        for path in _held(f"{proc}/{pid}"):
            if any(path == root or path.startswith(root + os.sep) for root in roots):
                found.setdefault(path, f"{_name(f'{proc}/{pid}/comm')} ({pid})")
    return found


def _processes(proc: str) -> list[str]:
    try:
        return [name for name in os.listdir(proc) if name.isdigit()]
    except OSError:
        return []


def _held(process: str) -> Iterator[str]:
    links = [f"{process}/cwd"]
    try:
        links += [f"{process}/fd/{name}" for name in os.listdir(f"{process}/fd")]
    except OSError:
        pass
    for link in links:
        try:
            yield os.readlink(link)
        except OSError:
            continue


def _name(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(64).strip() or "a process"
    except OSError:
        return "a process"


def is_locked(path: str) -> bool:
    """Whether a process holds SQLite's locks on the database (POSIX; elsewhere the answer is no).

    Ours must not have the file open: closing any descriptor drops all of a process's own POSIX locks.
    """
    try:
        import fcntl
    except ImportError:  # Windows refuses to rename an open file by itself
        return False
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCK_BYTES, _PENDING_BYTE)
        return False
    except OSError:
        return True
    finally:
        os.close(handle)
