"""A word that occurs nowhere: what it may be a fragment of, or a misspelling of."""

from __future__ import annotations

from belay.knowledge.search.query import Group, find_stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

SHORTEST = 3
"""Characters of a fragment: the index of names keeps runs of three."""
MOST = 20
WEIGHT = 0.5
"""What a guessed word counts, beside one that occurs."""
DICE, GUESSES = 0.7, 2
"""Share of their pairs of letters that two spellings have in common, at least; how many spellings are taken."""


def find_similar(connection: sqlite3.Connection, group: Group) -> Group | None:
    """Return what to look for instead of a group that occurs nowhere; None where nothing is similar."""
    word = group.words[0].casefold()
    if len(word) < SHORTEST or len(group.terms) > 1:
        return None
    names = _load_names(connection, word)
    terms = dict.fromkeys(term for name in names for term in find_stems(name) if word in name.casefold())
    if terms:
        return Group(tuple(terms), tuple(names), WEIGHT)
    near = _find_spellings(connection, group.terms[0])
    return Group(near, near, WEIGHT) if near else None


def _load_names(connection: sqlite3.Connection, fragment: str) -> list[str]:
    """Return names of code that hold a fragment; the index of trigrams answers LIKE, where SQLite has one."""
    pattern = "".join(char for char in fragment if char not in "%")
    rows = connection.execute("SELECT name FROM memory_trigrams WHERE name LIKE ? LIMIT ?", (f"%{pattern}%", MOST))
    return [row[0] for row in rows]


def _find_spellings(connection: sqlite3.Connection, term: str) -> tuple[str, ...]:
    """Return the terms spelt most like one: of the same first two letters, the most pairs in common (Dice)."""
    if len(term) < SHORTEST + 1 or not term.isalpha():
        return ()
    rows = connection.execute(
        "SELECT term FROM term_rows WHERE term >= ? AND term < ?", (term[:2], term[:2] + "\U0010ffff")
    )
    scored = sorted(((_compare_pairs(term, row[0]), row[0]) for row in rows), reverse=True)[:GUESSES]
    return tuple(other for share, other in scored if share >= DICE)


def _compare_pairs(one: str, other: str) -> float:
    mine = {one[at : at + 2] for at in range(len(one) - 1)}
    theirs = {other[at : at + 2] for at in range(len(other) - 1)}
    return 2 * len(mine & theirs) / (len(mine) + len(theirs)) if theirs else 0.0
