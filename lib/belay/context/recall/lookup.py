"""The index of the knowledge base in which hooks look up words and paths, by bisection: no database, no JSON.

One file, `state/terms`, at most INDEX_BYTES (docs/architecture.md): a line "belay-terms 1 PATHS TERMS KEY", then PATHS
sorted crc-32 of paths (4 bytes each), then TERMS sorted rows (3 bytes of the term's crc-32, 4 bytes of value), then
lists. A value: 2 bits for the term's weight, 1 bit "in one entry only", 29 bits: that entry's number, or where its
list begins in the lists. A list: its length, then the steps from number to number, each 7 bits a byte, the highest bit
saying that more follow. A match is only a reason to open the base: what is shown comes from there.
"""

from __future__ import annotations

import os
import zlib

from belay.core import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Index: TypeAlias = "bytes | Pages"
    Matches: TypeAlias = dict[int, set[str]]

NAME = "terms"
FORM = b"belay-terms 1 "
INDEX_BYTES = 1 << 20
PATH, TERM, ROW = 4, 3, 7
ENOUGH, NEARLY = 6, 3
TELLING = 2
WEIGHTS = (0, 2, 3, 6)
"""What a term adds: a common word 2, an informative one 3, a name 6. Two informative words, or one name, are enough."""
ALONE = 1
"""What an informative word of one entry alone adds: with a common word beside it, that is enough."""
WINDOW = 6
"""Words within which the terms of an entry must meet: a long prompt has any two somewhere."""
CHARS, WORDS, FOUND = 4096, 400, 40
STEP_BITS = 28
"""No step needs more: anybody may have written the index."""
PAGE, NEAR = 4096, 256
"""Bytes that are read at once; rows around the expected place of a key that are searched first: keys are hashes and
spread evenly, so that 19 of 20 keys of a full index are found there."""


class Pages:
    """An index on the disk, read a page at a time: reading all of it costs a hook more than everything else."""

    __slots__ = ("begin", "data", "handle", "size")

    def __init__(self, path: str) -> None:
        self.handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        self.size = os.fstat(self.handle).st_size
        self.begin, self.data = 0, b""

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.handle)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, wanted: slice) -> bytes:
        start = wanted.start or 0
        at = start - self.begin
        if at < 0 or wanted.stop > self.begin + len(self.data):
            os.lseek(self.handle, start, os.SEEK_SET)
            self.begin, self.data, at = start, os.read(self.handle, PAGE), 0
        return self.data[at : at + wanted.stop - start]


def find_paths(data: Index, names: list[str]) -> list[str]:
    """Return the paths that entries may be tied to."""
    start, known, _ = _read_layout(data)
    return [name for name in names if known and _find_row(data, start, known, PATH, path_key(name)) >= 0]


def find_entries(data: Index, text: str) -> Matches:
    """Return the entries that a text may be about, the likeliest first: number → the terms that matched."""
    return find_matches(data, text)[0]


def find_matches(data: Index, text: str) -> tuple[Matches, Matches]:
    """Return the entries that a text may be about, and those that share an informative word or two common ones
    with it: too little alone.

    Each the likeliest first: number → the terms that matched.
    """
    start, known, rows = _read_layout(data)
    start += known * PATH
    scores: dict[int, int] = {}
    seen: dict[int, list[tuple[int, str, int]]] = {}
    for at, stem in list_stems(text) if rows else ():
        row = _find_row(data, start, rows, ROW, term_key(stem))
        if row < 0:
            continue
        weight, numbers = _read_value(data, row, start + rows * ROW)
        for number in numbers:
            score = _add_within_window(seen.setdefault(number, []), at, stem, weight)
            if score >= NEARLY:
                scores[number] = max(scores.get(number, 0), score)
    found: tuple[Matches, Matches] = {}, {}
    for number in sorted(scores, key=lambda number: (-scores[number], -number)):
        part = found[scores[number] < ENOUGH]
        if len(part) < FOUND:
            part[number] = {stem for _, stem, _ in seen[number]}
    return found


