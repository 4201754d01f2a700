"""Tables that are written as text, one row a line, so that they can be read and changed like a list."""

from __future__ import annotations


def table(text: str, separator: str = "") -> dict[str, tuple[str, ...]]:
    """Return name → values of rows like `name: one two`; values are separated by blanks, or as said."""
    rows = [f"{line.strip()} ".partition(": ") for line in text.strip().splitlines()]
    return {name: tuple(value.strip() for value in values.split(separator or None)) for name, _, values in rows}


def by_name(text: str) -> dict[str, str]:
    """Return value → name of rows like `name: one, two`."""
    rows = [line.strip().partition(": ") for line in text.strip().splitlines()]
    return {value.strip(): name for name, _, values in rows for value in values.split(",")}
