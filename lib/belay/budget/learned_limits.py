"""What this machine learned of the real limits: sizes of observed compactions, and sizes that went through.

One small JSON file in the user's own folder: {key: {"limits": [tokens…], "seen": tokens, "last": time}}.
"""

from __future__ import annotations

import os

from belay.core import files, json_codec, paths
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypedDict

    class Row(TypedDict):
        """What is known of a model: sizes of its last compactions, the largest size since, the last one's time."""

        limits: list[int]
        seen: int
        last: str


KEPT = 3
"""Observed compactions kept of a model; the smallest counts, for one answer can jump far past the limit."""
_MODEL_CHARS = 80
_MOVED_BY = ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")


def load_limits(environ: Mapping[str, str], model: str) -> tuple[int, int]:
    """Return (smallest size of the last automatic compactions, largest that went through since); 0: none."""
    row = _parse_row(_load(environ), _key(environ, model))
    return min(row["limits"], default=0), row["seen"]


def record_compaction(environ: Mapping[str, str], model: str, tokens: int, time: str = "") -> bool:
    """Keep the size at which an automatic compaction came, each `time` once; return whether it was written."""

    def change(row: Row) -> bool:
        if tokens <= 0 or (time and time == row["last"]):
            return False
        row.update({"limits": [*row["limits"], tokens][-KEPT:], "seen": 0, "last": time})
        return True

    return _change(environ, model, change)


def record_size(environ: Mapping[str, str], model: str, tokens: int) -> bool:
    """Keep that a context of this size went through without compaction; return whether it was written."""

    def change(row: Row) -> bool:
        if tokens <= row["seen"]:
            return False
        row["seen"] = tokens
        return True

    return _change(environ, model, change)


def _change(environ: Mapping[str, str], model: str, change: Callable[[Row], bool]) -> bool:
    from belay.core.errors import LockTimeout
    from belay.core.lock import hold

    path = paths.limits_file(environ)
    try:
        with hold(path + ".lock"):
            rows, key = _load(environ), _key(environ, model)
            row = _parse_row(rows, key)
            if not change(row):
                return False
            files.write(path, json_codec.encode({**rows, key: row}), sync=False)
    except (OSError, LockTimeout):
        return False
    return True


def _load(environ: Mapping[str, str]) -> dict[str, object]:
    path = paths.limits_file(environ)
    if not os.path.isfile(path):
        return {}
    try:
        rows = json_codec.loads(files.read(path, FILE_BYTES).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return rows if isinstance(rows, dict) else {}


def _parse_row(rows: dict[str, object], key: str) -> Row:
    value = rows.get(key)
    row: dict[str, Any] = value if isinstance(value, dict) else {}
    sizes = row.get("limits")
    kept = [size for size in sizes if type(size) is int and size > 0] if isinstance(sizes, list) else []
    seen = row.get("seen")
    last = row.get("last")
    return {
        "limits": kept,
        "seen": seen if type(seen) is int and seen > 0 else 0,
        "last": last if isinstance(last, str) else "",
    }


def _key(environ: Mapping[str, str], model: str) -> str:
    """Return the model with what moves its compaction: a limit learned under one setting is not another's."""
    moved = [environ[name] for name in _MOVED_BY if environ.get(name)]
    return " ".join([model[:_MODEL_CHARS], *(value[:20] for value in moved)])