def _add_within_window(matches: list[tuple[int, str, int]], at: int, stem: str, weight: int) -> int:
    """Return the sum of one entry's terms within a window that ends with this term."""
    matches.append((at, stem, weight))
    return sum({term: adds for place, term, adds in matches if at - place <= WINDOW}.values())


def list_stems(text: str) -> Iterator[tuple[int, str]]:
    """Yield each term of a text's beginning with its place; a path also as the name of its file."""
    for at, word in list_words(text[:CHARS]):
        if at >= WORDS:
            return
        if word.casefold() in terms.STOP:
            continue
        yield at, terms.stem(word)
        if "/" in word:
            yield at, terms.stem(word.rstrip("/").rpartition("/")[2])


def list_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield each word of a text with its place; of scripts without blanks their terms, two of them for one place."""
    at = 0
    for word in terms.words(text):
        if word.isascii():
            yield at, word
            at += 1
            continue
        from belay.core.text import unspaced  # most prompts have none

        parts = unspaced.split_word(word)
        for number, part in enumerate(parts):
            yield at + number // 2, part.strip(terms.EDGES)
        at += (len(parts) + 1) // 2


def path_key(name: str) -> bytes:
    """Return the key of a path in the index."""
    return zlib.crc32(name.encode("utf-8", "replace")).to_bytes(PATH, "big")


def term_key(stem: str) -> bytes:
    """Return the key of a term in the index."""
    return (zlib.crc32(stem.encode("utf-8", "replace")) >> 8).to_bytes(TERM, "big")


def _read_layout(data: Index) -> tuple[int, int, int]:
    """Return the place of the tables, the number of paths and that of terms; zeros where the data is no index."""
    head, end, _ = data[0:200].partition(b"\n")
    counts = head[len(FORM) :].split() if head.startswith(FORM) and end else []
    if len(counts) < 2 or not (counts[0].isdigit() and counts[1].isdigit()):
        return 0, 0, 0
    known, rows = int(counts[0]), int(counts[1])
    start = len(head) + 1
    return (start, known, rows) if start + known * PATH + rows * ROW <= len(data) else (0, 0, 0)


def _find_row(data: Index, start: int, count: int, width: int, key: bytes) -> int:
    """Return where the row of a key begins, -1 for none."""
    low, high, size = 0, count, len(key)
    likely = count * int.from_bytes(key, "big") >> 8 * size
    for edge in (likely - NEAR, likely + NEAR):
        if low <= edge < high:
            place = start + edge * width
            low, high = (edge, high) if data[place : place + size] <= key else (low, edge)
    while low < high:
        middle = (low + high) // 2
        place = start + middle * width
        candidate = data[place : place + size]
        if candidate == key:
            return place
        if candidate < key:
            low = middle + 1
        else:
            high = middle
    return -1


def _read_value(data: Index, row: int, lists: int) -> tuple[int, list[int]]:
    """Return the weight of a term, and the numbers of its entries."""
    value = int.from_bytes(data[row + TERM : row + ROW], "big")
    weight, rest = WEIGHTS[value >> 30], value & 0x1FFFFFFF
    if value >> 29 & 1:
        return weight + ALONE * (value >> 30 == TELLING), [rest]
    at = lists + rest
    numbers, number = [], 0
    for _ in range(_byte(data, at)):
        step, at = _step(data, at + 1)
        number += step
        numbers.append(number)
    return weight, numbers


def _byte(data: Index, at: int) -> int:
    """Return one byte, 0 behind the end."""
    return int.from_bytes(data[at : at + 1], "big")


def _step(data: Index, at: int) -> tuple[int, int]:
    step, shift = 0, 0
    while shift <= STEP_BITS:
        byte = _byte(data, at)
        step |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        at += 1
    return step, at
