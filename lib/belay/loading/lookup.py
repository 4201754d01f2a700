"""The index of the knowledge base that a hook looks words and paths up in, by bisection: no database, no JSON.

One file, `state/terms`, at most INDEX_BYTES (docs/architecture.md): a line "belay-terms 1 PATHS TERMS KEY", then PATHS
sorted crc-32 of paths (4 bytes each), then TERMS sorted rows (3 bytes of the term's crc-32, 4 bytes of value), then
lists. A value: 2 bits for the term's weight, 1 bit "stands in one entry", 29 bits: that entry's number, or where its
list begins in the lists. A list: its length, then the steps from number to number, each 7 bits a byte, the highest bit
saying that more follow. What is found here is only a reason to open the base: what is told stands there.
"""

from __future__ import annotations

import zlib

from belay import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "terms"
FORM = b"belay-terms 1 "
INDEX_BYTES = 1 << 20
PATH, TERM, ROW = 4, 3, 7
ENOUGH = 6
TELLING = 2
WEIGHTS = (0, 2, 3, 6)
"""What a term adds: a common word, one that tells, a name that stands for the entry. Two that tell, or one name."""
ALONE = 1
"""What a telling word adds besides where it is of one entry alone: with a common word beside it, that is enough."""
WINDOW = 6
"""Words within which the terms of an entry must meet: a long prompt holds any two somewhere."""
CHARS, WORDS, FOUND = 4096, 400, 40
STEP_BITS = 28
"""No step needs more: the index may be anybody's."""


def paths(data: bytes, names: list[str]) -> list[str]:
    """Return those of some paths that entries may be tied to."""
    start, known, _ = _layout(data)
    return [name for name in names if known and _at(data, start, known, PATH, path_key(name)) >= 0]


def entries(data: bytes, text: str) -> dict[int, set[str]]:
    """Return the entries that a text may be about, the likeliest first: number → the terms that say so."""
    start, known, rows = _layout(data)
    start, scores = start + known * PATH, dict[int, int]()
    seen: dict[int, list[tuple[int, str, int]]] = {}
    for at, stem in stems(text) if rows else ():
        row = _at(data, start, rows, ROW, term_key(stem))
        if row < 0:
            continue
        weight, found = _value(data, row, start + rows * ROW)
        for number in found:
            score = _near(seen.setdefault(number, []), at, stem, weight)
            if score >= ENOUGH:
                scores[number] = max(scores.get(number, 0), score)
    best = sorted(scores, key=lambda number: (-scores[number], -number))[:FOUND]
    return {number: {stem for _, stem, _ in seen[number]} for number in best}


def _near(found: list[tuple[int, str, int]], at: int, stem: str, weight: int) -> int:
    """Return what the terms of one entry add up to that stand within a window, this one the last of them."""
    found.append((at, stem, weight))
    return sum({one: adds for place, one, adds in found if at - place <= WINDOW}.values())


def stems(text: str) -> Iterator[tuple[int, str]]:
    """Yield each term of a text's beginning with its place; a path also as the name of its file."""
    for at, word in enumerate(terms.words(text[:CHARS])):
        if at >= WORDS:
            return
        if word.casefold() in terms.STOP:
            continue
        yield at, terms.stem(word)
        if "/" in word:
            yield at, terms.stem(word.rstrip("/").rpartition("/")[2])


def path_key(name: str) -> bytes:
    """Return what a path goes by in the index."""
    return zlib.crc32(name.encode("utf-8", "replace")).to_bytes(PATH, "big")


def term_key(stem: str) -> bytes:
    """Return what a term goes by in the index."""
    return (zlib.crc32(stem.encode("utf-8", "replace")) >> 8).to_bytes(TERM, "big")


def _layout(data: bytes) -> tuple[int, int, int]:
    """Return where the tables begin, the number of paths and that of terms; zeros for what is no index."""
    end = data.find(b"\n", 0, 200)
    told = data[len(FORM) : end].split() if data.startswith(FORM) and end > 0 else []
    if len(told) < 2 or not (told[0].isdigit() and told[1].isdigit()):
        return 0, 0, 0
    known, rows = int(told[0]), int(told[1])
    return (end + 1, known, rows) if end + 1 + known * PATH + rows * ROW <= len(data) else (0, 0, 0)


def _at(data: bytes, start: int, count: int, width: int, key: bytes) -> int:
    """Return where the row of a key begins, -1 for none."""
    low, high, size = 0, count, len(key)
    while low < high:
        middle = (low + high) // 2
        place = start + middle * width
        found = data[place : place + size]
        if found == key:
            return place
        if found < key:
            low = middle + 1
        else:
            high = middle
    return -1


def _value(data: bytes, row: int, lists: int) -> tuple[int, list[int]]:
    """Return the weight of a term, and the numbers of its entries."""
    value = int.from_bytes(data[row + TERM : row + ROW], "big")
    weight, rest = WEIGHTS[value >> 30], value & 0x1FFFFFFF
    if value >> 29 & 1:
        return weight + ALONE * (value >> 30 == TELLING), [rest]
    at = lists + rest
    found, number = [], 0
    for _ in range(data[at] if at < len(data) else 0):
        step, at = _step(data, at + 1)
        number += step
        found.append(number)
    return weight, found


def _step(data: bytes, at: int) -> tuple[int, int]:
    step, shift = 0, 0
    while at < len(data) and shift <= STEP_BITS:
        step |= (data[at] & 0x7F) << shift
        if data[at] < 0x80:
            break
        shift += 7
        at += 1
    return step, at
