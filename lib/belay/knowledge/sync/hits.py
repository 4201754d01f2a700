"""What a server answered, made safe to show: other people's text, labelled with project, person and trust.

Nothing of it is taken at its word. A text is the user's own only where its mark, which only this user's key makes, fits
what came; everything else is somebody's, under the names that they gave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import kinds
from belay.core.plain_text import cut, printable, shown
from belay.core.text.invisible import drop_invisible
from belay.knowledge.entries import entries
from belay.knowledge.search import filters, snippet
from belay.knowledge.sync import points
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

YOURS, OTHERS = "yours", "others"
"""Trust of a hit: sent under this user's key, or by anybody."""
NAME_CHARS, TEXT_CHARS, REASON_CHARS, LONGEST = 80, 240, 160, 10_000
_TYPES = frozenset((*kinds.ENTRY_TYPES, filters.DOCUMENT))
_STATES = frozenset((entries.HEARD, entries.DONE, entries.SUPERSEDED))


class SharedHit(NamedTuple):
    """One text of the shared memory, on one line each: `path` is a place in that project, not here.

    `state`: heard, done or superseded, "" for what holds; `score`: of the fusion, comparable within one answer only.
    """

    project: str
    person: str
    trust: str
    type: str
    id: str
    path: str
    start: int
    time: str
    state: str
    score: float
    text: str
    reason: str


def make_hits(found: Sequence[Mapping[str, Any]], environ: Mapping[str, str], query: str) -> list[SharedHit]:
    """Return the hits of an answer, in its order; a point that is none of ours is left out."""
    words = [word for word in query.split() if len(word) > 1]
    hits = [_make_hit(point, environ, words) for point in found]
    return [hit for hit in hits if hit]


def _make_hit(point: Mapping[str, Any], environ: Mapping[str, str], words: list[str]) -> SharedHit | None:
    payload = point.get("payload")
    if not isinstance(payload, dict):
        return None
    given = payload.get("row")
    row: dict[str, Any] = given if isinstance(given, dict) else {}
    text = _clean(row.get("content") if row else payload.get("text"), limit=LONGEST)
    if not text:
        return None
    kind, state, score, files = payload.get("type"), row.get("status"), point.get("score"), row.get("files")
    path = (files[:1] or [""])[0] if isinstance(files, list) else payload.get("path")
    return SharedHit(
        project=_name(payload.get("project")), person=_name(payload.get("person")),
        trust=YOURS if is_own(point, payload, environ) else OTHERS, type=kind if kind in _TYPES else "",
        id=_name(row.get("id")), path=_name(path), start=_number(payload.get("start")),
        time=_name(payload.get("time"))[:19], state=state if state in _STATES else "",
        score=round(float(score), 4) if isinstance(score, (int, float)) and 0 <= score <= 1e6 else 0.0,
        text=cut(snippet.cut_snippet(text, words), TEXT_CHARS), reason=cut(_clean(row.get("reasoning")), REASON_CHARS),
    )  # fmt: skip


def is_own(point: Mapping[str, Any], payload: Mapping[str, Any], environ: Mapping[str, str]) -> bool:
    """Whether this user sent a point, and what it says is still what was sent."""
    digest = points.hash_content(payload)
    mark = points.make_mark(
        environ, str(point.get("id")), digest, str(payload.get("project")), str(payload.get("person"))
    )
    return bool(mark) and payload.get("mark") == mark


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 31 else 0


def _clean(value: object, limit: int = 2000) -> str:
    """Return a text on one line, without secrets and without what a terminal would obey."""
    return printable(drop_invisible(redact(value[:limit]))) if isinstance(value, str) else ""


def _name(value: object) -> str:
    return shown(drop_invisible(redact(value[:400])), NAME_CHARS) if isinstance(value, str) else ""
