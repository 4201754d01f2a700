"""The checks that fail in a work tree, and whether it has changed since they did."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, files
from belay.core.errors import BelayError
from belay.repository import projects
from belay.repository.git import status
from belay.session.evidence import gates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.session.evidence.gates import Gate


_MOST_FILES = 2000


class CurrentCheck(NamedTuple):
    """A check that failed; `changed` says whether the commit or a file is another one since, or git cannot say."""

    gate: Gate
    changed: bool


def list_failing(project: Project, environ: Mapping[str, str]) -> list[CurrentCheck]:
    """Return the checks that fail in this work tree by their last result, the newest first."""
    here = projects.make_label(project.root)
    own = [gate for gate in gates.load_gates(project, environ) if gate["root"] == here]
    return [CurrentCheck(gate, _has_changed(project, gate)) for gate in reversed(gates.find_failing(own))]


def _has_changed(project: Project, gate: Gate) -> bool:
    if not project.git_dir or projects.branch_and_commit(project)[1] != gate["commit"]:
        return True
    try:
        changed = [path for _, path in status.list_uncommitted(project.root) if not project.is_own(path)]
    except BelayError:
        return True
    ended = clock.seconds(gate["time"]) + float(f"0{gate['time'][19:26]}")
    return any(_written_at(project.at(path)) > ended for path in changed)


def _written_at(path: str) -> float:
    """Return when a file, or the newest one of a folder, was last written.

    One that is gone, or a folder with more than 2,000 files, counts as new: nobody knows.
    """
    if not os.path.lexists(path):
        return float("inf")
    inner = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
    newest = files.written_at(path)
    for number, name in enumerate(inner):
        if number == _MOST_FILES:
            return float("inf")
        newest = max(newest, files.written_at(name))
    return newest
