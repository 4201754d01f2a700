"""Prompts that ask for a choice of products, or make one: "Why not Postgres?", "let's switch to pnpm"."""

from __future__ import annotations

from belay.core import terms

_CHOOSING = frozenset(
    "why choose chose chosen choice decide decided instead switch switched switching migrate migrated migrating "
    "replace replaced replacing prefer rather use using used should over than versus vs vs. "
    "warum wieso statt anstatt nutzen verwenden wechseln pourquoi plutôt utiliser utilise utilisons passer remplacer "
    "porque por usar usemos cambiar reemplazar vez perché usare invece waarom gebruiken".split()
)
"""Words beside which the name of a product is a choice, in the languages that `function_words.txt` has."""
BEFORE, AFTER = 3, 2
"""Words between such a word and the name, at most: "should we just use Postgres", "Postgres instead"."""


def find_chosen(text: str) -> set[str]:
    """Return the stems of the words that stand beside a word of choosing."""
    words = list(terms.words(text))
    low = [word.casefold().strip("¿¡") for word in words]
    places = [at for at, word in enumerate(low) if word in _CHOOSING]
    near = {place for at in places for place in range(max(0, at - AFTER), at + BEFORE + 1)}
    return {terms.stem(words[at]) for at in near if at < len(words)}
