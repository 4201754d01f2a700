"""One lock file with a deadline; excludes filelock's holders of the same file, and they it.

The file is never unlinked or truncated: waiters would be split across inodes (filelock's own history).
"""

from __future__ import annotations

import os
import time

from belay.core.constants import LOCK_DEADLINE
from belay.core.errors import LockTimeout

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PAUSE = 0.005


class hold:
    """Hold the lock on `path` inside a with block; LockTimeout after `deadline` seconds."""

    __slots__ = ("deadline", "handle", "path")

    def __init__(self, path: str, deadline: float = LOCK_DEADLINE) -> None:
        self.path, self.deadline, self.handle = path, deadline, -1

    def __enter__(self) -> hold:
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        until = time.monotonic() + self.deadline
        while not _take(self.handle):
            if time.monotonic() >= until:
                os.close(self.handle)
                raise LockTimeout(
                    self.path, f"held by another process for over {self.deadline:g} s", "try again"
                )
            time.sleep(_PAUSE)
        return self

    def __exit__(self, *_: object) -> None:
        _release(self.handle)
        os.close(self.handle)


def _take(handle: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _windows(handle, "LK_NBLCK")
        return True
    except OSError:
        return False


def _release(handle: int) -> None:
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_UN)
    else:
        _windows(handle, "LK_UNLCK")


def _windows(handle: int, mode: str) -> None:
    import msvcrt

    os.lseek(handle, 0, os.SEEK_SET)
    msvcrt.locking(handle, getattr(msvcrt, mode), 1)  # type: ignore[attr-defined]
