"""Write the index in which hooks look up words and paths (`lookup.py`), at consolidation and after small changes.

A term's weight is settled here, where a list of common words may be read. What stands in many entries tells none of
them. Where not all fits, entries that helped and new ones come first, each with its most telling terms; what has no
place is found by a search, and by an edit of its file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.context.recall import lookup, prompt_words, term_weights
from belay.core import files, kinds
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.context.recall.prompt_words import PromptWords
    from belay.core.paths import Project
    from belay.knowledge.store.store import Store
    from belay.session.session import Session

TERMS_FIRST = 6
"""Terms of one entry at first, the most informative; the rest where there is room for more.

Six: of ten informative words a prompt that has four of them then shares two in 88 % of all cases, with five in 74 %,
with ten in all; more entries fit than with ten."""
ENTRIES_MOST = 50_000
"""Entries that are read: with six terms each an index of 1 MB holds no more."""
PATHS_BYTES = 400_000
LONGEST, HEAD_BYTES = 255, 200
CHEAP = 2000
"""Up to so many entries a command writes the index again after each change (about 20 µs an entry)."""


class Row(NamedTuple):
    """An entry for the index: its number, the text with its terms, its type."""

    num: int
    text: str
    type: str = ""


def index_path(project: Project) -> str:
    """Return the path of the index: one for all work trees, as the base is; a base elsewhere has its own."""
    return project.derived(lookup.NAME)


def update_as_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> bool:
    """Bring the index up to date with the base, as a step of the consolidator; return whether it was written."""
    from belay.knowledge.store.store import Store

    if not os.path.lexists(project.workshop):
        return False
    with Store(project.workshop, environ) as store:
        return update(project, store)


def update_if_cheap(project: Project, store: Store) -> bool:
    """Bring the index up to date after a command's change, where that is cheap; else the consolidator does it."""
    return update(project, store, CHEAP)


def update(project: Project, store: Store, most: int = 0) -> bool:
    """Write the index of a project's base, unless it is up to date; return whether it was written.

    With `most`, not where there are more entries.
    """
    from belay.knowledge.entries import recallable

    if (most and recallable.count_active(store.connection) > most) or not os.path.isdir(project.journals):
        return False
    prompts = prompt_words.load_words(project)
    mark = _state_key(store, prompts)
    old = files.read(index_path(project), HEAD_BYTES).partition(b"\n")[0]
    if old.startswith(lookup.FORM) and old.rpartition(b" ")[2] == mark:
        return False
    rows = [Row(*row) for row in recallable.load_texts(store.connection, ENTRIES_MOST)]
    data = build_index(rows, recallable.load_paths(store.connection), mark, prompts=prompts)
    try:
        files.write(index_path(project), data, sync=False)
    except OSError:
        return False  # derived: the next one writes it
    return True


def _state_key(store: Store, prompts: PromptWords = prompt_words.NONE) -> bytes:
    """Return a key that differs for each state of the base: its file, the length of its ledger, its contents, and for
    other words that prompts say often.

    A base that was written again numbers its entries anew; rules of the project's own files are not in the ledger.
    """
    from belay.knowledge.entries import recallable
    from belay.knowledge.store import database

    parts = [database.load_value(store.connection, "store"), recallable.load_fingerprint(store.connection)]
    parts += [str(os.path.getsize(part)) for part in journal.list_segments(store.ledger)]
    parts.append(prompts.key)
    return "-".join(parts).encode("ascii", "replace").replace(b" ", b"")


def build_index(
    rows: list[Row], paths: Iterable[str], mark: bytes = b"0", most: int = lookup.INDEX_BYTES,
    prompts: PromptWords = prompt_words.NONE,
) -> bytes:  # fmt: skip
    """Return the bytes of an index, at most so many; the most useful rows come first."""
    known = sorted({lookup.path_key(name) for name in paths})[: PATHS_BYTES // lookup.PATH]
    weighed = [(row.num, _weigh_row(row)) for row in rows[:ENTRIES_MOST]]
    table = _choose_terms(weighed, most - HEAD_BYTES - len(known) * lookup.PATH, prompts)
    body, lists = bytearray(), bytearray()
    for key in sorted(table):
        weight, numbers = table[key]
        body += key + _encode_value(weight, sorted(set(numbers))[:LONGEST], lists).to_bytes(4, "big")
    head = lookup.FORM + b"%d %d " % (len(known), len(table)) + mark + b"\n"
    return head + b"".join(known) + bytes(body) + bytes(lists)


def _weigh_row(row: Row) -> dict[str, int]:
    """Return the terms of an entry with their weights; of a decision for a product also the products it is not for."""
    weights = term_weights.weigh_terms(row.text)
    if row.type == kinds.DECISION:
        for stem, weight in term_weights.weigh_products(row.text).items():
            weights[stem] = max(weights.get(stem, 0), weight)
    return weights


def _encode_value(weight: int, numbers: list[int], lists: bytearray) -> int:
    """Return the value of a term's row; a term of several entries gets a list."""
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


def _choose_terms(
    weighed: list[tuple[int, dict[str, int]]], room: int, prompts: PromptWords
) -> dict[bytes, tuple[int, list[int]]]:
    """Return key → (weight, numbers): of each entry its best terms as far as there is room, then of each the rest."""
    count = term_weights.Count(weighed, prompts)
    ranked = [(number, count.rank(terms_of)) for number, terms_of in weighed]
    table: dict[bytes, tuple[int, list[int]]] = {}
    for part in (slice(TERMS_FIRST), slice(TERMS_FIRST, None)):
        for number, best in ranked:
            for word, weight in best[part]:
                key = lookup.term_key(word)
                room -= 3 if key in table else lookup.ROW + 4 * (count.often[word] > 1)
                if room < 0:
                    return table
                table.setdefault(key, (weight, []))[1].append(number)
    return table
