"""What is found in code, as values."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

COMPONENT, ROUTE, EXPORT, TEST, DEPENDENCY = "component", "route", "export", "test", "dependency"
KINDS = (COMPONENT, ROUTE, EXPORT, TEST, DEPENDENCY)


class Fact(NamedTuple):
    """One thing found: what it is, its name, and the line (1-based) of the file that says so.

    A route's name is "METHOD /full/path"; ANY stands for a handler that takes every method.
    """

    kind: str
    name: str
    path: str
    line: int


class FactRow(TypedDict):
    """A fact as JSON."""

    kind: str
    name: str
    path: str
    line: int


class Import(NamedTuple):
    """A module that a file imports, as it is written there, with the names taken from it ("*": all; (): itself)."""

    module: str
    names: tuple[str, ...]
    line: int
    alias: str = ""
