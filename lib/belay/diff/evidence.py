"""What the repository says about a memory, as its health is scored by: paths that are missing, commits, an anchor."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from belay import anchor, clock
from belay.diff import refs
from belay.diff.look import Look, Values, look
from belay.memory import next_step
from belay.memory import refs as names

if TYPE_CHECKING:
    from belay.paths import Project


def evidence(
    project: Project | None,
    facts: Values,
    environ: Mapping[str, str],
    diff: Values | None = None,
    path: str = "",
) -> Values:
    """Return {"repo", "today", "commits", "checked", "missing": [{"line", "path", "renamed"}], "anchored"}.

    `path` is the memory file, MEMORY.md by default; a path that it names is tried from its folder and from the
    root. Outside of every repository nothing can be checked. A diff that is at hand saves counting again.
    """
    if project is None or not project.git_dir:
        return {"repo": False, "today": clock.local_date(), "commits": 0, "checked": 0, "missing": [],
                "anchored": _anchored(project, facts)}  # fmt: skip
    found = look(project, facts, path)
    return {
        "repo": True,
        "today": clock.local_date(),
        "commits": len(diff["commits"] if diff else found.commits),
        "checked": sum(len(lines) for lines in refs.named(found).values()),
        "missing": _missing(found),
        "anchored": _anchored(project, facts),
    }


def _missing(found: Look) -> list[Values]:
    rows = [
        {"line": line, "path": one.path, "renamed": one.new}
        for one in refs.missing(found)
        for line in one.lines
    ]
    return sorted(rows, key=lambda row: (row["line"], row["path"]))


def _anchored(project: Project | None, facts: Values) -> bool:
    """Whether the next step names something that exists; a folder that is no project is not searched for it."""
    step = next_step.of(facts).text
    if not step or project is None:
        return False
    if project.git_dir or os.path.isdir(project.store):
        return bool(anchor.found(step, project))
    return any(os.path.lexists(project.at(ref.path)) for ref in names.in_text(step))
