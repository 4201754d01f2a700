"""Files: writes that a kill cannot tear (beside, sync, replace, sync the folder; or one appended line), and reads."""

from __future__ import annotations

import errno
import os
import stat

from belay.core import paths
from belay.core.constants import FILE_BYTES

_BINARY = getattr(os, "O_BINARY", 0)
_OWN = getattr(os, "O_NOFOLLOW", 0)
"""What is written must not lead elsewhere: a clone may hold a link where our file would be."""
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # a pipe where a file should be must not keep a hook waiting
_READ = os.O_RDONLY | _BINARY | _NO_WAIT


def write(path: str, data: bytes, *, sync: bool = True) -> None:
    """Replace the file by `data` in one step, making its folder; OSError leaves the old one as it was.

    A link is refused, a pipe or socket gives way. Another name of the file (a hard link) keeps the old content.
    """
    folder = os.path.dirname(path)
    make_folder(folder)
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        _fill(beside, data, sync, _mode(path))
        os.replace(beside, path)
    except BaseException:
        remove(beside)
        raise
    if sync:
        sync_folder(folder)


def make_folder(path: str, mode: int = 0o777, *, new: bool = False) -> None:
    """Make a folder and those above it; OSError where a link leads out of every project that is at work here."""
    check_inside(path)
    os.makedirs(path, mode, exist_ok=not new)


def check_inside(path: str) -> None:
    """Raise OSError where a path in a project that is at work here leads out of all of them, through a link."""
    roots = tuple(root + os.sep for root in paths.ROOTS)
    if path.startswith(roots) and not (os.path.realpath(path) + os.sep).startswith(roots):
        raise OSError(errno.ELOOP, "a link leads out of the project; remove the link", path)


def _mode(path: str) -> int:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return 0o666
    if stat.S_ISLNK(mode) or stat.S_ISDIR(mode):
        raise _refusal(path, mode)
    return mode & 0o777


def _refusal(path: str, mode: int) -> OSError:
    if stat.S_ISLNK(mode):
        return OSError(errno.ELOOP, "is a symbolic link; remove it", path)
    return OSError(errno.EISDIR, "is no file, but a folder, a pipe or a device; move it away", path)


def open_own(path: str, flags: int, mode: int = 0o600) -> tuple[int, os.stat_result]:
    """Open a file that is written in place, without waiting; return it with its status.

    OSError where a link is, or anything that is no file.
    """
    try:
        handle = os.open(path, flags | _BINARY | _OWN | _NO_WAIT, mode)
    except FileExistsError:
        raise
    except OSError as error:
        check_plain(path)
        raise error from None
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise _refusal(path, status.st_mode)
    return handle, status


def check_plain(path: str) -> os.stat_result | None:
    """Return the status of a file, None where there is none; OSError where a link is, or anything that is no file."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise _refusal(path, status.st_mode)
    return status


def _fill(path: str, data: bytes, sync: bool, mode: int) -> None:
    new = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
    try:
        handle = os.open(path, new, mode)
    except FileExistsError:  # of a killed process with our number, or put there: it is not written to
        os.unlink(path)
        handle = os.open(path, new, mode)
    try:
        write_all(handle, data)
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """Write every byte, however many calls the system makes of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def create(path: str, mode: int = 0o600, *, new: bool = False) -> None:
    """Make an empty file unless it exists; FileExistsError where it must be `new`."""
    os.close(open_own(path, os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else 0), mode)[0])


def replace(source: str, target: str, *, sync: bool = True) -> None:
    """Move a file over another one in one step."""
    os.replace(source, target)
    if sync:
        sync_folder(os.path.dirname(target))


