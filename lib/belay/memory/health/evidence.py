"""Gather what the repository says about a memory, for its health: missing paths, commits, the next step's target."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import clock
from belay.core.errors import BelayError
from belay.memory import next_step_target, reviews
from belay.memory.document import next_step
from belay.memory.document import path_references as names
from belay.memory.drift import missing_paths
from belay.memory.drift.changes import Comparison, compare_memory
from belay.memory.health import claims

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.drift.diff_types import Diff
    from belay.memory.health.health_types import Evidence, MissingPath
    from belay.memory.memory_facts import Facts


def gather_evidence(
    project: Project | None,
    facts: Facts,
    diff: Diff | None = None,
    path: str = "",
    seen: Comparison | None = None,
) -> Evidence:
    """Return what the repository says of a memory, and what of it is false: see `health_types.Evidence`.

    `path` is the memory file, MEMORY.md by default; a path that it names is tried from its folder and from the
    root. Outside of every repository nothing can be checked. A diff that is at hand saves counting
    again, what was looked at (`seen`) asking git.
    """
    if project is None or not project.git_dir:
        return {"repo": False, "today": clock.local_date(), "commits": 0, "checked": 0, "missing": [],
                "anchored": _is_anchored(project, facts)}  # fmt: skip
    comparison = seen or compare_memory(project, facts, path)
    missing, unseen = _find_missing(comparison)
    false, foreign = claims.find_false_claims(comparison, diff["conflicts"] if diff else None, path)
    return {
        "repo": True,
        "today": clock.local_date(),
        "reviewed": reviews.find_last_review(project, os.environ, facts, path),
        "commits": len(diff["commits"] if diff else comparison.commits),
        "more": bool(diff.get("truncated")) if diff else comparison.truncated,
        "checked": sum(len(lines) for lines in missing_paths.find_named_paths(comparison).values()) - unseen,
        "missing": missing,
        "anchored": _is_anchored(project, facts),
        "false": false,
        "foreign": foreign,
    }


def find_renames(project: Project, facts: Facts) -> dict[str, str]:
    """Return old → new path of what a memory names and git knows to be renamed."""
    return {row["path"]: row["renamed"] for row in _find_missing(compare_memory(project, facts))[0] if row["renamed"]}


def _find_missing(comparison: Comparison) -> tuple[list[MissingPath], int]:
    """Return the missing paths, one row a line, and how many lines name what git ignores: that comes and goes."""
    gone = missing_paths.find_missing(comparison)
    ignored = _find_ignored(comparison, [missing.path for missing in gone if not missing.how])
    rows: list[MissingPath] = [
        {"line": line, "path": missing.path, "renamed": missing.new}
        for missing in gone
        for line in missing.lines
        if missing.path not in ignored
    ]
    unseen = sum(len(missing.lines) for missing in gone if missing.path in ignored)
    return sorted(rows, key=lambda row: (row["line"], row["path"])), unseen


def _find_ignored(comparison: Comparison, names: list[str]) -> set[str]:
    from belay.repository.git import status

    try:
        return status.find_ignored(comparison.project.root, names) if names else set()
    except BelayError:
        return set()


def _is_anchored(project: Project | None, facts: Facts) -> bool:
    """Whether the next step names something that exists; a folder that is no project is not searched for it."""
    step = next_step.find_next_step(facts).text
    if not step or project is None:
        return False
    if project.git_dir or os.path.isdir(project.store):
        return bool(next_step_target.find_target(step, project))
    return any(os.path.lexists(project.at(ref.path)) for ref in names.find_paths_in_line(step))
