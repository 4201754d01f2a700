"""What a sentence or a task names: paths, routes, names of code, and the plain words that tell what it is about."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from belay.core import terms

FIRST, LATE = 3, 10
"""Words of a text that say what it is about, and those behind which it goes into detail."""
MOST_CHARS = 4000
"""Characters of a text that are read; a learning is a sentence or a few."""
_ROUTE = re.compile(r"(?<![\w.:/])/(?:[\w\[\]{}():*.-]+/?)+")
_WORD = re.compile(r"[A-Za-z][\w.$-]*[\w$]")
_PATH = re.compile(r"(?<![\w/])(?:\.?[\w@()\[\].-]+/)+[\w@()\[\].-]*")
_GENERAL = re.compile(r"\b(?:all|every|each|any|no)\s+(\w+)", re.IGNORECASE)
_LONG = {
    "authentication": "auth", "authenticate": "auth", "authorization": "auth", "authorisation": "auth",
    "login": "auth", "signin": "auth", "signup": "auth", "oauth": "auth", "password": "auth",
    "administration": "admin", "administrator": "admin", "configuration": "config", "database": "db",
    "notification": "notify", "organisation": "organization", "payment": "billing", "invoice": "billing",
    "subscription": "billing", "message": "msg", "repository": "repo", "documentation": "doc",
}  # fmt: skip
"""A word → what folders call the same: abbreviations that everybody uses, and the feature that a word belongs to."""
ALIASES = {terms.stem(word): terms.stem(name) for word, name in _LONG.items()}
_EMPTY = frozenset(
    map(
        terms.stem,
        "use used using via per new one two three first last same other each every all any must should always never "
        "only also need needs file files code app application project feature component components service services "
        "function page pages module package data value type types name names thing way time user users test tests "
        "src index main implement implementation handle handled handles keep kept add added set run runs work works "
        "call called see show shown support known issue bug fix workaround page".split(),
    )
)
"""Words that stand in the names of half the files: they tell no feature from another."""


class Subjects(NamedTuple):
    """What a text names: paths and routes as they are written, names of code, and stems of plain words → the word.

    `joined` are two neighbours written as one word, `plain` all its words in small letters, as they are written,
    `general` stems of what it speaks of in general ("every handler").
    """

    paths: list[str]
    routes: list[str]
    symbols: list[str]
    words: dict[str, str]
    joined: dict[str, str]
    plain: frozenset[str]
    general: frozenset[str]

    def stress(self, stem: str) -> float:
        """Return how much a word tells by its place: a sentence begins with what it is about, but not with "all"."""
        at = list(self.words).index(stem) if stem in self.words else 0
        place = 1.4 if at < FIRST else 1.0 if at < LATE else 0.7
        return place * (0.5 if stem in self.general else 1.0)


def read_subjects(text: str) -> Subjects:
    """Return what a text names, each thing once, in its order."""
    text = text[:MOST_CHARS]
    routes = [route.rstrip(".,:;/") for route in _ROUTE.findall(text)]
    bare = _ROUTE.sub(" ", text)
    paths = [path.strip("./") for path in _PATH.findall(bare)]
    files = [word for word in terms.words(bare) if "." in word.strip(".") and "/" not in word]
    words = _list_words(bare)
    symbols = [word for word in words if is_symbol(word)]
    paths, routes, symbols = (list(dict.fromkeys(rows)) for rows in ([*paths, *files], routes, symbols))
    pairs = ((one, other) for one, other in pairwise(words) if one.isalpha() and other.isalpha())
    joined = {f"{one}{other}".casefold(): f"{one} {other}" for one, other in pairs}
    general = frozenset(terms.stem(word) for word in _GENERAL.findall(text))
    plain = frozenset(word.casefold() for word in words)
    return Subjects(paths, routes, symbols, _list_stems(text), joined, plain, general)


def _list_words(text: str) -> list[str]:
    return [word.rstrip(".-") for word in _WORD.findall(text)]


def is_symbol(word: str) -> bool:
    """Whether a word can only be a name that somebody gave in code: `useAuth`, `retry_limit`, `PaymentForm`."""
    plain = word.removesuffix("()")
    if len(plain) < 4 or not plain.replace("_", "").replace("$", "").isalnum():
        return False
    return "_" in plain.strip("_") or (any(map(str.isupper, plain[1:])) and any(map(str.islower, plain)))


def _list_stems(text: str) -> dict[str, str]:
    """Return stem → word of what a text is about; names of code also count by their parts."""
    found: dict[str, str] = {}
    for word in _list_words(text):
        if word.casefold() in terms.STOP:
            continue
        for part in {word.casefold(), *split_name(word)}:
            stem = terms.stem(part)
            if len(stem) > 2 and stem not in _EMPTY and part not in terms.STOP:
                found.setdefault(stem, part)
    return found


def split_name(name: str) -> list[str]:
    """Return the words of a file's, folder's or code's name in small letters, without numbers and single letters."""
    return [part for part in terms.parts(name) if len(part) > 1 and part.isalpha()]


def stems_of_name(name: str) -> frozenset[str]:
    """Return the stems of a name's words, those that stand everywhere left out."""
    return frozenset(stem for part in split_name(name) if (stem := terms.stem(part)) not in _EMPTY and len(stem) > 1)
