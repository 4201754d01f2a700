"""Words of a command line as a person would type them."""

from __future__ import annotations

from belay.client.shell.wrappers import is_assignment

_PLAIN = frozenset("_-./=:@%+,~^*?")


def quote(word: str) -> str:
    """Return a word as it may be typed: in quotes where it has more than letters, digits and path marks."""
    if word and all(char.isalnum() or char in _PLAIN for char in word):
        return word
    if is_assignment(word):
        name, _, value = word.partition("=")
        return f"{name}={_in_quotes(value)}"
    return _in_quotes(word)


def _in_quotes(word: str) -> str:
    if "'" not in word and "$" not in word:
        return f"'{word}'"
    return '"' + word.replace('"', '\\"') + '"'
