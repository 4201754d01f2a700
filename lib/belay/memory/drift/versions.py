"""Versions out of prose and manifests, in their order: 2.0.0-rc.1 comes before 2.0, and 2.0 is 2.0.0."""

from __future__ import annotations

import re
from typing import NamedTuple

PATTERN = r"v?(\d{1,9}(?:\.\d{1,9}){0,3})(?:-([0-9A-Za-z][0-9A-Za-z.-]*)|((?:alpha|beta|rc|a|b)\.?\d{1,6}))?"
"""A version in a text: its numbers, and what marks it as one before the release (semver.org; PEP 440)."""
_VERSION = re.compile(PATTERN)
_LOWER = re.compile(rf"(?:[\^~=>]{{0,3}}\s*){PATTERN}")
_PARTS = re.compile(r"[.-]|(?<=[a-z])(?=\d)", re.IGNORECASE)
_NUMBERS = 4

Part = tuple[int, int, str]


class Version(NamedTuple):
    """A version in a form that compares: four numbers, whether it is released, the parts before the release."""

    numbers: tuple[int, ...]
    released: bool
    before: tuple[Part, ...]


def parse_version(text: str) -> Version | None:
    """Return the version with which a text begins, None for a text without one."""
    found = _VERSION.match(text.strip())
    return _build_version(found) if found else None


def parse_lowest(constraint: str) -> Version | None:
    """Return the lowest version that a manifest's constraint allows (`^1.2`, `>=1.2,<2`), None where none is named."""
    found = _LOWER.match(constraint.strip())
    return _build_version(found) if found else None


def _build_version(found: re.Match[str]) -> Version:
    numbers = tuple(int(part) for part in found[1].split("."))
    before = tuple(map(_build_part, filter(None, _PARTS.split((found[2] or found[3] or "").rstrip(".-").lower()))))
    return Version((*numbers, *[0] * (_NUMBERS - len(numbers))), not before, before)


def _build_part(word: str) -> Part:
    """Return a part in the order of semver: numbers by value, before words."""
    return (0, int(word), "") if word.isdecimal() and word.isascii() and len(word) < 20 else (1, 0, word)
