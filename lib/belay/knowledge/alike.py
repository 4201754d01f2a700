"""Whether two entries say the same: what differs in a number, a path, a name of code or a "not" is another fact."""

from __future__ import annotations

from belay import plaintext, terms

JACCARD = 0.6
"""Share of the informative stems of both that two texts have in common, at least (docs/knowledge.md)."""


def same(one: str, other: str) -> bool:
    """Whether two texts of one type say the same thing."""
    if plaintext.key(one) == plaintext.key(other):
        return True
    return terms.fixed(one) == terms.fixed(other) and jaccard(one, other) >= JACCARD


def jaccard(one: str, other: str) -> float:
    """Return the share of informative stems that two texts have in common, 0 to 1."""
    mine, theirs = set(terms.informative(one)), set(terms.informative(other))
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 0.0
