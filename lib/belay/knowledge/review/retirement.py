"""Entries that a later one contradicts are superseded by it (docs/review.md): precise before many.

Only what was said in passing is retired so, whether it was confirmed since or not; an entry that somebody recorded
stays until it is superseded by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import kinds
from belay.core.text import contradictions, duplicates, statements, word_forms
from belay.knowledge.entries import entries
from belay.knowledge.search import search
from belay.knowledge.store.database import SqlError
from belay.repository.manifests import alternatives

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store
    from belay.repository.manifests.alternatives import Mention

TYPES = (kinds.DECISION, kinds.PREFERENCE, kinds.ANTIPATTERN, kinds.NOTE)
"""Types that say how something is or should be."""
LOOKED_AT = 30
"""Entries that are compared with a new one: those that share most words with it."""
_HANDS = ("", "terminal")
"""Sessions of what somebody recorded outside of one."""


def find_contradicted(store: Store, kind: str, content: str, time: str) -> list[Entry]:
    """Return what an entry contradicts that was said in passing before a journal time; [] for a busy base."""
    if kind not in TYPES:
        return []
    try:
        return _select_contradicted(store, content, time)
    except SqlError:
        return []


def find_successor(store: Store, kind: str, content: str, time: str) -> list[Entry]:
    """Return what had taken the place of an entry that is said again at a later time; [] for what somebody recorded."""
    entry = entries.load_entry(store.connection, entries.make_id(kind, content))
    if entry is None or entry.status != entries.SUPERSEDED:
        return []
    successor = entries.load_entry(store.connection, entry.superseded_by)
    return [successor] if successor and successor.created < time and _was_said(successor) else []


def _select_contradicted(store: Store, content: str, time: str) -> list[Entry]:
    chosen = alternatives.find_products(duplicates.core(content))
    earlier = _load_earlier(store, content, time, chosen)
    found = [old for old in earlier if contradictions.contradicts(content, old.content)]
    if len(chosen) == 1 and contradictions.changes_mind(content):
        others = [old for old in earlier if old not in found]
        replaced = [old for old in others if _is_other_choice(content, old.content, chosen[0])]
        found += replaced if len(replaced) == 1 else []  # of two that it could mean nobody knows which
    return found


def _load_earlier(store: Store, content: str, time: str, chosen: list[Mention]) -> list[Entry]:
    """Return what was said in passing before a time and has words, or a product's job, in common with a text."""
    words = " ".join((content, *(name for one in chosen for name in alternatives.list_others(one))))
    hits = search.search(store, words, k=LOOKED_AT, types=TYPES).results
    found = entries.load_by_numbers(store.connection, [hit.num for hit in hits])
    return [old for old in found if old.created < time and _was_said(old)]


def _was_said(old: Entry) -> bool:
    """Whether an entry holds that was made of what a person said in a session."""
    if old.status == entries.HEARD:
        return True
    return old.status == entries.ACTIVE and old.source in ("typed", "answered") and old.session not in _HANDS


def _is_other_choice(new: str, old: str, chosen: Mention) -> bool:
    """Whether an earlier text chooses another product for the same job, and is about nothing narrower or wider."""
    before = alternatives.find_products(duplicates.core(old))
    if len(before) != 1 or before[0].job != chosen.job or before[0] == chosen:
        return False
    return _scope(new, chosen) == _scope(duplicates.core(old), before[0])


def _scope(text: str, product: Mention) -> set[str]:
    """Return what a choice is about: its telling words without the product, and without words of the change itself."""
    names = {word_forms.root(name) for name in product.product.split()}
    spellings = {word_forms.root(word) for word in text.split() if alternatives.find_products(word) == [product]}
    return set(statements.read(text).keys) - names - spellings - _CHANGE_WORDS


_SAID_OF_ANY = "database framework tool library project go take stay stick settle"
_CHANGE_WORDS = frozenset(
    word_forms.root(word) for phrase in (*contradictions.CHANGING, _SAID_OF_ANY) for word in phrase.split()
)
"""Words that narrow no choice: of the change itself, and of what any product is."""
