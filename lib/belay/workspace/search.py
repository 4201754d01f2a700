"""One search over the knowledge bases of several projects; each hit says which project it is of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.knowledge.search import search
from belay.knowledge.store.store import Store
from belay.knowledge.vectors import static_vectors
from belay.repository import database_location
from belay.workspace import registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.knowledge.search.search import Hit
    from belay.knowledge.store.tables.workspace_rows import ProjectRow


class ProjectHit(NamedTuple):
    """What was found, and the project that holds it."""

    project: ProjectRow
    hit: Hit


class Answer(NamedTuple):
    """The hits, the best first; how many projects were searched; (project, why) of those that could not be."""

    hits: list[ProjectHit]
    searched: int
    left_out: list[tuple[ProjectRow, str]]


def search_projects(
    environ: Mapping[str, str], rows: Sequence[ProjectRow], query: str, *, most: int, types: Sequence[str] = ()
) -> Answer:
    """Search the knowledge base of each project; a project without one has nothing to say.

    Scores are shares of what the best conceivable text would have (docs/search.md), so those of several bases compare.
    """
    hits: list[ProjectHit] = []
    searched, left_out = 0, []
    for row in rows:
        try:
            found = _search_project(environ, row, query, most, types)
        except (BelayError, OSError) as error:
            left_out.append((row, error.what if isinstance(error, BelayError) else str(error.strerror)))
            continue
        searched += found is not None
        hits += [ProjectHit(row, hit) for hit in found or ()]
    hits.sort(key=lambda one: -one.hit.score)
    return Answer(hits[:most], searched, left_out)


def _search_project(
    environ: Mapping[str, str], row: ProjectRow, query: str, most: int, types: Sequence[str]
) -> list[Hit] | None:
    """Return what a project's own base answers, None where it has none; the caller's variables name another's base."""
    if registry.is_gone(row):
        raise BelayError(row["home"], "its folder is gone", "belay workspace forget --gone")
    own = {name: value for name, value in environ.items() if name not in database_location.VARIABLES}
    place = database_location.choose(row["home"], own)
    if not os.path.exists(place.path):
        return None
    with Store(place.path, own) as store:
        return search.search(store, query, k=most, types=types, near=static_vectors.load_model(store)).results
