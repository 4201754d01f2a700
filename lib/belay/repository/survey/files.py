"""Files of a checkout read with limits: inside the tree, regular, text, the beginning of large ones."""

from __future__ import annotations

import os

from belay.core import files
from belay.core.paths import inside

MOST = 256 * 1024
"""Bytes of one file that are read."""
ENTRIES = 2000
"""Names of one folder that are looked at."""


def text(root: str, name: str, most: int = MOST) -> str:
    """Return the beginning of a file's text, "" for what is absent, outside the tree, a pipe or binary.

    UTF-8 and UTF-16 (by its mark) are read as such, anything else as Latin-1; line ends become \\n.
    """
    full = inside(root, name)
    data = files.read(full, most) if full and os.path.isfile(full) else b""
    return _decoded(data).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        return ""
    kept = data.decode("utf-8-sig", "ignore")
    torn = len(data.removeprefix(b"\xef\xbb\xbf")) - len(kept.encode()) > 3
    return data.decode("latin-1") if torn else kept


def names(root: str, folder: str = "") -> list[str]:
    """Return the names in a folder of the tree, sorted, at most 2,000; [] where there is none."""
    full = inside(root, folder) if folder else os.path.realpath(root)
    found: list[str] = []
    try:
        with os.scandir(full or os.devnull) as entries:
            for entry in entries:
                found.append(entry.name)
                if len(found) == ENTRIES:
                    break
    except OSError:
        return []
    return sorted(found)


def first(root: str, *wanted: str) -> tuple[str, str]:
    """Return (name, text) of the first wanted top-level file that holds text, whatever its case; ("", "") if none."""
    known = {name.lower(): name for name in reversed(names(root))}
    for want in wanted:
        name = known.get(want.lower(), "")
        found = text(root, name) if name else ""
        if found.strip():
            return name, found
    return "", ""


def readme(root: str) -> tuple[str, str]:
    """Return (name, text) of the project's README, ("", "") without one."""
    return first(root, "README.md", "README.rst", "README.markdown", "README", "README.txt", "README.adoc")


def is_file(root: str, name: str) -> bool:
    """Whether a name is a regular file of the tree."""
    full = inside(root, name)
    return bool(full) and os.path.isfile(full)
