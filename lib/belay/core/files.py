"""Files: writes that a kill cannot tear (beside, sync, replace, sync the folder; or one appended line), and reads."""

from __future__ import annotations

import os

from belay.core import json_codec, paths
from belay.core.constants import FILE_BYTES, TAIL_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_BINARY = getattr(os, "O_BINARY", 0)
_OWN = getattr(os, "O_NOFOLLOW", 0)
"""What is written must not lead elsewhere: a clone may hold a link where our file would be."""
_READ = os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0)
"""A pipe where a file should be must not keep a hook waiting."""
REACH = 8 * 1024 * 1024  # bytes from the end that are looked through before giving up
HEAD_BYTES = 4 * 1024 * 1024  # bytes from the start that are looked through
LINE_BYTES = 1024 * 1024  # a longer line is not even searched: no answer of a model is that long
_BLOCK = 1024 * 1024


def write(path: str, data: bytes, *, sync: bool = True) -> None:
    """Replace the file by `data` in one step, making its folder; OSError leaves the old one as it was."""
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


def make_folder(path: str, mode: int = 0o777) -> None:
    """Make a folder and those above it; OSError where a link leads out of every project that is at work here."""
    roots = tuple(root + os.sep for root in paths.ROOTS)
    if path.startswith(roots) and not (os.path.realpath(path) + os.sep).startswith(roots):
        raise OSError(40, "a link leads out of the project; remove the link", path)
    os.makedirs(path, mode, exist_ok=True)


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return 0o666


def _fill(path: str, data: bytes, sync: bool, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY | _OWN, mode)
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
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else 0), mode))


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


def append_line(path: str, line: bytes, *, sync: bool = True) -> None:
    """Append one line by a single write under O_APPEND and sync it, unless `sync` is False.

    A torn tail left by a killed or disk-full writer is closed first with a newline in the same write.
    The record counts as written only if all of it was; OSError otherwise.
    """
    fresh = not os.path.exists(path)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY | _OWN, 0o600)
    try:
        data = (b"" if _ends_line(handle) else b"\n") + line.rstrip(b"\n") + b"\n"
        if os.write(handle, data) != len(data):
            raise OSError(28, "the disk took only part of the record", path)
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)
    if fresh and sync:
        sync_folder(os.path.dirname(path))


def _ends_line(handle: int) -> bool:
    size = os.fstat(handle).st_size
    if size == 0:
        return True
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) == b"\n"


def read(path: str, limit: int = -1) -> bytes:
    """Return the file's bytes (at most `limit`), or b"" when there is none to read."""
    return _part(path, 0, limit)[1]


def load(path: str) -> bytes:
    """Return the bytes of a file that is to be changed, b"" where there is none; OSError where they cannot be read."""
    return _part(path, 0, strict=True)[1]


def read_from(path: str, offset: int, limit: int = -1) -> bytes:
    """Return the file's bytes from an offset on (at most `limit`), b"" when there are none."""
    return _part(path, offset, limit)[1]


def tail(path: str, size: int) -> bytes:
    """Return the complete lines in the file's last `size` bytes, b"" when there is none to read."""
    start, data = _part(path, -size, size)
    return data if start == 0 else data[data.find(b"\n") + 1 :]


def _part(path: str, start: int, size: int = -1, *, strict: bool = False) -> tuple[int, bytes]:
    """Return where a part of the file begins, and its bytes; a start below 0 counts from the end."""
    try:
        handle = os.open(path, _READ)
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


def backwards(path: str, reach: int = REACH) -> Iterator[bytes]:
    """Yield the complete lines of the file's last `reach` bytes, the newest first; nothing for what is no file."""
    if not path or not os.path.isfile(path):
        return
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return
    try:
        yield from _lines(handle, os.fstat(handle).st_size, reach)
    except OSError:
        return
    finally:
        os.close(handle)


def _lines(handle: int, position: int, reach: int) -> Iterator[bytes]:
    stop, step, pieces = max(0, position - reach), TAIL_BYTES, [b""]
    while position > stop:
        start = max(stop, position - step)
        os.lseek(handle, start, os.SEEK_SET)
        head, newline, rest = os.read(handle, position - start).partition(b"\n")
        if newline:
            pieces.append(rest)
            yield from filter(None, reversed(b"".join(reversed(pieces)).split(b"\n")))
            pieces = []
        pieces.append(head)
        position, step = start, _BLOCK
    if position == 0:
        yield from filter(None, [b"".join(reversed(pieces))])


def head(path: str) -> Iterator[bytes]:
    """Yield the lines of the file's first HEAD_BYTES; nothing for what is no file."""
    if not path or not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as file:
            while file.tell() < HEAD_BYTES:
                line = file.readline(HEAD_BYTES)
                if not line:
                    return
                yield line
    except OSError:
        return


def entry(line: bytes, *marks: bytes) -> Any:
    """Return the object of a line that holds every literal, else None; other lines cost one search each."""
    if len(line) > LINE_BYTES or not all(mark in line for mark in marks):
        return None
    try:
        value = json_codec.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
