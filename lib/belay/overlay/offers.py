"""What is offered when a session starts: overlays whose branch is merged by now.

Looked up once for each commit and state of the overlays; until one of them changes no process is asked.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from belay import atomic, codec, mark, trust
from belay.errors import BelayError
from belay.git import files
from belay.overlay import where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.paths import Project

CACHE = "folds.json"
MOST = 3


def offers(project: Project, environ: Mapping[str, str]) -> list[dict[str, str]]:
    """Return {branch, how, command} of overlays that can be folded into the checked-out trunk, at most three.

    None elsewhere than on the trunk; none, and asked again next time, where git does not answer.
    """
    branch, head = files.head(project.git_dir, project.common_dir) if project.git_dir else ("", "")
    key = _key(project, head) if head and branch else ""
    if not key or branch != where.trunk(project):
        return []
    seen = _seen(project, environ, key)
    return seen if seen is not None else _looked(project, environ, key)


def _key(project: Project, head: str) -> str:
    """Return what the answer depends on: the commit, and every overlay's name and text; "" without overlays."""
    try:
        names = sorted(name for name in os.listdir(project.overlays) if name.endswith(".md"))[: where.MOST]
    except OSError:
        return ""
    rows = [name + trust.digest(atomic.read(os.path.join(project.overlays, name))) for name in names]
    return trust.digest("\n".join([head, *rows]).encode("utf-8", "surrogateescape")) if rows else ""


def _cache(project: Project) -> str:
    return project.stored("state", CACHE)


def _mark(project: Project, environ: Mapping[str, str], key: str) -> str:
    return mark.of(environ, f"folds {project.root} {key}")


def _seen(project: Project, environ: Mapping[str, str], key: str) -> list[dict[str, str]] | None:
    """Return the answer that was noted for this state by this user, None where there is none."""
    try:
        noted: Any = codec.loads(atomic.read(_cache(project)).decode("utf-8", "replace"))
    except ValueError:
        return None
    own = isinstance(noted, dict) and noted.get("mark") and noted["mark"] == _mark(project, environ, key)
    return list(noted["offers"]) if own and isinstance(noted.get("offers"), list) else None


def _looked(project: Project, environ: Mapping[str, str], key: str) -> list[dict[str, str]]:
    from belay.overlay import fold

    try:
        ready = fold.ready(project)
    except BelayError:
        return []
    found = [
        {"branch": fold.shown(name), "how": how, "command": f"belay branch fold {shlex.quote(name)}"}
        for name, how in list(ready.items())[:MOST]
    ]
    if os.path.isdir(project.states):
        try:
            noted = {"mark": _mark(project, environ, key), "offers": found}
            atomic.write(_cache(project), codec.encode(noted), sync=False)
        except OSError:
            pass  # asked again next time
    return found
