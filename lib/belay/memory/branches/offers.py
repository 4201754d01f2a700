"""Offer, when a session starts, to fold overlays whose branch is merged.

Looked up once for each commit and state of the overlays; until one of them changes no process is asked.
"""

from __future__ import annotations

import os
import shlex
import time
from typing import TYPE_CHECKING, Any

from belay.client import processes
from belay.core import files as core_files
from belay.core import json_codec, signatures
from belay.core.errors import BelayError
from belay.memory.branches import overlay
from belay.repository import projects
from belay.safety import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

CACHE = "folds.json"
MOST = 3


PAUSE = 0.002
"""Seconds between two looks for an answer that another process writes down."""


def find_offers(project: Project, environ: Mapping[str, str]) -> list[dict[str, str]]:
    """Return {branch, how, command} of overlays that can be folded into the checked-out trunk, at most three.

    None elsewhere than on the trunk; none, and asked again next time, where git does not answer.
    """
    return OfferLookup(project, environ, here=True).answer(0)


class OfferLookup:
    """The offers, looked up in a process of its own while a session starts: a long history may take its time.

    What was not found in time is noted when it is, and offered by the next start. `here` looks it up at once.
    """

    __slots__ = ("environ", "found", "key", "project")

    def __init__(self, project: Project, environ: Mapping[str, str], here: bool = False) -> None:
        self.project, self.environ = project, environ
        branch, head = projects.branch_and_commit(project)
        key = _cache_key(project, head) if head and branch else ""
        self.key = key if key and branch == overlay.find_trunk(project) else ""
        self.found = _read_cached(project, environ, self.key) if self.key else []
        if self.found is None and (here or not os.path.isdir(project.states) or not processes.run_detached(self._look)):
            self.found = _look_up(project, environ, self.key)

    def _look(self) -> None:
        _look_up(self.project, self.environ, self.key)

    def answer(self, seconds: float) -> list[dict[str, str]]:
        """Return the offers, waiting for so many seconds at most; none where the answer takes longer."""
        until = time.monotonic() + seconds
        while self.found is None and time.monotonic() < until:
            time.sleep(PAUSE)
            self.found = _read_cached(self.project, self.environ, self.key)
        return self.found or []


def _cache_key(project: Project, head: str) -> str:
    """Return what the answer depends on: the commit, and every overlay's name and text; "" without overlays."""
    try:
        names = sorted(name for name in os.listdir(project.overlays) if name.endswith(".md"))[: overlay.MOST]
    except OSError:
        return ""
    rows = [name + trust.digest(core_files.read(os.path.join(project.overlays, name))) for name in names]
    return trust.digest("\n".join([head, *rows]).encode("utf-8", "surrogateescape")) if rows else ""


def _cache_path(project: Project) -> str:
    return project.stored("state", CACHE)


def _sign_key(project: Project, environ: Mapping[str, str], key: str) -> str:
    return signatures.sign_name(environ, f"folds {project.root} {key}")


def _read_cached(project: Project, environ: Mapping[str, str], key: str) -> list[dict[str, str]] | None:
    """Return the answer that was noted for this state by this user, None where there is none."""
    try:
        noted: Any = json_codec.loads(core_files.read(_cache_path(project)).decode("utf-8", "replace"))
    except ValueError:
        return None
    own = isinstance(noted, dict) and noted.get("mark") and noted["mark"] == _sign_key(project, environ, key)
    return list(noted["offers"]) if own and isinstance(noted.get("offers"), list) else None


def _look_up(project: Project, environ: Mapping[str, str], key: str) -> list[dict[str, str]]:
    from belay.memory.branches import fold

    try:
        ready = fold.find_foldable(project)
    except BelayError:
        return []
    offers = [
        {"branch": fold.clean_name(name), "how": how, "command": f"belay branch fold {shlex.quote(name)}"}
        for name, how in list(ready.items())[:MOST]
    ]
    if os.path.isdir(project.states):
        try:
            noted = {"mark": _sign_key(project, environ, key), "offers": offers}
            core_files.write(_cache_path(project), json_codec.encode(noted), sync=False)
        except OSError:
            pass  # asked again next time
    return offers
