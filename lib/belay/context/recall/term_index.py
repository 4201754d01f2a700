"""Write the index in which hooks look up words and paths (`lookup.py`), at consolidation and after small changes.

A term's weight is settled here, where a list of common words may be read. What stands in many entries tells none of
them. Where not all fits, entries that helped and new ones come first, each with its most telling terms; what has no
place is found by a search, and by an edit of its file.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from belay.context.recall import common_words, lookup
from belay.core import files, terms
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.core.paths import Project
    from belay.knowledge.store.store import Store
    from belay.session.session import Session

OFTEN_NAME = 6
OFTEN_LEAST, OFTEN_MOST, OFTEN_SHARE = 5, 64, 0.05
"""A word of more entries than this share of them, or than 64, tells none of them; up to five it always does."""
TERMS_FIRST, TERMS_KEPT = 6, 24
"""Terms of one entry, the most telling first: in the first place, and where there is room for more.

Six: of ten telling words a prompt that has four of them then shares two in 88 % of all cases, with five in 74 %, with
ten in all; more entries fit than with ten."""
ENTRIES_MOST = 50_000
"""Entries that are looked through: with six terms each, what an index of 1 MB holds at most."""
PATHS_BYTES = 400_000
LONGEST, HEAD_BYTES = 255, 200
CHEAP = 2000
"""Up to so many entries a command writes the index anew after each change (about 20 µs an entry)."""
_COMMON, _TELLING, _NAME = 1, lookup.TELLING, 3
"""Places in `lookup.WEIGHTS`."""


class Row(NamedTuple):
    """What the index takes of an entry: its number, and the text that is looked through."""

    num: int
    text: str


def path(project: Project) -> str:
    """Return where the index lies: one for all work trees, as the base is; a base elsewhere has its own."""
    return project.derived(lookup.NAME)


def step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> bool:
    """Bring the index up to the base, as a step of the consolidator; return whether it was written."""
    from belay.knowledge.store.store import Store

    if not os.path.isfile(project.workshop):
        return False
    with Store(project.workshop, environ) as store:
        return keep(project, store)


def refresh(project: Project, store: Store) -> bool:
    """Bring the index up to the base after a command's change, where that is cheap; else the consolidator does it."""
    return keep(project, store, CHEAP)


def keep(project: Project, store: Store, most: int = 0) -> bool:
    """Write the index of a project's base, unless it is of this very state of it; return whether it was written.

    With `most`, not where there are more entries.
    """
    from belay.knowledge.entries import recallable

    if (most and recallable.count_active(store.connection) > most) or not os.path.isdir(project.journals):
        return False
    mark = _key(project, store)
    old = files.read(path(project), HEAD_BYTES).partition(b"\n")[0]
    if old.startswith(lookup.FORM) and old.rpartition(b" ")[2] == mark:
        return False
    rows = [Row(*row) for row in recallable.load_texts(store.connection, ENTRIES_MOST)]
    data = built(rows, recallable.load_paths(store.connection), mark)
    try:
        files.write(path(project), data, sync=False)
    except OSError:
        return False  # derived: the next one writes it
    return True


def _key(project: Project, store: Store) -> bytes:
    """Return what tells one state of the base from another: which file it is, how far its ledger goes, what it holds.

    A base that was written again numbers its entries anew; rules of the project's own files are not in the ledger.
    """
    from belay.knowledge.entries import recallable
    from belay.knowledge.store import database

    parts = [database.load_value(store.connection, "store"), recallable.load_fingerprint(store.connection)]
    parts += [str(os.path.getsize(part)) for part in journal.list_segments(store.ledger)]
    return "-".join(parts).encode("ascii", "replace").replace(b" ", b"")


