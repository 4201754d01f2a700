"""A query as the text index can answer it: quoted phrases, and groups of stems that mean the same."""

from __future__ import annotations

import sqlite3

from belay.core import terms
from belay.core.tuples import NamedTuple
from belay.knowledge.search import word_parts
from belay.knowledge.store.tables import text_index

_QUOTES = str.maketrans("“”„«»", '"""""')
MOST_WORDS = 64
"""Words of a query that are looked up: what is longer is a document, and its first words say what it is about."""
WORD_CHARS = 100
NAME = 3.0
"""Weight of a complete name of code, or of two neighbours of its parts, beside its parts, where it is all of the query;
among n words NAME / n²: in a sentence the other words say enough. Figures: docs/search.md."""
_IRREGULAR = """
    begin began begun;break broke broken;bring brought;build built;buy bought;catch caught;
    choose chose chosen;come came;deal dealt;draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten;
    fall fell fallen;feed fed;feel felt;fight fought;find found;fly flew flown;forget forgot forgotten;
    freeze froze frozen;get got gotten;give gave given;go went gone;grow grew grown;hang hung;hear heard;
    hide hid hidden;hold held;keep kept;know knew known;lead led;leave left;lend lent;lose lost;make made;
    mean meant;meet met;pay paid;ride rode ridden;ring rang rung;rise rose risen;run ran;say said;see saw seen;
    sell sold;send sent;shake shook shaken;shoot shot;show showed shown;sing sang sung;sit sat;sleep slept;
    speak spoke spoken;spend spent;stand stood;steal stole stolen;stick stuck;swim swam swum;take took taken;
    teach taught;tell told;think thought;throw threw thrown;understand understood;wake woke woken;wear wore worn;
    win won;write wrote written;child children;man men;woman women;foot feet;tooth teeth;mouse mice;
    person people;wife wives;index indices;good better best;bad worse worst
"""
_FORMS = {word: tuple(group.split()) for group in _IRREGULAR.split(";") for word in group.split()}
"""Forms of one English word that no stemmer brings together."""
_STEMS: dict[str, tuple[str, ...]] = {}
_STEMS_KEPT = 10_000


class Group(NamedTuple):
    """One thing asked for: the index's terms that mean it, and the words to match for it.

    A `name` is several terms side by side: the index has none for it, only what matches.
    """

    terms: tuple[str, ...]
    words: tuple[str, ...]
    weight: float = 1.0
    name: bool = False

    @property
    def match(self) -> str:
        """The group as FTS5's query language says it: every word quoted, so that none is an operator."""
        return "(" + " OR ".join(map(quote_word, self.words)) + ")"


class Query(NamedTuple):
    """What is asked for, and `phrases` that must occur word for word."""

    groups: list[Group]
    phrases: list[str]


def quote_word(word: str) -> str:
    """Return a word or phrase as a string of FTS5's query language."""
    return '"' + word.replace('"', '""').replace("\0", " ") + '"'


def parse_query(text: str, *, phrase: bool = False) -> Query:
    """Return the query of a text; any text is one. Stop words count where there is nothing else."""
    text = clean_text(text)
    pieces = text.split('"')
    phrases = [text.replace('"', " ")] if phrase else pieces[1 : len(pieces) - 1 + len(pieces) % 2 : 2]
    words = list(dict.fromkeys(_split_words(text)))
    telling = [word for word in words if _is_telling(word)] or words
    groups: dict[tuple[str, ...], Group] = {}
    for word in telling[:MOST_WORDS]:
        for group in _make_groups(word[:WORD_CHARS]):
            groups.setdefault(group.terms, group)
    for spelt in _find_names(text)[:MOST_WORDS]:
        groups.setdefault(spelt, Group(spelt, spelt, NAME / _count_telling(text) ** 2, name=True))
    return Query(
        list(groups.values()),
        [phrase_text.strip() for phrase_text in phrases if any(map(str.isalnum, phrase_text))],
    )


def _is_telling(word: str) -> bool:
    return word.casefold().replace("’", "'") not in terms.STOP


def _find_names(text: str) -> list[tuple[str, ...]]:
    if all(word.isalpha() and (word.islower() or word.istitle()) for word in terms.words(text)):
        return []
    from belay.knowledge.search import code_names  # most queries have none

    return code_names.find_names(text)


def _count_telling(text: str) -> int:
    """Return how many words of a query are no stop words, 1 at least; a name with its parts is one."""
    return sum(map(_is_telling, set(terms.words(text)))) or 1


def clean_text(text: str) -> str:
    """Return a text that SQLite takes: no NUL, no half of a surrogate pair, one kind of double quotes."""
    return text.encode("utf-8", "replace").decode().translate(_QUOTES).replace("\0", " ")


def _split_words(text: str) -> list[str]:
    """Return the words of a text, unspaced scripts by their pairs, names of code with their parts."""
    parts: list[str] = []
    for word in terms.words(text):
        for run in word_parts.find_runs(word):
            parts += word_parts.split_run(run)[len(run) :] if len(run) > 1 else [run]
            word = word.replace(run, " ")
        parts += [part for one in word.split() for part in _add_parts(one)]
    return parts


def _add_parts(word: str) -> list[str]:
    return [word, *word_parts.split_words(word)[0]]


def _make_groups(word: str) -> list[Group]:
    """Return the groups of one word: rate_limit is two."""
    forms = _FORMS.get(word.casefold())
    if forms:
        return [Group(tuple(dict.fromkeys(stem for form in forms for stem in find_stems(form))), forms)]
    return [_make_group(stem, word) for stem in find_stems(word)]


def _make_group(stem: str, word: str) -> Group:
    """Return the group of a stem; "deploy" and "deployment" are one, though Porter makes deploi and deploy of them."""
    if stem[-1:] in ("i", "y") and stem[-2:-1] in tuple("aeo"):
        verb, noun = stem[:-1] + "y", stem[:-1] + "yment"
        return Group(tuple(dict.fromkeys((stem, *find_stems(verb), *find_stems(noun)))), (word, verb, noun))
    return Group((stem,), (word,))


def find_stems(word: str) -> tuple[str, ...]:
    """Return what the text index makes of a word: SQLite itself is asked, so that both always agree."""
    if word not in _STEMS:
        if len(_STEMS) >= _STEMS_KEPT:
            _STEMS.clear()
        _STEMS[word] = _tokenize(word)
    return _STEMS[word]


def _tokenize(word: str) -> tuple[str, ...]:
    try:
        tried = text_index.load_scratch(word)
    except sqlite3.OperationalError:  # no FTS5 here
        return (terms.stem(word),)
    return tuple(dict.fromkeys(row[0] for row in tried.execute("SELECT term FROM stems ORDER BY offset")))
