"""Finds Belay's own modules for the hooks: each one's compiled file, where it was made from the source as it is.

The interpreter's own finder lists the folder, joins paths and makes a dozen objects for each module: 150 µs against 80.
For the 40 modules of a prompt this is a third of a bare start (docs/decisions/003-standard-library-hooks.md). What is
not the usual case is left to that finder, which also compiles what has changed.
"""

import marshal
import os
import sys
from _frozen_importlib_external import MAGIC_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

ROOT = "belay"
_HEADER = 16
"""Bytes before the code: the format's magic number, flags, and the source's time and size (PEP 552)."""
_TAG = f".{sys.implementation.cache_tag}.pyc"
_TIMED = bytes(4)
"""The flags of a file that is checked by time and size."""


def install() -> None:
    """Ask this finder first from now on."""
    if not sys.flags.optimize:
        sys.meta_path.insert(0, sys.modules[__name__])


def find_spec(
    name: str, path: "Sequence[str] | None" = None, _target: "ModuleType | None" = None
) -> "ModuleSpec | None":
    """Return the place and the code of a module of Belay's; None for others and without a fresh compiled file."""
    if name.partition(".")[0] != ROOT or sys.pycache_prefix is not None:
        return None
    folder = path[0] if path else os.path.dirname(__file__)
    stem = name.rpartition(".")[2]
    return _read_spec(name, folder, stem) or _read_spec(name, f"{folder}/{stem}", "__init__")


def _read_spec(name: str, folder: str, stem: str) -> "ModuleSpec | None":
    source, compiled = f"{folder}/{stem}.py", f"{folder}/__pycache__/{stem}{_TAG}"
    code = _read_code(source, compiled)
    if code is None:
        return None
    spec = type(__spec__)(name, sys.modules[__name__], origin=source, loader_state=code)  # type: ignore[arg-type]
    spec.cached, spec.has_location = compiled, True
    if stem == "__init__":
        spec.submodule_search_locations = [folder]
    return spec


def _read_code(source: str, compiled: str) -> object:
    """Return a module's code; None without a compiled file of this very source.

    Raises EOFError, ValueError or TypeError where a full disk cut it off, as the interpreter's own finder does.
    """
    try:
        handle = os.open(compiled, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        data = os.read(handle, os.fstat(handle).st_size)
        facts = os.stat(source)
    except OSError:
        return None
    finally:
        os.close(handle)
    made = (int(facts.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little") + (facts.st_size & 0xFFFFFFFF).to_bytes(4, "little")
    if data[:_HEADER] != MAGIC_NUMBER + _TIMED + made:
        return None
    return marshal.loads(memoryview(data)[_HEADER:])


def create_module(_spec: "ModuleSpec") -> None:
    """Leave the making of the module to the interpreter."""


def exec_module(module: "ModuleType") -> None:
    """Run a module's code in it."""
    exec(module.__spec__.loader_state, module.__dict__)  # type: ignore[union-attr]
