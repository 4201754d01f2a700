"""The table of word pieces that set-up makes: a file of about 4 MB, mapped into memory, shared by all projects.

A piece (" refund", "ing"; a leading blank marks the beginning of a word) has a row of small whole numbers: where its
meaning lies, already multiplied by how much a piece so common says. Standard library only: hooks load this.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import time
import zlib

from belay.core import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAGIC = b"BELAYWP1"
"""Name and number of the form."""
BIAS = 128
"""What is added to a value of a row, so that every byte of the file is positive."""
_HEAD = struct.Struct("<8s32sIIIII")
"""Magic; sha256 of all that follows it; pieces, values of a row, slots, bytes of the pieces, bytes of the longest."""
_DIGEST_END = 40
_CHECKED = ".checked"


class PieceTable:
    """An open table: `find` gives the number of a piece, `row` its values, `identity` names the table in a base."""

    __slots__ = ("_mask", "_offsets", "_rows", "_slots", "_text", "dims", "identity", "longest")

    def __init__(self, data: memoryview) -> None:
        digest: bytes
        count: int
        _, digest, count, self.dims, slots, size, self.longest = _HEAD.unpack_from(data)
        self.identity = digest[:8].hex()
        ends = [_HEAD.size]
        for length in (2 * slots, 4 * (count + 1), count * self.dims, size):
            ends.append(ends[-1] + length)
        if ends[-1] != len(data):
            raise ValueError("the table of word pieces is cut")
        self._slots = data[ends[0] : ends[1]].cast("H")
        self._offsets = data[ends[1] : ends[2]].cast("I")
        self._rows, self._text = data[ends[2] : ends[3]], data[ends[3] : ends[4]]
        self._mask = slots - 1

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def list_pieces(self) -> list[bytes]:
        """Return the pieces in order of their numbers, those of small letters first, each the commoner the earlier."""
        return [bytes(self._text[self._offsets[at] : self._offsets[at + 1]]) for at in range(len(self))]

    def find(self, piece: bytes) -> int:
        """Return the number of a piece, -1 where there is none: by hash, then the next slots."""
        at = zlib.crc32(piece) & self._mask
        while number := self._slots[at]:
            if self._text[self._offsets[number - 1] : self._offsets[number]] == piece:
                return int(number) - 1
            at = (at + 1) & self._mask
        return -1

    def row(self, number: int) -> bytes:
        """Return the values of a piece, each a byte with BIAS added."""
        return bytes(self._rows[number * self.dims : (number + 1) * self.dims])


def pack_table(pieces: Mapping[bytes, Sequence[int]]) -> bytes:
    """Return the file of some pieces; each has as many values, -127 to 127. At most 65,535 pieces."""
    names = list(pieces)
    dims = len(next(iter(pieces.values())))
    slots = 1 << (2 * len(names)).bit_length()
    placed = [0] * slots
    for number, name in enumerate(names, 1):
        at = zlib.crc32(name) & (slots - 1)
        while placed[at]:
            at = (at + 1) & (slots - 1)
        placed[at] = number
    offsets = [0]
    for name in names:
        offsets.append(offsets[-1] + len(name))
    rows = b"".join(bytes(value + BIAS for value in values) for values in pieces.values())
    body = struct.pack(f"<{slots}H{len(offsets)}I", *placed, *offsets) + rows + b"".join(names)
    counts = struct.pack("<5I", len(names), dims, slots, offsets[-1], max(map(len, names)))
    return MAGIC + _digest(counts + body) + counts + body


def _digest(data: bytes) -> bytes:
    import hashlib  # only who makes or checks a table needs it

    return hashlib.sha256(data).digest()


def list_files(environ: Mapping[str, str]) -> list[str]:
    """Return the files of the table in the user's folder and the plugin's: itself, the note that it was checked."""
    own = paths.word_pieces(environ)
    places = dict.fromkeys((own, os.path.join(paths.plugin_data(environ), os.path.basename(own))))
    return [path + end for path in places for end in ("", _CHECKED)]


def find_file(environ: Mapping[str, str]) -> str:
    """Return the table's path: in the user's own folder, else in the plugin's or beside the environment in use.

    A plugin whose folders were copied or mounted elsewhere has its environment's table, as it has its packages.
    """
    own = paths.word_pieces(environ)
    return own if os.path.exists(own) else _find_other(own, environ)


def _find_other(own: str, environ: Mapping[str, str]) -> str:
    """Return the same where the user's own folder has none; each row that is written asks, so it is kept a second."""
    plugin = paths.plugin_data(environ)
    kept = _OTHERS.get((own, plugin))
    if kept and kept[0] > time.monotonic():
        return kept[1]
    from belay.core import environment

    found = environment.current(environ)
    home = os.path.dirname(os.path.dirname(os.path.dirname(found.python))) if found else ""
    others = [os.path.join(folder, os.path.basename(own)) for folder in (plugin, home) if folder]
    path = next(filter(os.path.exists, others), own)
    _OTHERS[own, plugin] = time.monotonic() + 1.0, path
    return path


_OTHERS: dict[tuple[str, str], tuple[float, str]] = {}
_OPEN: dict[str, tuple[tuple[int, int, int], PieceTable | None]] = {}


def load_table(environ: Mapping[str, str]) -> PieceTable | None:
    """Return the table, mapped once a process; None where there is none, or it is not what set-up wrote."""
    path = find_file(environ)
    try:
        status = os.stat(path)
    except OSError:
        return None
    stamp = (status.st_size, status.st_mtime_ns, status.st_ino)
    if path not in _OPEN or _OPEN[path][0] != stamp:
        _OPEN[path] = stamp, _open_table(path, stamp)
    return _OPEN[path][1]


def _open_table(path: str, stamp: tuple[int, int, int]) -> PieceTable | None:
    if sys.byteorder != "little":  # its numbers are written so; no machine of today needs the other order
        return None
    try:
        with open(path, "rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return PieceTable(data) if _is_sound(path, data, stamp) else None
    except (OSError, ValueError, struct.error):
        return None


def _is_sound(path: str, data: memoryview, stamp: tuple[int, int, int]) -> bool:
    """Whether the file has its hash; that is noted, and looked at again only when the file was touched."""
    if bytes(data[: len(MAGIC)]) != MAGIC:
        return False
    noted = " ".join(map(str, stamp)).encode()
    if files.read(path + _CHECKED, 100) == noted:
        return True
    if bytes(data[len(MAGIC) : _DIGEST_END]) != _digest(bytes(data[_DIGEST_END:])):
        return False
    try:
        files.write(path + _CHECKED, noted, sync=False)
    except OSError:
        pass
    return True
