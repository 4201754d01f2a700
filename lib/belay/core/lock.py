"""One lock file with a deadline: the hooks' small fcntl lock, or filelock in the command line and the consolidator.

Both take flock on the same file, so they exclude each other. The file is never removed or truncated: processes
that wait would otherwise be split across inodes.
"""

from __future__ import annotations

import errno
import os
import time

from belay.core import files
from belay.core.constants import LOCK_DEADLINE
from belay.core.errors import LockTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from filelock import BaseFileLock

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PAUSE = 0.005
_chosen = False


def use_filelock(chosen: bool = True) -> bool:
    """Take this process's later locks with filelock where it is installed; return what was chosen before.

    For the command line and the consolidator. A hook never calls this: filelock takes 40 ms to load.
    """
    global _chosen
    before, _chosen = _chosen, chosen
    return before


def _filelock() -> ModuleType | None:
    try:
        import filelock
    except ImportError:
        return None
    return filelock


class hold:
    """Hold the lock on `path` inside a with block; LockTimeout after `deadline` seconds.

    With `opened`, never with filelock: `handle` is then the open lock file.
    """

    __slots__ = ("deadline", "file_lock", "handle", "opened", "path")

    def __init__(self, path: str, deadline: float = LOCK_DEADLINE, *, opened: bool = False) -> None:
        self.path, self.deadline, self.handle, self.opened = path, deadline, -1, opened
        self.file_lock: BaseFileLock | None = None

    def __enter__(self) -> hold:
        folder = os.path.dirname(self.path)
        if not os.path.isdir(folder):
            files.make_folder(folder)
        library = _filelock() if _chosen and not self.opened else None
        if library is not None:
            self._acquire(library)
            return self
        self.handle = files.open_own(self.path, os.O_RDWR | os.O_CREAT)[0]
        until = time.monotonic() + self.deadline
        while not _take(self.handle):
            if time.monotonic() >= until:
                os.close(self.handle)
                raise self._timeout()
            time.sleep(_PAUSE)
        return self

    def _acquire(self, library: ModuleType) -> None:
        # A lock file beside the lock file, filelock's answer to a disk without flock, would not stop a hook.
        status = files.check_plain(self.path)
        if status and status.st_size and status.st_nlink > 1:  # it would be emptied under every name
            raise OSError(errno.EEXIST, "is another file too, by a hard link; remove it", self.path)
        lock = library.FileLock(self.path, self.deadline, 0o600, poll_interval=_PAUSE, fallback_to_soft=False)
        try:
            lock.acquire()
        except library.Timeout:
            raise self._timeout() from None
        self.file_lock = lock

    def _timeout(self) -> LockTimeout:
        return LockTimeout(self.path, f"held by another process for over {self.deadline:g} s", "try again")

    def __exit__(self, *_: object) -> None:
        if self.file_lock is not None:
            self.file_lock.release()
            return
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
