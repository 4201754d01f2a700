"""Whose record it is: a keyed mark that only this user's Belay can make, so that a cloned journal is known as foreign.

The key is 32 random bytes in the user's own data folder, made once. The mark is BLAKE2 (RFC 7693), 8 bytes.
"""

from __future__ import annotations

import os

from belay.core import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_BYTES = 32


def sign_name(environ: Mapping[str, str], name: str) -> str:
    """Return the mark of a name under this user's key, "" where no key can be kept."""
    key = _key(os.path.join(paths.data_home(environ), "key"))
    return _blake(name.encode("utf-8", "replace"), key) if key else ""


def make_user_number(environ: Mapping[str, str]) -> int:
    """Return this user's number, 1 to 2^31 - 1, for what has room for no more; 0 where no key can be kept."""
    return int(sign_name(environ, "application")[:8] or "0", 16) & 0x7FFFFFFF


def _blake(data: bytes, key: bytes) -> str:
    try:
        from _blake2 import blake2b  # hashlib's import alone costs a fifth of a bare interpreter
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, key=key, digest_size=8).hexdigest()


def _key(path: str) -> bytes:
    key = files.read(path, KEY_BYTES)
    return key if len(key) == KEY_BYTES else _make(path)


def _make(path: str) -> bytes:
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.create(beside)
        files.write(beside, os.urandom(KEY_BYTES))
        _publish(beside, path)
    except OSError:
        return b""
    key = files.read(path, KEY_BYTES)
    return key if len(key) == KEY_BYTES else b""


def _publish(beside: str, path: str) -> None:
    """Put the key in place unless another process was first: a key that marks records is never replaced."""
    try:
        os.link(beside, path)
    except FileExistsError:
        pass
    except OSError:
        files.replace(beside, path)
        return
    os.unlink(beside)
