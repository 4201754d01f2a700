"""TOML on every Python: the standard library's reader from 3.11 on, before that the one of the environment."""

from __future__ import annotations

import importlib
import sys
from typing import Any

NESTED = 64
"""Dots on one line of a TOML file that is read: the reader's time grows with the square of a key's parts."""


def loads(text: str) -> dict[str, Any]:
    """Return the table of a TOML text; ValueError where it is broken or nothing here can read it."""
    if any(line.count(".") > NESTED and _key(line) for line in text.split("\n")):
        raise ValueError("a key of too many parts")
    found: dict[str, Any] = _reader().loads(text) if text.strip() else {}
    return found


def _reader() -> Any:
    try:
        return importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ImportError as error:  # a hook before 3.11: the environment's packages are not on its path
        raise ValueError("no TOML reader before Python 3.11 outside the environment") from error


def readable() -> bool:
    """Whether this process can read TOML at all: a hook on Python 3.10 cannot."""
    try:
        _reader()
    except ValueError:
        return False
    return True


def _key(line: str) -> bool:
    """Whether the many dots of a line may be in a key."""
    head = line.partition("=")[0]
    return head.count(".") > NESTED or line.partition("{")[2].count(".") > NESTED