def sync_folder(path: str) -> None:
    """Make a rename in the folder durable, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def append_line(path: str, line: bytes, *, sync: bool = True, names: int = 1) -> None:
    """Append one line by a single write under O_APPEND and sync it, unless `sync` is False.

    A torn tail left by a killed or disk-full writer is closed first with a newline in the same write. OSError where not
    all was written. With more than `names` names (hard links of a backup) it is copied first, and they keep the old.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    handle, status = open_own(path, flags)
    if status.st_nlink > names:
        _part(handle, path, names)
        handle, status = open_own(path, flags)
    try:
        data = (b"" if _ends_line(handle, status.st_size) else b"\n") + line.rstrip(b"\n") + b"\n"
        if os.write(handle, data) != len(data):
            raise OSError(errno.ENOSPC, "the disk took only part of the record", path)
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)
    if sync and not status.st_size:
        sync_folder(os.path.dirname(path))


def _part(handle: int, path: str, names: int) -> None:
    """Close a file with other names and give it a content of its own; who appends meanwhile waits for the old one."""
    try:
        import fcntl
    except ImportError:  # Windows
        pass
    else:
        fcntl.flock(handle, fcntl.LOCK_EX)
    status = check_plain(path)
    if status and status.st_nlink > names:
        write(path, load(path))
    os.close(handle)


def _ends_line(handle: int, size: int) -> bool:
    if size == 0:
        return True
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) == b"\n"


def read(path: str, limit: int = -1) -> bytes:
    """Return the file's bytes (at most `limit`), or b"" when there is none to read."""
    return _read_part(path, 0, limit)[1]


def load(path: str) -> bytes:
    """Return the bytes of a file that is to be changed, b"" without one; OSError for a link or where it cannot be."""
    return _read_part(path, 0, strict=True)[1]


def read_from(path: str, offset: int, limit: int = -1) -> bytes:
    """Return the file's bytes from an offset on (at most `limit`), b"" when there are none."""
    return _read_part(path, offset, limit)[1]


def tail(path: str, size: int) -> bytes:
    """Return the complete lines in the file's last `size` bytes, b"" when there is none to read."""
    start, data = _read_part(path, -size, size)
    return data if start == 0 else data[data.find(b"\n") + 1 :]


def _read_part(path: str, start: int, size: int = -1, *, strict: bool = False) -> tuple[int, bytes]:
    """Return where a part of the file begins, and its bytes; a start below 0 counts from the end."""
    try:
        handle = open_own(path, os.O_RDONLY)[0] if strict else os.open(path, _READ)
    except OSError as error:
        if strict and not isinstance(error, FileNotFoundError):
            raise
        return 0, b""
    try:
        whole = os.fstat(handle).st_size
        begin = start if start >= 0 else max(0, whole + start)
        if begin:
            os.lseek(handle, begin, os.SEEK_SET)
        return begin, _bytes(handle, whole - begin if size < 0 else size)
    except OSError:
        if strict:
            raise
        return 0, b""
    finally:
        os.close(handle)


def _bytes(handle: int, size: int) -> bytes:
    parts = []
    while size > 0:
        part = os.read(handle, min(size, 1 << 20))
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def remove(path: str) -> None:  # where that is possible
    try:
        os.unlink(path)
    except OSError:
        pass


def explain_refusal(path: str) -> str:
    """Return why a memory file is not to be touched (docs/trust.md), "" when it may be."""
    if os.path.islink(path):
        return "is a symbolic link"
    if not os.path.lexists(path):
        return ""
    if not os.path.isfile(path):
        return "is not a file"
    if os.path.getsize(path) > FILE_BYTES:
        return "is over 1 MB"
    return flaw(read(path))


def flaw(data: bytes) -> str:
    """Return why a memory file's bytes are not to be read, "" when they may be."""
    at = (b"\n" + data).find(b"\n<<<<<<< ")
    if at >= 0:
        line = data.count(b"\n", 0, at) + 1
        return f"has git conflict markers (line {line})"
    return "" if _is_text(data) else "is not UTF-8"


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def list_names(folder: str) -> list[str]:
    """Return the names of what a folder holds, in order; [] where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def written_at(path: str) -> float:
    """Return when a file was last written, in seconds since 1970; 0.0 where there is none."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def stamp(path: str) -> list[int]:
    """Return size and time (ns) of a file, by which a change of it is seen; [] where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns]
