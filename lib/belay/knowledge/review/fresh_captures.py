"""Which journals have captures that were not looked at yet: read off their sizes, and off what was appended.

Every reader of the knowledge base asks, so that this costs one look at a folder where nothing changed.
"""

from __future__ import annotations

import os

from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

LEDGER = "ledger"
_CAPTURE = b'"kind":"capture"'
_OVERLAP = len(_CAPTURE)
"""Bytes before the last place that are read again: the record there may have been half written."""


def measure(project: Project) -> dict[str, int]:
    """Return the size in bytes of each segment of the sessions' journals, by the file's name."""
    sizes = {}
    for name in files.list_names(project.journals):
        if name.endswith(".jsonl") and name.split(".", 1)[0] != LEDGER:
            try:
                sizes[name] = os.stat(os.path.join(project.journals, name)).st_size
            except OSError:
                continue
    return sizes


def load_sizes(project: Project) -> dict[str, int] | None:
    """Return the sizes up to which captures were taken in, None where that never happened."""
    try:
        sizes = json_codec.loads(files.read(_path(project), FILE_BYTES).decode("utf-8", "replace"))
    except ValueError:
        return None
    return sizes if isinstance(sizes, dict) else None


def save_sizes(project: Project, sizes: Mapping[str, int]) -> None:
    """Note up to where captures were taken in. The note may be lost: no capture becomes an entry twice."""
    files.write(_path(project), json_codec.encode(sizes), sync=False)


def find_sessions(project: Project, sizes: Mapping[str, int], before: Mapping[str, int]) -> list[str]:
    """Return the sessions in whose journals captures were appended since `before`."""
    changed = (name for name in sizes if sizes[name] != before.get(name))
    found = (name for name in changed if _has_capture(project, name, before.get(name, 0)))
    return list(dict.fromkeys(name.split(".", 1)[0] for name in found))


def _has_capture(project: Project, name: str, offset: int) -> bool:
    return _CAPTURE in files.read_from(os.path.join(project.journals, name), max(0, offset - _OVERLAP))


def has_news(project: Project) -> bool:
    """Whether some journal has captures that were not taken in; where it has none, the new sizes are noted."""
    sizes, before = measure(project), load_sizes(project)
    if sizes == (before or {}):
        return False
    if before is None or find_sessions(project, sizes, before):
        return True
    save_sizes(project, sizes)
    return False


def _path(project: Project) -> str:
    return os.path.join(project.states, "heard.json")