def built(rows: list[Row], paths: Iterable[str], mark: bytes = b"0", most: int = lookup.INDEX_BYTES) -> bytes:
    """Return the bytes of an index, at most so many; rows stand in the order of their merit."""
    known = sorted({lookup.path_key(name) for name in paths})[: PATHS_BYTES // lookup.PATH]
    told = [(row.num, telling(row.text)) for row in rows[:ENTRIES_MOST]]
    table = _chosen(told, most - HEAD_BYTES - len(known) * lookup.PATH)
    body, lists = bytearray(), bytearray()
    for key in sorted(table):
        weight, numbers = table[key]
        body += key + _value(weight, sorted(set(numbers))[:LONGEST], lists).to_bytes(4, "big")
    head = lookup.FORM + b"%d %d " % (len(known), len(table)) + mark + b"\n"
    return head + b"".join(known) + bytes(body) + bytes(lists)


def _value(weight: int, numbers: list[int], lists: bytearray) -> int:
    """Return the value of a term's row; what stands in several entries gets a list."""
    if len(numbers) == 1:
        return weight << 30 | 1 << 29 | numbers[0]
    place, before = len(lists), 0
    lists.append(len(numbers))
    for number in numbers:
        step, before = number - before, number
        while step > 0x7F:
            lists.append(step & 0x7F | 0x80)
            step >>= 7
        lists.append(step)
    return weight << 30 | place


def _chosen(told: list[tuple[int, dict[str, int]]], room: int) -> dict[bytes, tuple[int, list[int]]]:
    """Return key → (weight, numbers): of each entry its best terms as far as there is room, then of each the rest."""
    often = _counted(told)
    ranked = [(number, _ranked(found, often, len(told))) for number, found in told]
    table: dict[bytes, tuple[int, list[int]]] = {}
    for part in (slice(TERMS_FIRST), slice(TERMS_FIRST, TERMS_KEPT)):
        for number, best in ranked:
            for word, weight in best[part]:
                key = lookup.term_key(word)
                room -= 3 if key in table else lookup.ROW + 4 * (often[word] > 1)
                if room < 0:
                    return table
                table.setdefault(key, (weight, []))[1].append(number)
    return table


def _counted(told: list[tuple[int, dict[str, int]]]) -> dict[str, int]:
    often: dict[str, int] = {}
    for _, found in told:
        for word in found:
            often[word] = often.get(word, 0) + 1
    return often


def _ranked(found: dict[str, int], often: dict[str, int], count: int) -> list[tuple[str, int]]:
    """Return the terms of an entry that are not too frequent, each with its weight, the most telling first."""
    most = max(OFTEN_LEAST, min(OFTEN_MOST, int(count * OFTEN_SHARE)))
    kept = [
        (word, weight if weight < _NAME or often[word] <= OFTEN_NAME else _TELLING)
        for word, weight in found.items()
        if often[word] <= most
    ]
    return sorted(kept, key=lambda one: (-one[1], often[one[0]], one[0]))[:TERMS_KEPT]


def telling(text: str) -> dict[str, int]:
    """Return the terms of an entry with the weight of each: its words, its names, and the files of its paths."""
    found: dict[str, int] = {}
    for word in terms.words(text):
        for one in (word, word.rstrip("/").rpartition("/")[2]) if "/" in word else (word,):
            stem, weight = _weighed(one)
            if weight:
                found[stem] = max(found.get(stem, 0), weight)
    return found


@lru_cache(maxsize=1 << 17)
def _weighed(word: str) -> tuple[str, int]:
    """Return the stem of a word, and what it tells: 0 for nothing."""
    low, stem = word.casefold(), terms.stem(word)
    nothing, common = common_words.load()
    if low in terms.STOP or low in nothing or stem in nothing or not (low.isalpha() or len(low) > 2):
        return stem, 0
    if low in common or stem in common or len(stem) < 3:
        return stem, _COMMON
    return stem, _NAME if _stands_alone(word, low) else _TELLING


def _stands_alone(word: str, low: str) -> bool:
    """Whether a word is a name of code, a file or a product: handleRefund, rate_limit, src/pay.py, Prisma."""
    if not any(char.isalpha() for char in word) or low.strip("0123456789.v") == "":
        return False
    return len(word) > 3 and (terms.is_name(word) or low in _products())


@cache
def _products() -> frozenset[str]:
    from belay.repository.manifests import known_packages as known

    return frozenset(name.casefold() for name, _ in known.packages().values())
