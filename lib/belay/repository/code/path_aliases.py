"""Names for folders that a tsconfig.json or jsconfig.json declares: `"@src/*": ["./src/*"]`, `baseUrl`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

_PATHS = re.compile(r'"paths"\s*:\s*\{(.*?)\}', re.DOTALL)
_PAIR = re.compile(r'"([^"\n]+)"\s*:\s*\[\s*"([^"\n]+)"')
_BASE = re.compile(r'"baseUrl"\s*:\s*"([^"\n]*)"')
_COMMENT = re.compile(r"^\s*//.*$|/\*(?!\").*?\*/", re.MULTILINE)
NAMES = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")


class PathAlias(NamedTuple):
    """Below `folder`, an import that begins with `prefix` is the file at `target` with the rest of its name."""

    folder: str
    prefix: str
    target: str


def read_aliases(path: str, text: str) -> Iterator[PathAlias]:
    """Yield what a configuration file at a path declares; what leads out of the project is left out."""
    folder = posixpath.dirname(path)
    plain = _COMMENT.sub("", text)
    base = _BASE.search(plain)
    root = posixpath.join(folder, base[1]) if base else folder
    for block in _PATHS.findall(plain):
        for name, target in _PAIR.findall(block):
            yield from _make_alias(folder, name.removesuffix("*"), posixpath.join(root, target.removesuffix("*")))
    if base:
        yield from _make_alias(folder, "", posixpath.join(root, ""))


def _make_alias(folder: str, prefix: str, target: str) -> Iterator[PathAlias]:
    whole = posixpath.normpath(target)
    if not whole.startswith(".."):
        end = "/" if target.endswith("/") and whole != "." else ""
        yield PathAlias(folder, prefix, "" if whole == "." else whole + end)
