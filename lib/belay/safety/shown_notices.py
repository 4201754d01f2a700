"""Notices that a person sees once and never again; a file for each remembers it."""

from __future__ import annotations

import os

from belay.core import files, paths
from belay.core.plain_text import checksum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def was_shown(environ: Mapping[str, str], key: str) -> bool:
    """Whether a notice was shown on this machine; nothing is remembered."""
    return any(os.path.exists(os.path.join(folder, checksum(key))) for folder in _folders(environ))


def is_new(environ: Mapping[str, str], key: str) -> bool:
    """Whether a notice was never shown on this machine; from now on it was.

    Where the user's own folder cannot be written, the temporary one is used; where neither can, the answer
    is True: better shown twice than never.
    """
    for folder in _folders(environ):
        if _make_folder(folder):
            return _make_mark(os.path.join(folder, checksum(key)))
    return True


def _folders(environ: Mapping[str, str]) -> tuple[str, str]:
    return os.path.join(paths.data_home(environ), "told"), _temporary_folder(environ)


def _make_folder(path: str) -> bool:
    try:
        files.make_folder(path, 0o700)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def _make_mark(path: str) -> bool:
    try:
        files.create(path, new=True)
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def _temporary_folder(environ: Mapping[str, str]) -> str:
    base = environ.get("TMPDIR") or environ.get("TEMP") or "/tmp"
    return os.path.join(base, f"belay-told-{getattr(os, 'getuid', int)()}")
