"""Whether git has a file of a work tree under another name, or in another repository."""

from __future__ import annotations

import os


def is_elsewhere(root: str, path: str) -> bool:
    """Whether git keeps a file under another name or elsewhere: behind a link, in a submodule or nested repository."""
    folder = os.path.dirname(os.path.join(root, path))
    while len(folder) > len(root):
        if os.path.islink(folder) or os.path.lexists(os.path.join(folder, ".git")):
            return True
        folder = os.path.dirname(folder)
    return False


def is_same(root: str, one: str, other: str) -> bool:
    """Whether two names are one file, as on a file system that ignores the case of letters."""
    try:
        return os.path.samefile(os.path.join(root, one), os.path.join(root, other))
    except OSError:
        return False
