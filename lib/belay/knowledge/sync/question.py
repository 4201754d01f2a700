"""A question to the shared memory as the server takes it: words and word pieces apart, fused by rank (Query API).

What leaves the machine is the numbers of words and a vector, not the text. The same JSON goes to a server over HTTP and
to the client library; https://api.qdrant.tech/api-reference/search/query-points has its form.
"""

from __future__ import annotations

from belay.core import clock
from belay.core.errors import BadCall
from belay.core.plain_text import shown
from belay.core.tuples import NamedTuple
from belay.knowledge.vectors import encoding
from belay.safety.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

MOST = 50
"""Hits that are asked for at most."""
_CANDIDATES = 4
"""How many times as many candidates as hits each of the two searches gives to the fusion."""
_NEAR = 0.45
"""The least cosine of a text that is found by its word pieces. Of 1,384 sentences the nearest to eight questions about
other things had 0.24 to 0.44 (one, about tokens, 0.60); of seven paraphrases five had 0.43 to 0.57 with their text.
"""


class Wanted(NamedTuple):
    """What is wanted of which projects, types and persons, since when; how many. Any of the names of each will do."""

    text: str
    most: int = 8
    projects: Sequence[str] = ()
    types: Sequence[str] = ()
    persons: Sequence[str] = ()
    since: str = ""


def make_question(wanted: Wanted, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the body of the request, {} where the text has no word that could be found."""
    from belay.knowledge.sync import points

    most = max(1, min(wanted.most, MOST))
    conditions = make_conditions(wanted)
    text = redact(wanted.text)
    indices, values = points.count_words(text)
    branches = [_branch(points.WORDS, {"indices": indices, "values": values}, most, conditions)] if indices else []
    encoder = encoding.load_encoder(environ)
    vector = encoder.encode(text) if encoder and encoder.knows(text) else b""
    if encoder and len(vector) == encoding.DIMS:
        same_table = {"key": "table", "match": {"value": encoder.table.identity}}
        near = _branch(points.PIECES, list(map(float, encoding.unpack(vector))), most, [*conditions, same_table])
        branches.append({**near, "score_threshold": _NEAR})
    if not branches:
        return {}
    return {"prefetch": branches, "query": {"fusion": "rrf"}, "limit": most, "with_payload": True}


def _branch(name: str, vector: object, most: int, conditions: list[dict[str, Any]]) -> dict[str, Any]:
    branch = {"query": vector, "using": name, "limit": _CANDIDATES * most}
    return {**branch, "filter": {"must": conditions}} if conditions else branch


def make_conditions(wanted: Wanted) -> list[dict[str, Any]]:
    """Return the filter of a question: all of its conditions must hold. BadCall for a date that is none."""
    projects = [name.lower().strip("/") for name in wanted.projects]
    persons = [" ".join(name.lower().split()) for name in wanted.persons]
    conditions: list[dict[str, Any]] = [
        {"key": key, "match": {"any": names}}
        for key, names in (("projects", projects), ("type", [*wanted.types]), ("persons", persons))
        if names
    ]
    conditions += [{"key": "time", "range": {"gte": complete_date(wanted.since)}}] if wanted.since else []
    return conditions


def complete_date(given: str) -> str:
    """Return the first moment of a day, a month or a year, as the server takes it (RFC 3339); BadCall for no date."""
    day = f"{given}-01-01"[:10] if len(given) in (4, 7) else given[:10]
    if len(given) == 7:
        day = f"{given}-01"
    if not clock.seconds(f"{day}T00:00:00Z"):
        raise BadCall(shown(given, 40), "is not a date", "write 2026-05-31, 2026-05, or 14d, 2w, 3m for ago")
    return f"{day}T00:00:00Z"
