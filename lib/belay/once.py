"""What a person is told once, and never again."""

from __future__ import annotations

import os
import zlib

from belay import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def first(environ: Mapping[str, str], key: str) -> bool:
    """Return True the first time a key is asked for on this machine, False ever after.

    Where that cannot be kept (a read-only home) the answer is True: better said twice than never.
    """
    path = os.path.join(paths.data_home(environ), "told", f"{zlib.crc32(key.encode('utf-8', 'replace')):08x}")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True
