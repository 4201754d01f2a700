"""The signs of many vectors, looked through at once: which few of a hundred thousand are worth comparing in full. Pure.

A block holds BLOCK vectors as planes: one for each value of a vector, a bit a vector, set where that value is positive,
and a last one that says which vectors are there. Long numbers hold the planes, so that one operation treats a bit of
all vectors; sums over planes are added as by a circuit of full adders, a long number for each binary digit.
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BLOCK = 4096
TOGETHER = 8
"""Blocks that are looked through at once: their planes fit into a processor's cache."""
MOST_WEIGHT = 3
"""What a value of a question counts at most; its weight is its size beside the mean size."""
_BYTES = BLOCK // 8
_DIGITS = bytes(b"01"[value < 128] for value in range(256))
"""The binary digit for each value of a vector, as an unsigned byte; 0 is positive here."""

Planes = list[int]


def fill_block(block: bytes, rows: Mapping[int, bytes]) -> bytes:
    """Return a block, b"" for a new one, with the signs of vectors at their places in it."""
    width = len(next(iter(rows.values())))
    first, last = min(rows), max(rows)
    absent = bytes(width)
    joined = b"".join([rows.get(place, absent) for place in range(first, last + 1)])
    there = _pack_digits(bytes([b"01"[place in rows] for place in range(first, last + 1)]), first)
    planes = [_pack_digits(joined[at::width].translate(_DIGITS), first) & there for at in range(width)]
    old = block or bytes((width + 1) * _BYTES)
    return b"".join(
        [
            (_read_plane(old, at) & ~there | plane).to_bytes(_BYTES, "little")
            for at, plane in enumerate([*planes, there])
        ]
    )


def _pack_digits(digits: bytes, first: int) -> int:
    """Return a number whose bits, from `first` on, are some digits."""
    return int(digits[::-1], 2) << first


def _read_plane(block: bytes, at: int) -> int:
    return int.from_bytes(block[at * _BYTES : (at + 1) * _BYTES], "little")


def load_planes(blocks: Sequence[tuple[int, bytes]]) -> list[tuple[list[int], Planes]]:
    """Return (numbers of blocks, their planes as one) for each TOGETHER blocks of (number, block)."""
    parts = [blocks[at : at + TOGETHER] for at in range(0, len(blocks), TOGETHER)]
    return [([number for number, _ in part], _join_planes([block for _, block in part])) for part in parts]


def _join_planes(blocks: Sequence[bytes]) -> Planes:
    return [
        int.from_bytes(b"".join([block[at : at + _BYTES] for block in blocks]), "little")
        for at in range(0, len(blocks[0]), _BYTES)
    ]


def find_best(parts: Sequence[tuple[list[int], Planes]], asked: Sequence[int], most: int) -> list[int]:
    """Return the numbers of the `most` vectors whose signs fit a question's vector best; of equals, the last ones."""
    mean = sum(map(abs, asked)) / len(asked) or 1.0
    weights = [min(MOST_WEIGHT, int(abs(value) / mean + 0.5)) for value in asked]
    flips = [value < 0 for value in asked]
    sums = [_add_planes(planes, weights, flips) for _, planes in parts]
    chosen, equal = _choose(sums, [planes[-1] for _, planes in parts], most)
    best = list(_list_numbers(parts, chosen))
    return best + list(islice(_list_numbers(parts, equal), most - len(best)))


def _list_numbers(parts: Sequence[tuple[list[int], Planes]], chosen: Sequence[int]) -> Iterator[int]:
    for (numbers, _), bits in zip(reversed(parts), reversed(chosen), strict=True):
        for place in _list_bits(bits):
            yield numbers[place // BLOCK] * BLOCK + place % BLOCK


def _add_planes(planes: Planes, weights: Sequence[int], flips: Sequence[bool]) -> list[int]:
    """Return the binary digits, the lowest first, of what the planes that agree with a question count together."""
    everything = (1 << planes[-1].bit_length()) - 1
    columns: list[list[int]] = [[], []]
    for plane, weight, flip in zip(planes, weights, flips, strict=False):
        agreed = everything ^ plane if flip else plane
        if weight & 1:
            columns[0].append(agreed)
        if weight & 2:
            columns[1].append(agreed)
    digits = []
    while columns:
        column = columns.pop(0)
        carried = columns[0] if columns else []
        digits.append(_add_column(column, carried))
        if carried and not columns:
            columns.append(carried)
    return digits


def _add_column(column: list[int], carried: list[int]) -> int:
    """Return the digit of one column of bits; what is over goes to the next column."""
    while len(column) > 2:
        one, two, three = column.pop(), column.pop(), column.pop()
        odd = one ^ two
        column.insert(0, odd ^ three)
        carried.append(one & two | odd & three)
    if len(column) == 2:
        carried.append(column[0] & column[1])
        return column[0] ^ column[1]
    return column[0] if column else 0


def _choose(sums: Sequence[Sequence[int]], there: Sequence[int], most: int) -> tuple[list[int], list[int]]:
    """Return for each part the bits of the vectors with the highest sums, fewer than `most` in all parts, and of the
    next ones, all of one sum.
    """
    chosen, rest = [0] * len(sums), list(there)
    for digit in range(max(map(len, sums), default=0) - 1, -1, -1):
        planes = [part[digit] if digit < len(part) else 0 for part in sums]
        high = [bits & plane for bits, plane in zip(rest, planes, strict=True)]
        count = sum(bits.bit_count() for bits in high)
        if count >= most:
            rest = high
            continue
        most -= count
        chosen = [one | two for one, two in zip(chosen, high, strict=True)]
        rest = [bits ^ one for bits, one in zip(rest, high, strict=True)]
    return chosen, rest


def _list_bits(bits: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the last one first."""
    while bits:
        place = bits.bit_length() - 1
        yield place
        bits ^= 1 << place
