"""Words within words: what names of code and scripts without blanks are made of, so that parts of them are found."""

from __future__ import annotations

from belay.core import terms
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Characters of scripts that set no blanks between words, or glue endings to them: Thai to Khmer, kana, Han, Hangul."""
_SHORTEST = 5


class _Patterns(NamedTuple):
    words: re.Pattern[str]
    path: re.Pattern[str]
    run: re.Pattern[str]
    mixed: re.Pattern[str]


_MADE: list[_Patterns] = []


def _load_patterns() -> _Patterns:
    """Return the patterns; to make them takes as long as a search, and plain words need none."""
    if not _MADE:
        _MADE.append(_compile_patterns())
    return _MADE[0]


def _compile_patterns() -> _Patterns:
    import re

    return _Patterns(
        re.compile(r"[A-Za-z_]\w{3,63}"),
        re.compile(r"[\w.-]+(?:/[\w.-]+)+"),
        re.compile(f"[{UNSPACED}]+"),
        re.compile(f"[^\\W{UNSPACED}]+(?=[{UNSPACED}])|(?<=[{UNSPACED}])[^\\W{UNSPACED}]+"),
    )


def split_words(text: str) -> tuple[list[str], set[str]]:
    """Return the words that a text's own words hide, and the names within which a fragment may be sought.

    Hidden: handle refund of handleRefund, 支 付 支付 of 支付. Names: those of code, and the folders and files of paths.
    """
    if text.isascii() and text.isalpha() and (text.islower() or text.istitle()):
        return [], set()
    odd = {word for word in set(_load_patterns().words.findall(text)) if not (word.islower() and word.isalpha())}
    odd = {word for word in odd if not (word.isalpha() and (word.istitle() or word.isupper()))}
    hidden = [
        part for name in sorted(odd) if "_" not in name for part in terms.parts(name) if 1 < len(part) < len(name)
    ]
    runs_here = find_runs(text)
    for run in runs_here:
        hidden += split_run(run)
    names = {word for path in _find_paths(text) for word in _load_patterns().words.findall(path)} | odd
    return hidden + (_load_patterns().mixed.findall(text) if runs_here else []), {
        n for n in names if len(n) >= _SHORTEST
    }


def _find_paths(text: str) -> list[str]:
    return (
        [path for word in text.split() if "/" in word for path in _load_patterns().path.findall(word)]
        if "/" in text
        else []
    )


def split_run(run: str) -> list[str]:
    """Return the characters of a run and its pairs of neighbours (bigrams, as Lucene's CJK analyser makes them)."""
    return [*run, *(run[at : at + 2] for at in range(len(run) - 1))]


def find_runs(text: str) -> list[str]:
    """Return the runs of a text in unspaced scripts."""
    return [] if text.isascii() else _load_patterns().run.findall(text)
