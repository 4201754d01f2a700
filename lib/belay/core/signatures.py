"""Whose record it is: a keyed mark that only this user's Belay can make, so that a cloned journal is known as foreign.

The key is 32 random bytes in the user's own data folder, made once. The mark is BLAKE2 (RFC 7693), 8 bytes. While that
key cannot be had (a full or read-only disk), records are signed under a key of this boot, made from the kernel's random
boot id (random(4)), which no clone can know. Whoever has the real key and meets such a record keeps the key of the boot
in `boot-keys`, so that the record counts after the next boot too.
"""

from __future__ import annotations

import os

from belay.core import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from hashlib import blake2b

KEY_BYTES = 32
BOOT_ID = "/proc/sys/kernel/random/boot_id"
_BOOTS_BYTES = 64 * 1024
_JOINTS = str.maketrans(dict.fromkeys("/_.-+@~,()", " "))
_MADE = 8
_own_marks: set[tuple[str, str, str]] = set()
"""(Data folder, session, mark) that were found to be the user's: a journal has thousands of records of one mark."""
_boot_keys: dict[str, list[bytes]] = {}
"""Data folder → the keys of earlier boots. One that is added meanwhile is of this boot, which is always known."""


def key_file(environ: Mapping[str, str]) -> str:
    return os.path.join(paths.data_home(environ), "key")


def sign_name(environ: Mapping[str, str], name: str) -> str:
    """Return the mark of a name under this user's key, "" where no key can be kept."""
    return _sign(name, _key(key_file(environ)))


def sign_record(environ: Mapping[str, str], session: str) -> str:
    """Return the mark of a session's records: under the user's key, else under this boot's, "" without both."""
    return sign_name(environ, session) or _sign(session, _boot_key())


def is_own(environ: Mapping[str, str], session: str, mark: object) -> bool:
    """Whether a record's mark is this user's, made with the key or in a boot in which there was none."""
    if not mark or not isinstance(mark, str):
        return False
    known = (paths.data_home(environ), session, mark)
    if known in _own_marks:
        return True
    own = sign_name(environ, session)
    if mark != own and not _is_of_boot(environ, session, mark, has_key=bool(own)):
        return False
    _own_marks.add(known)
    return True


def has_key(environ: Mapping[str, str]) -> bool:
    """Whether the user's key can be read or made; without it, records count as the user's for this boot only."""
    return bool(sign_name(environ, ""))


def _is_of_boot(environ: Mapping[str, str], session: str, mark: str, *, has_key: bool) -> bool:
    folder = paths.data_home(environ)
    if folder not in _boot_keys:
        lines = files.read(os.path.join(folder, "boot-keys"), _BOOTS_BYTES).split()
        _boot_keys[folder] = [bytes.fromhex(line.decode()) for line in lines if _is_key(line)]
    if any(_sign(session, key) == mark for key in _boot_keys[folder]):
        return True
    key = _boot_key()
    if not key or _sign(session, key) != mark:
        return False
    if has_key:
        _keep_boot_key(folder, key)
    return True


def _is_key(line: bytes) -> bool:
    return len(line) == 2 * KEY_BYTES and not line.strip(b"0123456789abcdef")


def _keep_boot_key(folder: str, key: bytes) -> None:
    try:
        files.append_line(os.path.join(folder, "boot-keys"), key.hex().encode())
    except OSError:
        return  # the next process that meets such a record does it
    _boot_keys[folder].append(key)


def _boot_key() -> bytes:
    """Return this user's key of the running boot, b"" where the system has no boot id."""
    boot = files.read(BOOT_ID, 64).strip()
    user = getattr(os, "getuid", int)()
    return bytes.fromhex(_blake(b"belay boot key %d" % user, boot, KEY_BYTES)) if boot else b""


def _sign(name: str, key: bytes) -> str:
    return _blake(name.encode("utf-8", "replace"), key) if key else ""


def make_signer(environ: Mapping[str, str]) -> Callable[[str], str] | None:
    """Return what marks many names, the key read once; None where no key can be kept."""
    key = _key(os.path.join(paths.data_home(environ), "key"))
    if not key:
        return None
    keyed = _start_blake(key, 8)

    def sign(name: str) -> str:
        mark = keyed.copy()
        mark.update(name.encode("utf-8", "surrogatepass"))
        return mark.hexdigest()

    return sign


def make_user_number(environ: Mapping[str, str]) -> int:
    """Return this user's number, 1 to 2^31 - 1, for what has room for no more; 0 where no key can be kept."""
    return int(sign_name(environ, "application")[:8] or "0", 16) & 0x7FFFFFFF


def _blake(data: bytes, key: bytes, size: int = 8) -> str:
    mark = _start_blake(key, size)
    mark.update(data)
    return mark.hexdigest()


def _start_blake(key: bytes, size: int) -> blake2b:
    try:
        from _blake2 import blake2b  # hashlib's import alone costs a fifth of a bare interpreter
    except ImportError:
        from hashlib import blake2b
    return blake2b(key=key, digest_size=size)


def _key(path: str) -> bytes:
    key = files.read(path, KEY_BYTES)
    return key if len(key) == KEY_BYTES else _make(path)


def _make(path: str) -> bytes:
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        files.make_folder(os.path.dirname(path))
        files.create(beside)
        files.write(beside, os.urandom(KEY_BYTES))
        _publish(beside, path)
    except OSError:
        files.remove(beside)
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
        if not os.path.lexists(path):
            files.replace(beside, path)
            return
    os.unlink(beside)


def is_plain_name(name: str) -> bool:
    """Whether a name of a branch or a path holds short words alone, so that no part of it was made by a machine.

    Made are 16 letters without a sign between them, 8 with a digit, or capitals among small letters: a vendor's
    shortest tokens have more, and where signs cut a token into short words, their letters are mixed.
    """
    parts = name.translate(_JOINTS)
    if name and (" " in name or not name.isascii() or not parts.replace(" ", "").isalnum()):
        return False
    return not any(_is_made(part) for part in parts.split())


def _is_made(part: str) -> bool:
    is_long = len(part) >= _MADE and (len(part) >= 2 * _MADE or not part.isalpha())
    return is_long or part not in (part.lower(), part.upper(), part.capitalize())
