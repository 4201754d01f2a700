"""A search of the shared memory beside the local one: begun before it, waited for after it, at most a second.

`begin` returns at once; `finish` returns hits and one line where there are none to be had. Nothing here raises for
what a server does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BadInput
from belay.knowledge.sync import hits, place, question, server

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.core import paths
    from belay.knowledge.sync.hits import SharedHit
    from belay.knowledge.sync.question import Wanted


class Shared(NamedTuple):
    """What the shared memory answered: where it is, this project's name there, its hits, the best first, and one line
    about what went wrong.
    """

    where: str
    project: str
    hits: list[SharedHit]
    note: str = ""


class Search(NamedTuple):
    """A search under way."""

    where: str
    project: str
    wanted: Wanted
    asking: server.Asking | None
    environ: Mapping[str, str]
    note: str = ""


def begin(project: paths.Project | None, environ: Mapping[str, str], wanted: Wanted) -> Search:
    """Ask the server of the settings. Without one the search is over at once, with a line that says so."""
    try:
        there = place.find_place(project, environ)
    except BadInput:
        note = "The shared memory was not asked: no server is named; the setting `qdrant` names it."
        return Search("", "", wanted, None, environ, note)
    asked = question.make_question(wanted, environ)
    if not asked:
        note = f"The shared memory at {there.shown} was not asked: there is no word in the query to search for."
        return Search(there.shown, there.project, wanted, None, environ, note)
    return Search(there.shown, there.project, wanted, server.Asking(there.where, asked, environ), environ)


def finish(search: Search, local: Iterable[Mapping[str, object]] = ()) -> Shared:
    """Return the hits that came in time, without those that the rows of the `local` answer show already."""
    known = {row.get("id") or (row.get("path"), row.get("start")) for row in local}
    found = _wait(search)
    news = [hit for hit in found.hits if hit.project != found.project or (hit.id or (hit.path, hit.start)) not in known]
    return found._replace(hits=news)


def _wait(search: Search) -> Shared:
    if search.asking is None:
        return Shared(search.where, search.project, [], search.note)
    reply = search.asking.wait()
    note = f"The shared memory at {search.where} {reply.why}; the local results stand." if reply.why else ""
    return Shared(search.where, search.project, hits.make_hits(reply.points, search.environ, search.wanted.text), note)
