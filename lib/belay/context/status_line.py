"""The text of the status line, and the file with the client's figures for hooks, the mirror (HOST §5.2, §6)."""

from __future__ import annotations

import os
import time

from belay.budget import learned_limits
from belay.budget import usage as budget_usage
from belay.client import settings_files
from belay.client.status_input import Status
from belay.core import files as core_files
from belay.core import json_codec, paths
from belay.core.constants import FILE_BYTES
from belay.memory.health import cached_score
from belay.repository import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypedDict

    from belay.budget.usage import Budget

    class Fields(TypedDict):
        """What the status line shows; None is unknown."""

        percent: float | None
        used: int | None
        limit: int | None
        branch: str | None
        captures_open: int
        health: int | None


CELLS = 10
MIRROR_DAYS = 7.0
"""Days after which the mirror of a session is removed."""
_NAME_CHARS = 40


def gather_fields(status: Status, environ: Mapping[str, str]) -> Fields:
    """Return what the line shows."""
    project = _project(status, environ)
    budget = _budget(status, environ, project.root if project else "")
    state = _json(project.state(status.session)) if project else {}
    branch = projects.branch_and_commit(project)[0] if project else ""
    return {
        "percent": budget.percent if budget else None,
        "used": budget.used if budget else None,
        "limit": budget.limit if budget else None,
        "branch": branch or None,
        "captures_open": _count_open_captures(state),
        "health": (cached_score.read_score(project) or None) if project else None,
    }


def render_line(fields: Fields) -> str:
    """Return the line that people see: bar, branch, open captures, memory health; never empty."""
    parts = [_bar(fields["percent"], fields["limit"])]
    if fields["branch"]:
        parts.append(_printable(fields["branch"]))
    if fields["captures_open"]:
        parts.append(f"{fields['captures_open']} open")
    if fields["health"]:
        parts.append(f"memory health {fields['health']}/10")
    return " · ".join(parts)


def save_mirror(status: Status, environ: Mapping[str, str]) -> bool:
    """Save the client's figures where hooks find them; return whether that was possible."""
    path = paths.mirror(environ, status.session)
    figures = {
        "session": status.session, "moment": time.time(), "model": status.model, "tokens": status.tokens,
        "window": status.window,
    }  # fmt: skip
    try:
        if not os.path.exists(path):
            _sweep(os.path.dirname(path))
        core_files.write(path, json_codec.encode(figures), sync=False)
    except OSError:
        return False
    return True


def _sweep(folder: str) -> None:
    if not os.path.isdir(folder):
        return
    for row in os.scandir(folder):
        if row.is_file() and row.stat().st_mtime < time.time() - MIRROR_DAYS * 86400:
            os.unlink(row.path)


def _budget(status: Status, environ: Mapping[str, str], root: str) -> Budget | None:
    if not status.tokens:
        return None
    settings = settings_files.load_settings(environ, root)
    learned, seen = learned_limits.load_limits(environ, status.model)
    return budget_usage.measure(
        status.tokens, status.model, environ, settings, seen, learned, status.window, "statusline"
    )


def _bar(percent: float | None, limit: int | None) -> str:
    if percent is None or limit is None:
        return "belay"
    filled = min(CELLS, int(percent / 100 * CELLS + 0.5))
    size = f"{limit / 1000:.0f}k" if limit < 1_000_000 else f"{limit / 1_000_000:g}M"
    return f"belay {'█' * filled}{'░' * (CELLS - filled)} {percent:.0f} % of {size}"


def _project(status: Status, environ: Mapping[str, str]) -> paths.Project | None:
    if not status.cwd or "\0" in status.cwd or not os.path.isdir(status.cwd):
        return None
    return projects.find(status.cwd, environ)


def _count_open_captures(state: dict[str, object]) -> int:
    """Return how many captures are open by the session's saved state, of any version."""
    count, rows = state.get("captures_open"), state.get("captures")
    if isinstance(count, int):
        return _count(count)
    return len(rows) if isinstance(rows, (dict, list)) else 0


def _printable(text: str) -> str:
    """Return a hostile name as printable text of bounded length."""
    from belay.core.text.invisible import drop_invisible

    shown = "".join(char for char in drop_invisible(text) if char.isprintable())
    return shown if len(shown) <= _NAME_CHARS else shown[: _NAME_CHARS - 1] + "…"


def _json(path: str) -> dict[str, object]:
    if not os.path.isfile(path):
        return {}
    try:
        return _table(json_codec.loads(core_files.read(path, FILE_BYTES).decode("utf-8", "replace")))
    except ValueError:
        return {}


def _table(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if type(value) is int and 0 < value < 1 << 40 else 0
