"""Why a build failed and how to fix it, in one line: pip's and venv's own words in, a BelayError out."""

from __future__ import annotations

import errno
import os
import sys

from belay.core import environment
from belay.core.errors import BelayError

MEGABYTES = 80
"""What a complete environment takes, with room for the download."""

WHERE = "set-up"
_AGAIN = "then run: belay setup"
_CHECK_INDEX = f"check the index in your pip settings, {_AGAIN}"
_NO_WHEEL = "No matching distribution found for "


class SetupFailed(BelayError):
    """The environment could not be built."""


def from_output(text: str, log: str) -> SetupFailed:
    """Return the reason that a failed venv or pip call names in its output."""
    for words, reason in _TABLE:
        if any(word in text for word in words):
            return SetupFailed(WHERE, *reason)
    missing = text.rpartition(_NO_WHEEL)[2].split()
    if _NO_WHEEL in text and missing:
        what = f"the package index has no wheel of {missing[0]} for Python {environment.version()}"
        return SetupFailed(WHERE, f"{what}, and Belay builds no source archive", _CHECK_INDEX)
    errors = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines() or ["no output"]
    return SetupFailed(WHERE, errors[-1].removeprefix("ERROR: ")[:200], f"see {log}, {_AGAIN}")


def from_error(error: OSError, folder: str) -> SetupFailed:
    """Return the reason behind an OSError on the environment's folder."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return no_space()
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR):
        return read_only(folder)
    return SetupFailed(folder, error.strerror or str(error), _AGAIN.removeprefix("then "))


def read_only(folder: str) -> SetupFailed:
    return SetupFailed(folder, "cannot be written", f"make it writable, {_AGAIN}")


def no_space() -> SetupFailed:
    return SetupFailed(WHERE, "the disk is full", f"free {MEGABYTES} MB, {_AGAIN}")


def no_venv() -> SetupFailed:
    return SetupFailed(sys.executable, *_NO_VENV)


def check_ahead(folder: str) -> SetupFailed | None:
    """Return what would make a build fail at once, without starting one."""
    if not _writable(folder):
        return read_only(folder)
    library = os.path.dirname(os.__file__)
    if not all(os.path.isfile(os.path.join(library, name, "__init__.py")) for name in ("venv", "ensurepip")):
        return no_venv()
    return None


def _writable(folder: str) -> bool:
    """Whether the folder, or the nearest one above it that exists, takes new files."""
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


_NO_VENV = (
    "has no venv module with pip",
    f"install it (Debian, Ubuntu: apt install python3-venv), {_AGAIN}",
)
_TABLE = (
    (("No space left on device", "Errno 28"), ("the disk is full", f"free {MEGABYTES} MB, {_AGAIN}")),
    (("Read-only file system", "Permission denied"), ("cannot be written", f"make it writable, {_AGAIN}")),
    (("ensurepip is not", "named ensurepip", "named venv", "named pip"), _NO_VENV),
    (
        ("DO NOT MATCH THE HASHES",),
        ("a downloaded package is not the pinned one", _CHECK_INDEX),
    ),
    (
        ("CERTIFICATE_VERIFY_FAILED", "SSLError"),
        ("the package index's certificate is not trusted", f"check pip's cert setting, {_AGAIN}"),
    ),
    (
        ("NewConnection", "ConnectTimeout", "name resolution", "unreachable", "Connection refused",
         "timed out", "ProxyError", "Connection broken", "ConnectionReset", "Failed to establish"),
        ("offline: the package index cannot be reached", f"go online, {_AGAIN}"),
    ),
)  # fmt: skip
"""Words in the output → (what, mend); the first row that matches counts."""
