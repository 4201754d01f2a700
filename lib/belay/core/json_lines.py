"""JSON lines read from a file's end or start, where only a few lines matter and any line may be damaged."""

from __future__ import annotations

import os

from belay.core import json_codec
from belay.core.constants import TAIL_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

REACH = 8 * 1024 * 1024
"""Bytes from the end that are looked through before giving up."""
HEAD_BYTES = 4 * 1024 * 1024
"""Bytes from the start that are looked through."""
LINE_BYTES = 1024 * 1024
"""A line longer than this is not even searched: no answer of a model is that long."""
_BLOCK = 1024 * 1024


def backwards(path: str, reach: int = REACH) -> Iterator[bytes]:
    """Yield whole lines of the file's last `reach` bytes, the newest first; nothing for what is no file."""
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
            yield from _newest(b"".join(reversed(pieces)).split(b"\n"))
            pieces = []
        pieces.append(head)
        position, step = start, _BLOCK
    if position == 0:
        yield from _newest([b"".join(reversed(pieces))])


def _newest(lines: list[bytes]) -> Iterator[bytes]:
    return (line for line in reversed(lines) if line)


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


def entry(line: bytes, *marks: bytes) -> dict[str, Any] | None:
    """Return the object of a line that holds every literal, else None; other lines cost one search each."""
    if len(line) > LINE_BYTES or not all(mark in line for mark in marks):
        return None
    try:
        value = json_codec.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
