"""All memory files of a project as a tree: how large each is, when it changed, and what the check finds in it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.core.text import tokens
from belay.places import hierarchy as tree
from belay.places.checks import check
from belay.places.checks.findings import SHARED
from belay.repository.git import history

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.hierarchy import Hierarchy, MemoryPlace

MOST_ASKED = 40
"""Files whose last change is asked for one by one: those that the newest commits did not touch."""


class MapRow(NamedTuple):
    """A memory file in the tree: its depth, tokens and lines, the day of its last commit, and its findings by kind."""

    path: str
    line: int
    why: str
    depth: int
    tokens: int
    lines: int
    changed: str
    findings: int
    kinds: list[str]
    owner: str


def read_map(project: Project, hierarchy: Hierarchy) -> list[MapRow]:
    """Return the memory files from the root down, those of others behind them."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for found in check.check(project).findings:
        if found.kind != SHARED:
            kinds[found.path].append(found.kind)
    dates = _read_dates(project, [place.path for place in hierarchy.places])
    rows = [_make_row(hierarchy, place, dates, kinds[place.path]) for place in _sort(hierarchy.places)]
    return rows + [_make_row(hierarchy, place, {}, []) for place in hierarchy.foreign]


def _sort(places: list[MemoryPlace]) -> list[MemoryPlace]:
    """Return the places as a tree: a folder's memory before those below it."""
    return sorted(places, key=lambda place: (bool(place.folder), place.folder.split("/"), place.level != tree.ROOT))


def _make_row(hierarchy: Hierarchy, place: MemoryPlace, dates: dict[str, str], kinds: list[str]) -> MapRow:
    text = tree.read_text(hierarchy.root, place.path)
    above = {one.folder for one in hierarchy.places if one.folder and one.path != place.path}
    depth = sum(tree.is_within(place.folder, folder) for folder in above) + (place.level != tree.ROOT)
    return MapRow(
        place.path, 1, place.owner or place.level, depth, tokens.estimate(text), len(text.splitlines()),
        dates.get(place.path, ""), len(kinds), sorted(set(kinds)), place.owner,
    )  # fmt: skip


def _read_dates(project: Project, paths: list[str]) -> dict[str, str]:
    """Return path → the day of its last commit; "" for one that git does not know."""
    if not project.git_dir:
        return {}
    dates: dict[str, str] = {}
    try:
        for commit in history.read_commits(project.root):
            for file in commit.files:
                dates.setdefault(file.path, commit.time[:10])
        for path in [path for path in paths if path not in dates][:MOST_ASKED]:
            dates[path] = history.find_change_date(project.root, path)
    except BelayError:
        pass
    return dates
