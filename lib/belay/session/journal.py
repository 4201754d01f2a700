"""The write-ahead log: append-only JSON lines, one file a session, a crc on each line.

A line is valid if and only if it is a JSON object whose last field `crc` is the crc-32 of the bytes before it.
Damaged lines are skipped and counted one by one: what follows a torn tail is still good.
Nothing is truncated or rewritten in place; when a segment is full, the next one is started.
"""

from __future__ import annotations

import os
import zlib

from belay.core import clock, files, json_codec
from belay.core.constants import SEGMENT_BYTES, TAIL_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    Line = dict[str, Any]  # a record as it was read: anybody may have written the file

_SEAL = b',"crc":"'
_HEAD = b'{"time":"'
PART_BYTES = 1024 * 1024
"""Bytes that are read at once where a journal is read on: all of a long one would take ten times its size in memory."""
_TEXTS = ("time", "kind", "session", "mark", "id")
"""Fields that identify a record: a line in which one is not a text is not ours (a clone may bring any)."""


def seal(record: Mapping[str, object]) -> bytes:
    """Return a record as one line with its crc; the record must not be empty."""
    body = json_codec.encode(record)[:-1]
    return body + _SEAL + b'%08x"}' % zlib.crc32(body)


def unseal(line: bytes) -> Line | None:
    """Return the record of a line, or None when the line is damaged."""
    body, mark, crc = line.rstrip(b"\r\n").rpartition(_SEAL)
    if not mark or crc != b'%08x"}' % zlib.crc32(body):
        return None
    try:
        record = json_codec.loads((body + b"}").decode("utf-8"))
    except ValueError:
        return None
    return record if isinstance(record, dict) and all(map(_is_text, map(record.get, _TEXTS))) else None


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def append(path: str, record: Mapping[str, object]) -> Line:
    """Append a record (stamped with UTC `time` and `kind` first) in one synced write; return it; OSError if not."""
    return append_many(path, [record])[0]


def append_many(path: str, records: Sequence[Mapping[str, object]], names: int = 1) -> list[Line]:
    """Append records in one synced write (a kill costs the later ones only); return them stamped.

    `names` is how many names the file has by Belay's own doing (`files.append_line`).
    """
    now = clock.now()
    stamped = [{"time": now, **record} for record in records]
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        files.make_folder(folder)
    if stamped:
        files.append_line(current_segment(path), b"\n".join(map(seal, stamped)), names=names)
    return stamped


def current_segment(path: str) -> str:
    """Return the segment that is written now: the file itself until it is full, then .2, .3 … beside it."""
    number, current = 1, path
    while _size(current) >= SEGMENT_BYTES:
        number += 1
        current = f"{path[: -len('.jsonl')]}.{number}.jsonl"
    return current


def list_segments(path: str) -> list[str]:
    """Return the existing segments of a session's journal, oldest first."""
    parts, number, current = [], 1, path
    while os.path.exists(current):
        parts.append(current)
        number += 1
        current = f"{path[: -len('.jsonl')]}.{number}.jsonl"
    return parts


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


def parse(data: bytes) -> tuple[list[Line], int]:
    """Return the records of journal bytes and how many lines were damaged."""
    records: list[Line] = []
    damaged = 0
    for line in data.split(b"\n"):
        record = unseal(line)
        if record is None and line.strip():
            damaged += 1
            record = _record_after_torn_one(line)
        if record is not None:
            records.append(record)
    return records, damaged


def _record_after_torn_one(line: bytes) -> Line | None:
    """Return the record behind a torn one on the same line: two processes appended and the first was killed."""
    at = line.rfind(_HEAD)  # inside a JSON text the quotes would be escaped
    return unseal(line[at:]) if at > 0 else None


def read(path: str) -> tuple[list[Line], int]:
    """Return every record of a session's journal, all segments, and how many lines were damaged."""
    records: list[Line] = []
    damaged = 0
    for part in list_segments(path):
        lines, bad = parse(files.read(part))
        records += lines
        damaged += bad
    return records, damaged


def read_since(path: str, place: list[int]) -> tuple[list[Line], list[int]]:
    """Return the records after a place, and the place after the last complete line.

    A place is the bytes read of each segment: a writer that chose a segment just before it was full may still append.
    """
    records: list[Line] = []
    for lines, after in read_parts(path, place):
        records += lines
        place = after
    return records, place


def read_parts(path: str, place: list[int]) -> Iterator[tuple[list[Line], list[int]]]:
    """Yield the records after a place, so many as a part of the file holds, and the place after each part."""
    after = list(place)
    for number, segment in enumerate(list_segments(path)):
        after += [0] * (number == len(after))
        has_more = True
        while has_more:
            data, has_more = _read_lines(segment, after[number])
            after[number] += len(data)
            if data:
                yield parse(data)[0], list(after)


def _read_lines(path: str, offset: int) -> tuple[bytes, bool]:
    """Return the complete lines of the part of a file that begins at an offset, and whether there is more of it."""
    size = PART_BYTES
    while True:
        data = files.read_from(path, offset, size)
        complete = data.rfind(b"\n") + 1
        if len(data) < size:
            # A kill may have cost no more than the newline.
            return (data if unseal(data[complete:]) else data[:complete]), False
        if complete:
            return data[:complete], True
        size *= 2


def count_unread(path: str, place: list[int]) -> int:
    """Return how many bytes of a session's journal are behind a place."""
    read = [*place, *[0] * len(list_segments(path))]
    return sum(max(0, _size(segment) - offset) for segment, offset in zip(list_segments(path), read, strict=False))


def read_recent(path: str, size: int = TAIL_BYTES) -> list[Line]:
    """Return the records in the last `size` bytes of a session's journal, or of its last two segments."""
    records: list[Line] = []
    for segment in list_segments(path)[:-3:-1]:
        records = parse(files.tail(segment, size))[0] + records if size > 0 else records
        size -= _size(segment)
    return records


def list_sessions(folder: str, after: float = 0.0) -> list[str]:
    """Return the sessions whose journal was written after a time (seconds since the epoch), the latest last."""
    latest: dict[str, float] = {}
    for name in (name for name in files.list_names(folder) if name.endswith(".jsonl")):
        session = name.split(".", 1)[0]
        latest[session] = max(latest.get(session, 0.0), files.written_at(os.path.join(folder, name)))
    latest.pop("ledger", None)
    return sorted((name for name in latest if latest[name] > after), key=lambda name: (latest[name], name))
