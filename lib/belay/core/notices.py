"""What a person is told once, and never again."""

from __future__ import annotations

import os
import zlib

from belay.core import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def first(environ: Mapping[str, str], key: str) -> bool:
    """Return True the first time a key is asked for on this machine, False ever after.

    Where the user's own folder cannot be written the temporary one remembers; where neither can, the answer
    is True: better said twice than never.
    """
    name = f"{zlib.crc32(key.encode('utf-8', 'replace')):08x}"
    for folder in (os.path.join(paths.data_home(environ), "told"), _temporary(environ)):
        if _folder(folder):
            return _made(os.path.join(folder, name))
    return True


def _folder(path: str) -> bool:
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def _made(path: str) -> bool:
    try:
        files.create(path, new=True)
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def _temporary(environ: Mapping[str, str]) -> str:
    base = environ.get("TMPDIR") or environ.get("TEMP") or "/tmp"
    return os.path.join(base, f"belay-told-{getattr(os, 'getuid', int)()}")
