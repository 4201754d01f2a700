"""Draw .claude-plugin/icon.png: a rope that runs through a belay ring.

python3 tools/icon.py [OUT.png]
"""

from __future__ import annotations

import math
import os
import struct
import sys
import zlib

SIZE = 512  # the plugin directory takes 512 to 2048 px
NIGHT, RING, ROPE, FLECK = (24, 34, 48), (226, 232, 240), (244, 132, 60), (196, 88, 28)
HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".claude-plugin", "icon.png")


def rounded(x: float, y: float, radius: float = 0.2) -> float:
    """Signed distance to the tile's rounded square, in units of the tile."""
    dx, dy = abs(x) - 0.5 + radius, abs(y) - 0.5 + radius
    return math.hypot(max(dx, 0.0), max(dy, 0.0)) + min(max(dx, dy), 0.0) - radius


def colour(x: float, y: float) -> tuple[int, int, int, int]:
    """The colour at a point of the tile, x and y in -0.5..0.5."""
    if rounded(x, y) > 0:
        return (0, 0, 0, 0)
    wave = 0.11 * math.sin(2.2 * math.pi * y)
    on_rope = abs(x - wave) < 0.052
    ring = abs(math.hypot(x, y) - 0.27) < 0.036
    over = y < 0  # the rope passes before the ring above, behind it below
    if on_rope and (over or not ring):
        return (*(FLECK if math.sin(60 * (y + 0.6 * (x - wave))) > 0.72 else ROPE), 255)
    return (*(RING if ring else NIGHT), 255)


def pixel(column: int, row: int, samples: int = 3) -> bytes:
    """One pixel, the mean of samples x samples points, premultiplied so that edges stay clean."""
    points = [
        colour((column + (i + 0.5) / samples) / SIZE - 0.5, (row + (j + 0.5) / samples) / SIZE - 0.5)
        for i in range(samples)
        for j in range(samples)
    ]
    alpha = sum(p[3] for p in points)
    mean = [sum(p[k] * p[3] for p in points) // (alpha or 1) for k in range(3)]
    return bytes([*mean, alpha // len(points)])


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png() -> bytes:
    rows = b"".join(b"\0" + b"".join(pixel(c, r) for c in range(SIZE)) for r in range(SIZE))
    head = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else HOME, "wb") as out:
        out.write(png())
