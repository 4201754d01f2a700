"""Texts made comparable, by their words alone, and harmless to print: a name or a line may come with a clone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    Row = TypeVar("Row")


def words(text: str) -> str:
    """Return the words of a text for comparison: small letters and digits, emphasis and punctuation aside."""
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def key(text: str) -> str:
    """Return what makes two lines the same: their words, or themselves where they have none."""
    return words(text) or text.strip()


def distinct(rows: Iterable[Row], text: Callable[[Row], str]) -> list[Row]:
    """Return the rows without those whose text says the same as that of an earlier one."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(words(text(row)), row)
    return list(found.values())


def printable(text: str) -> str:
    """Return a text on one line, a blank for what does not print."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def escaped(text: str) -> str:
    """Return a line with `\\x..` for what a terminal would obey: file names may hold newlines and escapes."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
