"""Words of scripts that set no blanks between them, as far as they can be told without a dictionary. Hot hooks load it.

Han and Hangul by pairs of neighbours (as Lucene's CJK analyser makes them), a run of katakana as one word, Thai to
Khmer by runs of GRAM characters; hiragana is left out: it is endings and particles.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

GRAM = 5
"""Characters of a Thai term: about a syllable and a half, so that few words of different meaning share one."""
_PAIRS, _KANA, _GRAMS, _DROPPED, _OTHER = range(5)
_BLOCKS = (
    (0x0E00, 0x0EFF, _GRAMS), (0x1000, 0x109F, _GRAMS), (0x1780, 0x17FF, _GRAMS), (0x3040, 0x309F, _DROPPED),
    (0x30A0, 0x30FF, _KANA), (0x3400, 0x4DBF, _PAIRS), (0x4E00, 0x9FFF, _PAIRS), (0xAC00, 0xD7AF, _PAIRS),
    (0xF900, 0xFAFF, _PAIRS), (0x20000, 0x3FFFF, _PAIRS),
)  # fmt: skip
"""First and last code point of a block, and how its runs are cut."""
_MARKS = "`'\"*_.,;:!?()[]{}<>“”‘’…|=#~-，。、；：！？（）「」『』《》【】・～　"
"""Punctuation around words, that of Chinese and Japanese too."""


def split_word(word: str) -> list[str]:
    """Return the terms of what stands between two blanks, in order; the word itself where it has no such script."""
    if word.isascii():
        return [word]
    runs = list(_find_runs(word))
    if len(runs) == 1 and runs[0][0] == _OTHER:
        return [word]
    return [term for kind, run in runs for term in _cut_run(kind, run)]


def _find_runs(word: str) -> Iterator[tuple[int, str]]:
    """Yield the runs of one script, each with how it is cut."""
    start, before = 0, -1
    for at, char in enumerate(word):
        kind = _classify(ord(char))
        if kind != before and at:
            yield before, word[start:at]
            start = at
        before = kind
    if word:
        yield before, word[start:]


def _classify(code: int) -> int:
    if code < 0x0E00:
        return _OTHER
    return next((kind for first, last, kind in _BLOCKS if first <= code <= last), _OTHER)


def _cut_run(kind: int, run: str) -> list[str]:
    if kind == _DROPPED:
        return []
    if kind in (_OTHER, _KANA):
        word = run.strip(_MARKS)
        return [word] if len(word) > 1 else []
    size = 2 if kind == _PAIRS else GRAM
    return [run[at : at + size] for at in range(len(run) - size + 1)]
