"""A text read as a statement: what a comparison of two texts looks at (`duplicates` decides).

Plain string code, linear in the text, no regular expression: a hook that takes a capture loads this.
"""

from __future__ import annotations

from belay.core.text import word_forms as forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

READ_CHARS = 4000
"""Characters that are read word by word; what follows must be the same text."""
_KEPT = 4096
_QUOTES = "\"'“”‘’«»[]{}|「」『』（）【】"
_ENDS = ".,:;?!…)。，！？；：、"
_PROSE = _QUOTES + _ENDS + "-–—•·&*(_"
"""Signs that mean nothing where they stand alone."""
_BREAKS = ",;:.!?—–)。，！？；：、"
_SCREAMED = frozenset(("US", "IT", "WHO"))
"""Small words that are names when they are written in capitals among small letters."""
_KNOWN: dict[str, Statement] = {}


class Statement:
    """What a text states.

    `words`: its telling words in order, in small letters; `names`: paths, code names and signs as they are written;
    `numbers`: with units as words of their own; `turns`: negations and other small words that change what is said;
    `objects`: small or relating word → the words that it governs ("from" → {"staging"}); `near`: number or name → the
    words around it; `leaning`: who speaks, and whether of the past or the future; `single`: the words behind "one", and
    `articles` those behind "a", "the" or "one"; `opening`: the first word if it reports ("fixed"); `foreign`: whether
    its small words are unknown, so that only the order tells what belongs to what; `keys`: rough stems of words and
    names, and the numbers, by which texts are looked up; `wording`: what `wording` returns; `clauses`: of each clause
    its keys in order, with whether a small word or relating verb governs them; `sequenced`: whether their order counts.
    """

    __slots__ = (
        "words", "names", "numbers", "turns", "objects", "near", "leaning", "single", "articles", "opening",
        "foreign", "text", "keys", "wording", "clauses", "sequenced",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        self.names: list[str] = []
        self.numbers: list[str] = []
        self.turns: list[str] = []
        self.objects: dict[str, set[str]] = {}
        self.near: dict[str, set[str]] = {}
        self.leaning: set[str] = set()
        self.single: set[str] = set()
        self.articles: set[str] = set()
        self.opening = ""
        self.foreign = False
        self.wording = ""
        self.clauses: list[list[tuple[str, bool]]] = [[]]
        self.sequenced = False
        _Reader(self).read(text)
        roots = frozenset((*map(forms.root, (*self.words, *self.names)), *self.numbers))
        self.keys = roots or frozenset((self.wording,))


def read(text: str) -> Statement:
    """Return a text as a statement; a text that was read lately is not read again."""
    found = _KNOWN.get(text)
    if found is None:
        if len(_KNOWN) >= _KEPT:
            _KNOWN.clear()
        found = Statement(text)
        if len(text) <= READ_CHARS:
            _KNOWN[text] = found
    return found


def wording(text: str) -> str:
    """Return what two texts share that say the same in the same words: case, blanks and marks of prose left aside.

    Signs, names and numbers stay: `C` is not `C++`, `-5` not `5`.
    """
    known = _KNOWN.get(text)
    return known.wording if known else _joined(text, _words(text))


def _joined(text: str, words: Iterable[tuple[str, bool, bool]]) -> str:
    told = (word if forms.is_exact(word) else word.casefold() for word, _, _ in words)
    return " ".join(told) or " ".join(text.split())


def _words(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield (word, whether it is code, whether a mark ends a phrase behind it)."""
    ticked = False
    for chunk in text.split():
        if chunk.isalpha():
            yield chunk, ticked, False
            continue
        code = ticked or "`" in chunk
        ticked ^= chunk.count("`") % 2 == 1
        found = list(_cores(chunk)) or (_signs(chunk) if code else [])
        last = chunk.rstrip("`\"'")[-1:]
        ends = last in _BREAKS and not "".join(found[-1:]).endswith(last)
        for at, word in enumerate(found, 1):
            yield word, code, ends and at == len(found)


def _cores(chunk: str) -> Iterator[str]:
    """Yield the words of a chunk between blanks, without quotes, brackets and the ends of sentences."""
    bare = chunk.replace("`", "").replace("’", "'")
    word = bare.strip(_QUOTES)
    while word and word[-1] in _ENDS and not (word[-1] == ")" and "(" in word[1:]):
        word = word[:-1].rstrip(_QUOTES)
    word = (word[1:] if word[:1] == "(" else word).strip(_QUOTES)
    if len(word) > 2 and word[0] in "*_" and word[-1] == word[0]:
        word = word.strip("*_")
    if not word.strip(_PROSE):
        return
    dashed = word.replace("—", " ").replace("–", " ").split()
    for part in dashed:
        yield from part.split("-") if forms.is_compound(part) else (part.removeprefix("./"),)


class _Reader:
    """Reads a text into a statement, word by word."""

    def __init__(self, statement: Statement) -> None:
        self.told = statement
        self.heads: list[str] = []
        """Small words whose object has not come yet, or goes on."""
        self.governing = False
        self.before = ""
        self.waiting: list[str] = []
        """Numbers and names behind which no word has come yet."""
        self.article = ""
        self.last = ""
        self.first = True

    def read(self, text: str) -> None:
        head, tail = text[:READ_CHARS], text[READ_CHARS:]
        screams = head.isupper()
        words = [*_words(head)]
        self.told.wording = wording(text) if tail else _joined(text, words)
        start = _lead(words)
        for at in range(start, len(words)):
            following = words[at + 1][0].casefold() if at + 1 < len(words) else ""
            self._word(*words[at][:2], following, screams)
            self.last = words[at][0].casefold()
            if words[at][2] or self.last in forms.LINKS:
                self._pause(keep=not words[at][2])
                self.told.clauses.append([])
        if tail.strip():
            self.told.names.append(" ".join(tail.split()).casefold())

    def _word(self, word: str, code: bool, following: str, screams: bool) -> None:
        low = word.casefold()
        if low.isascii() is False and any(char.isalpha() and not char.isascii() for char in low):
            self.told.foreign = True
        counted, (number, unit) = forms.unit(low, self.before), forms.number(word)
        if counted:
            self._telling(counted)
        elif number:
            self._fixed(number, self.told.numbers)
            if unit:
                self._telling(unit)
        elif forms.is_exact(word) and low not in forms.SPELLED:
            self._fixed(word, self.told.names)
        elif code or not self._small(word, low, following, screams):
            self._telling(forms.canonical(low))

    def _small(self, word: str, low: str, following: str, screams: bool) -> bool:
        """Take in a word that tells nothing by itself; False for one that does."""
        if not screams and (word in _SCREAMED or (word == "A" and not self.first)):
            return False
        turns = forms.negation(low)
        if turns:
            for turn in turns:
                self._turn(turn)
            return True
        if self.told.turns[-1:] and self.before == self.told.turns[-1]:
            if low in forms.UNIVERSAL:
                self._turn("all")
            if low in forms.UNIVERSAL or low in forms.ENDED:
                return True
        self.told.leaning |= forms.LEANINGS.get(low, frozenset())
        self.told.foreign |= low in forms.FOREIGN
        self.told.sequenced |= low in forms.SEQUENCE
        if low == "but" and self.last in forms.BUT_FOR:
            self._turn("except")
            return True
        if low in forms.HEADS and not (low == "with" and self.before == "go"):
            self._head(forms.HEADS[low])
        elif low in forms.TURNS:
            self._turn(forms.TURNS[low])
        elif low in forms.ARTICLES:
            self._pause(keep=True)
            self.article, self.first = low, False
        elif low in forms.FILLER or (low in forms.GOING and following == "with") or low == "with":
            self._pause(keep=True)
            self.before = "go" if low in forms.GOING else self.before
        else:
            return False
        return True

    def _turn(self, turn: str) -> None:
        self.told.turns.append(turn)
        self._head(turn)
        self.before = turn

    def _head(self, head: str) -> None:
        """Begin what a small word governs."""
        self._pause(keep=not self.governing)
        self.first = False
        self.heads.append(head)
        self.told.objects.setdefault(head, set())

    def _pause(self, keep: bool = False) -> None:
        """End what is governed; `keep`: a head without an object waits for it still."""
        if self.governing or not keep:
            self.heads, self.governing = [], False
        if not keep:
            self.before, self.waiting = "", []
        self.article = ""

    def _telling(self, word: str) -> None:
        root = forms.root(word)
        self.told.opening = word if self.first and word.endswith("ed") else self.told.opening
        self.first = False
        if self.article:
            self.told.articles.add(root)
            if self.article == "one":
                self.told.single.add(root)
        self.told.words.append(word)
        self._bind(root)
        for fixed in self.waiting:
            self.told.near[fixed].add(root)
        self.waiting, self.before, self.article = [], root, ""
        if root in forms.RELATING:
            self._pause(keep=True)
            self.heads, self.governing = [root], False
            self.told.objects.setdefault(root, set())

    def _fixed(self, value: str, kind: list[str]) -> None:
        kind.append(value)
        self.first = False
        near = self.told.near.setdefault(value, set())
        near |= {word for word in (self.before, *self.heads) if word}
        self._bind(value)
        self.waiting, self.before, self.article = [*self.waiting[-1:], value], value, ""

    def _bind(self, root: str) -> None:
        governed = any(head not in forms.TURNING for head in self.heads)
        self.told.clauses[-1].append((root, governed))
        for head in self.heads:
            self.told.objects[head].add(root)
        self.governing = bool(self.heads)


def _signs(chunk: str) -> list[str]:
    """Return the signs of a chunk of code that has no word: a dot or a dash means something there."""
    bare = chunk.replace("`", "")
    return [bare] if bare else []


def _lead(words: list[tuple[str, bool, bool]]) -> int:
    """Return how many words only introduce the statement: "remember that", "note:", "don't forget to"."""
    low = [word.casefold() for word, _, _ in words[:6]]
    start = 0
    while start < len(low) and (low[start] in forms.FILLER or low[start] == "and") and not words[start][1]:
        start += 1
    for lead in forms.LEADS:
        if tuple(low[start : start + len(lead)]) == lead and len(words) > start + len(lead):
            return start + len(lead)
    label = start < len(low) and low[start] in forms.LABELS and words[start][2]
    return start + 1 if label and len(words) > start + 1 else 0
