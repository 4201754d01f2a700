"""Entries and sections as points of four collections a project (seed 002: docs, memory, eidetic, episodic).

`memory`: what was decided and wished; `eidetic`: facts that were found out; `episodic`: the daily logs; `docs`: every
other document. A point's id is made of project and entry, so sending it again replaces it.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
import zlib
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from belay.core import kinds, terms
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from typing import TypedDict

    from belay.knowledge.exchange.json_rows import Row
    from belay.knowledge.search.sections import Section

    class Payload(TypedDict, total=False):
        """What a point holds: an entry's row or a section, who sent it, and the hash of it."""

        row: Row
        path: str
        start: int
        end: int
        title: str
        text: str
        by: str
        hash: str


DOCS, MEMORY, EIDETIC, EPISODIC = "docs", "memory", "eidetic", "episodic"
COLLECTIONS = (DOCS, MEMORY, EIDETIC, EPISODIC)
FOUND_OUT = frozenset((kinds.GOTCHA, kinds.FINDING, kinds.ANTIPATTERN, kinds.DEADEND, kinds.UNKNOWN))
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "belay knowledge")
_DAILY = re.compile(r"(?:^|/)\d{4}-\d\d-\d\d\.md$")
_K1 = 1.2
"""BM25's saturation of a term (Robertson and Zaragoza 2009); the server weighs it by how rare it is."""


class Point(NamedTuple):
    """One point: its collection, id, payload, and its words as a sparse vector (indices, values)."""

    collection: str
    id: str
    payload: Payload
    indices: list[int]
    values: list[float]


def name_collection(project: str, kind: str) -> str:
    """Return the name of one of a project's collections."""
    return f"{project}-{kind}"


def make_entry_point(project: str, row: Row, by: str) -> Point:
    """Return the point of an entry, given as a row of knowledge.jsonl; `by` marks who sent it."""
    kind = EIDETIC if row.get("type") in FOUND_OUT else MEMORY
    text = "\n".join(filter(None, [row.get("content", ""), row.get("reasoning", "")]))
    title = " ".join((row.get("type", ""), *row.get("tags", ()), *row.get("files", ())))
    return _make_point(project, kind, str(row["id"]), {"row": row}, f"{title}\n{text}", by)


def make_section_point(project: str, section: Section, by: str) -> Point:
    """Return the point of a document's section."""
    kind = EPISODIC if _DAILY.search(section.path) else DOCS
    text = redact(section.text)
    payload: Payload = {
        "path": section.path,
        "start": section.start,
        "end": section.end,
        "title": section.title,
        "text": text,
    }
    return _make_point(project, kind, f"{section.path}:{section.start}", payload, f"{section.title}\n{text}", by)


def _make_point(project: str, kind: str, name: str, payload: Payload, text: str, by: str) -> Point:
    data = json.dumps(payload, sort_keys=True).encode()
    payload["by"], payload["hash"] = by, hashlib.blake2b(data, digest_size=8).hexdigest()
    return Point(name_collection(project, kind), make_point_id(project, name), payload, *count_words(text))


def make_point_id(project: str, name: str) -> str:
    """Return the id of an entry's or a section's point."""
    return str(uuid.uuid5(NAMESPACE, f"{project}\n{name}"))


def count_words(text: str) -> tuple[list[int], list[float]]:
    """Return a text as a sparse vector: a number a stem, and how often it occurs, saturated."""
    words = (word for word in terms.words(text) if word.casefold() not in terms.STOP and len(word) > 1)
    counts = Counter(zlib.crc32(terms.stem(word).encode("utf-8", "replace")) for word in words)
    return list(counts), [count * (_K1 + 1) / (count + _K1) for count in counts.values()]
