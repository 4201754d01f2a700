"""Texts that are not shown in conversations any more: those of forgotten entries. What is kept stays as it is.

An entry that is forgotten can be brought back, and what was said comes back with it.
"""

from __future__ import annotations

import os

from belay.core import files, json_codec
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Mapping, Sequence

FORGOTTEN = "[forgotten]"
LEAST = 8
"""Letters and digits of an entry's text below which it is no sentence that could be found again."""


NAME = "hidden.json"


class Hidden(NamedTuple):
    """The hidden texts, what takes them out of a text, and session → how often its file was touched by a change."""

    texts: tuple[str, ...]
    remove: Callable[[str], str]
    changes: Mapping[str, int]


def load_hidden(folder: str) -> Hidden:
    """Return what is hidden in the conversations of a folder."""
    try:
        data = json_codec.loads(files.read(os.path.join(folder, NAME)).decode("utf-8", "replace"))
        texts, changes = tuple(map(str, data["texts"])), dict(data["changes"])
    except (ValueError, LookupError, TypeError):
        texts, changes = (), {}
    return Hidden(texts, make_remover(texts), changes)


def save_hidden(folder: str, texts: Iterable[str], paths: Iterable[tuple[str, str]]) -> Hidden:
    """Hide these texts and no others; `paths` (session, file) are looked through for those that change."""
    before, wanted = load_hidden(folder), tuple(sorted(set(texts)))
    turned = set(before.texts).symmetric_difference(wanted)
    if not turned:
        return before
    touched = [name for name, path in paths if _may_hold(path, turned)]
    changes = {**before.changes, **{name: before.changes.get(name, 0) + 1 for name in touched}}
    path = os.path.join(folder, NAME)
    files.create(path)
    files.write(path, json_codec.encode({"texts": wanted, "changes": changes}))
    return Hidden(wanted, make_remover(wanted), changes)


def _may_hold(path: str, texts: Iterable[str]) -> bool:
    """Whether a file's bytes hold the longest word of one of some texts."""
    words = [find_longest(text) for text in texts]
    data = files.read(path).lower()
    return any(not word.isascii() or word.encode() in data for word in words if word)


def make_remover(texts: Sequence[str]) -> Callable[[str], str]:
    """Return a function that puts a mark in the place of these texts, whatever blanks and signs are between words.

    Line ends of what is removed stay, so that line numbers stay.
    """
    wanted = sorted({words for text in texts if (words := _split(text))}, key=lambda words: (-len(words), words))
    rules = [(max(words, key=len).lower(), _make_source(words)) for words in wanted]

    def remove(text: str) -> str:
        import re  # a search loads this module, and hides nothing

        low = text.lower()
        for word, source in rules:
            if word in low:
                text = re.sub(source, _make_mark, text, flags=re.IGNORECASE)
        return text

    return remove


def find_longest(text: str) -> str:
    """Return the longest word of a text, in small letters; "" for a text that is too short to be removed."""
    return max(_split(text), key=len, default="").lower()


def _split(text: str) -> tuple[str, ...]:
    """Return the words of a text, () where they are too few to be found again."""
    words = tuple("".join(char if char.isalnum() else " " for char in text).split())
    return words if sum(map(len, words)) >= LEAST else ()


def _make_source(words: Sequence[str]) -> str:
    import re

    return r"(?<!\w)" + r"[\W_]+".join(map(re.escape, words)) + r"(?!\w)"


def _make_mark(match: re.Match[str]) -> str:
    return FORGOTTEN + "\n" * match[0].count("\n")
