"""The write-ahead log: append-only JSON lines, one file a session, a crc on each line.

A line is valid if and only if it is a JSON object whose last field `crc` is the crc-32 of the bytes before it.
Damaged lines are skipped and counted, each on its own: what follows a torn tail is still good.
Nothing is truncated or rewritten in place; a full segment is left and the next one begun.
"""

from __future__ import annotations

import os
import time
import zlib

from belay import atomic, codec
from belay.constants import SEGMENT_BYTES, TAIL_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SEAL = b',"crc":"'


def seal(record: dict[str, Any]) -> bytes:
    """Return a record as one line with its crc; the record must not be empty."""
    body = codec.encode(record)[:-1]
    return body + _SEAL + b'%08x"}' % zlib.crc32(body)


def unseal(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line, or None when the line is damaged."""
    body, mark, crc = line.rstrip(b"\r\n").rpartition(_SEAL)
    if not mark or crc != b'%08x"}' % zlib.crc32(body):
        return None
    try:
        record = codec.loads((body + b"}").decode("utf-8"))
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def append(path: str, record: dict[str, Any]) -> dict[str, Any]:
    """Append a record (stamped with UTC `time` and `kind` first) in one synced write; return it; OSError if not."""
    stamped = {"time": now(), **record}
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder, exist_ok=True)
    atomic.append_line(segment(path), seal(stamped))
    return stamped


def now() -> str:
    """Return the UTC time with microseconds, as journal records carry it."""
    moment = time.time()
    whole = int(moment)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{int((moment - whole) * 1e6):06d}Z"


def segment(path: str) -> str:
    """Return the segment that is written now: the file itself until it is full, then .2, .3 … beside it."""
    number, current = 1, path
    while _size(current) >= SEGMENT_BYTES:
        number += 1
        current = f"{path[: -len('.jsonl')]}.{number}.jsonl"
    return current


def segments(path: str) -> list[str]:
    """Return the segments of a session's journal that stand, oldest first."""
    found, number, current = [], 1, path
    while os.path.exists(current):
        found.append(current)
        number += 1
        current = f"{path[: -len('.jsonl')]}.{number}.jsonl"
    return found


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


def parse(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """Return the records of journal bytes and how many lines were damaged."""
    lines = [line for line in data.split(b"\n") if line.strip()]
    records = [record for record in map(unseal, lines) if record is not None]
    return records, len(lines) - len(records)


def read(path: str) -> tuple[list[dict[str, Any]], int]:
    """Return every record of a session's journal, all segments, and how many lines were damaged."""
    records: list[dict[str, Any]] = []
    damaged = 0
    for part in segments(path):
        more, bad = parse(atomic.read(part))
        records += more
        damaged += bad
    return records, damaged


def recent(path: str, size: int = TAIL_BYTES) -> list[dict[str, Any]]:
    """Return the records in the last `size` bytes of a session's journal."""
    return parse(atomic.tail(segment(path) if os.path.exists(segment(path)) else path, size))[0]


def sessions(folder: str) -> list[str]:
    """Return the session names that have a journal, the most recently written last."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    first = [name[: -len(".jsonl")] for name in names if name.endswith(".jsonl") and name.count(".") == 1]
    first = [name for name in first if name != "ledger"]
    return sorted(first, key=lambda name: (_written(os.path.join(folder, name + ".jsonl")), name))


def _written(path: str) -> float:
    last = segments(path)
    try:
        return os.stat(last[-1]).st_mtime if last else 0.0
    except OSError:
        return 0.0
