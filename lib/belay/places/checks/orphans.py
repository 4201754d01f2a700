"""Feature memory whose code is gone, and where that code went."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.places import hierarchy as tree
from belay.places.checks.findings import ORPHAN, Finding
from belay.repository.git import history

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.hierarchy import Hierarchy, MemoryPlace
    from belay.repository.git.history import Commit

HALF = 0.5
"""Share of a folder's renamed files that went to one folder, for that to be its new place."""


def find_orphans(hierarchy: Hierarchy) -> Iterator[Finding]:
    """Yield the memories of folders that hold nothing but memory files."""
    lonely = [place for place in hierarchy.places if place.folder and not _has_company(hierarchy, place)]
    if not lonely:
        return
    try:
        commits = history.read_commits(hierarchy.root)
    except BelayError:
        commits = []
    for place in lonely:
        found = _explain(hierarchy, place, commits)
        if found:
            yield found


def _has_company(hierarchy: Hierarchy, place: MemoryPlace) -> bool:
    inside = (name for name in hierarchy.names if tree.is_within(name, place.folder))
    return any(name.rpartition("/")[2] != tree.NAME for name in inside)


def _explain(hierarchy: Hierarchy, place: MemoryPlace, commits: list[Commit]) -> Finding | None:
    """Return the finding for a memory without code; None where there never was any: it may be written first."""
    prefix = place.folder + "/"
    moves = [(file.old, file.path) for commit in commits for file in commit.files if file.old.startswith(prefix)]
    moves = [(old, new) for old, new in moves if not new.startswith(prefix)]
    gone = [
        commit.sha
        for commit in commits
        for file in commit.files
        if file.status in ("D", "R") and (file.old or file.path).startswith(prefix)
        if not (file.old or file.path).endswith("/" + tree.NAME)
    ]
    if not gone:
        return None
    new = _find_new_place(hierarchy, prefix, moves)
    if not new:
        why = f"speaks of {shown(place.folder)}, whose code was deleted in {gone[0][:9]}"
        return Finding(place.path, 1, ORPHAN, why, advice="delete it, or move what still holds upward")
    target = f"{new}/{tree.NAME}"
    why = f"speaks of {shown(place.folder)}, which is {shown(new)} since {gone[0][:9]}"
    if target in hierarchy.names:
        return Finding(place.path, 1, ORPHAN, why, advice=f"fold it into {shown(target)}", other=f"{target}:1")
    fix = f"git mv {shlex.quote(place.path)} {shlex.quote(target)}"
    return Finding(place.path, 1, ORPHAN, why, advice=f"move it to {shown(target)}", fix=fix)


def _find_new_place(hierarchy: Hierarchy, prefix: str, moves: list[tuple[str, str]]) -> str:
    """Return the folder to which most of a folder's renamed files went and that is there."""
    places: Counter[str] = Counter()
    for old, new in moves:
        inner = old[len(prefix) :]
        places[new[: -len(inner)].rstrip("/") if new.endswith("/" + inner) else new.rpartition("/")[0]] += 1
    best, count = places.most_common(1)[0] if places else ("", 0)
    is_there = any(name.startswith(best + "/") for name in hierarchy.names)
    return best if best and is_there and count >= HALF * len(moves) else ""
