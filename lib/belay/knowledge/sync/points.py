"""Entries and sections as points of one collection that all projects and people of an organisation share.

A point has a text's words as a sparse vector and its word pieces as a dense one, and says in its payload of which
project, part, type, person and day it is; the server filters by these. Its id is made of project and entry, so sending
it again replaces it. Parts (seed 002): `memory`, what was decided and wished; `eidetic`, facts that were found out;
`episodic`, the daily logs; `docs`, every other document.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
import zlib
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from belay.core import kinds, signatures, terms
from belay.knowledge.search import filters
from belay.knowledge.vectors import encoding
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypedDict

    from belay.knowledge.exchange.json_rows import Row
    from belay.knowledge.search.sections import Section
    from belay.knowledge.vectors.encoding import Encoder

    class Content(TypedDict, total=False):
        """What a point holds: an entry's row, or a section of a document with its place."""

        row: Row
        path: str
        start: int
        end: int
        title: str
        text: str

    class Payload(Content, total=False):
        """The same with what a search filters by, who sent it, and which table of word pieces its vector is of."""

        project: str
        projects: list[str]
        part: str
        type: str
        person: str
        persons: list[str]
        time: str
        by: str
        hash: str
        mark: str
        table: str


COLLECTION = "belay-2"
"""The collection; another shape of points gets another number, and old and new live beside each other meanwhile."""
WORDS, PIECES = "words", "pieces"
"""The names of the sparse and of the dense vector."""
DOCS, MEMORY, EIDETIC, EPISODIC = "docs", "memory", "eidetic", "episodic"
PARTS = (DOCS, MEMORY, EIDETIC, EPISODIC)
FOUND_OUT = frozenset((kinds.GOTCHA, kinds.FINDING, kinds.ANTIPATTERN, kinds.DEADEND, kinds.UNKNOWN))
CONTENT = ("row", "path", "start", "end", "title", "text")
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "belay knowledge")
_DAILY = re.compile(r"(?:^|/)\d{4}-\d\d-\d\d\.md$")
_K1 = 1.2
"""BM25's saturation of a term (Robertson and Zaragoza 2009); the server weighs it by how rare it is."""


class Point(NamedTuple):
    """One point: id, payload, its words as a sparse vector (indices, values), its pieces, [] where none is known."""

    id: str
    payload: Payload
    indices: list[int]
    values: list[float]
    pieces: list[int]


class Sender(NamedTuple):
    """Who sends: the project's name, the person's, the user's data folder (for the mark), the table in use."""

    project: str
    person: str
    environ: Mapping[str, str]
    encoder: Encoder | None = None

    @property
    def usable_encoder(self) -> Encoder | None:
        """The encoder, where its vectors have the length that the collection takes."""
        return self.encoder if self.encoder and self.encoder.table.dims == encoding.DIMS else None

    @property
    def by(self) -> str:
        """What says that a point is this user's, to this user alone."""
        return signatures.sign_name(self.environ, "shared store")


class Draft(NamedTuple):
    """A point to be: its id and the hash of its content tell whether the server has it; `make` adds the vectors."""

    id: str
    hash: str
    make: Callable[[], Point]


def draft_entry(sender: Sender, row: Row) -> Draft:
    """Return the draft of an entry's point, given as a row of knowledge.jsonl."""
    point, digest = make_point_id(sender.project, str(row["id"])), hash_content({"row": row})
    return Draft(point, digest, lambda: _make_entry_point(sender, row, point, digest))


def draft_section(sender: Sender, section: Section) -> Draft:
    """Return the draft of the point of a document's section."""
    content: Payload = {
        "path": section.path, "start": section.start, "end": section.end, "title": redact(section.title),
        "text": redact(section.text),
    }  # fmt: skip
    point, digest = make_point_id(sender.project, f"{section.path}:{section.start}"), hash_content(content)
    return Draft(point, digest, lambda: _make_section_point(sender, content, section.time, point, digest))


def make_entry_point(sender: Sender, row: Row) -> Point:
    """Return the point of an entry."""
    return draft_entry(sender, row).make()


def make_section_point(sender: Sender, section: Section) -> Point:
    """Return the point of a section."""
    return draft_section(sender, section).make()


def _make_entry_point(sender: Sender, row: Row, point: str, digest: str) -> Point:
    text = "\n".join(filter(None, [row.get("content", ""), row.get("reasoning", "")]))
    title = " ".join((row.get("type", ""), *row.get("tags", ()), *row.get("files", ())))
    facts: Payload = {
        "row": row, "part": EIDETIC if row.get("type") in FOUND_OUT else MEMORY, "type": row.get("type", ""),
        "time": row.get("updated", ""),
    }  # fmt: skip
    return _make_point(sender, (point, digest), facts, f"{title}\n{text}", text)


def _make_section_point(sender: Sender, content: Payload, time: str, point: str, digest: str) -> Point:
    part = EPISODIC if _DAILY.search(content["path"]) else DOCS
    words = f"{content['title']}\n{content['text']}"
    facts: Payload = {"part": part, "type": filters.DOCUMENT, "time": time}
    facts |= content
    return _make_point(sender, (point, digest), facts, words, words)


def _make_point(sender: Sender, named: tuple[str, str], facts: Payload, words: str, meaning: str) -> Point:
    point, digest = named
    encoder = sender.usable_encoder
    vector = encoder.encode(meaning) if encoder else b""
    payload: Payload = {
        "project": sender.project, "projects": name_project(sender.project),
        "person": sender.person, "persons": name_person(sender.person), "by": sender.by, "hash": digest,
        "mark": make_mark(sender.environ, point, digest, sender.project, sender.person),
        "table": encoder.table.identity if encoder and vector else "",
    }  # fmt: skip
    payload |= facts
    if not payload["time"]:
        del payload["time"]  # the server's index of times takes no empty one
    return Point(point, payload, *count_words(words), list(encoding.unpack(vector)) if vector else [])


def hash_content(content: Mapping[str, object]) -> str:
    """Return what names the content of a point, wherever it was made."""
    kept = {key: content[key] for key in CONTENT if key in content}
    return hashlib.blake2b(json.dumps(kept, sort_keys=True).encode(), digest_size=8).hexdigest()


def make_mark(environ: Mapping[str, str], point: str, digest: str, project: str, person: str) -> str:
    """Return what only this user can write on a point: nobody else at the server can say that a text is theirs."""
    return signatures.sign_name(environ, "\n".join(("shared point", point, digest, project, person)))


def make_point_id(project: str, name: str) -> str:
    """Return the id of an entry's or a section's point."""
    return str(uuid.uuid5(NAMESPACE, f"{project}\n{name}"))


def name_project(project: str) -> list[str]:
    """Return the names by which a project is asked for, in small letters: host/team/api, team/api, api."""
    parts = project.lower().split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]


def name_person(person: str) -> list[str]:
    """Return the names by which a person is asked for, in small letters: the whole one and each word of it."""
    whole = " ".join(person.lower().split())
    return list(dict.fromkeys(filter(None, [whole, *whole.split()])))


def count_words(text: str) -> tuple[list[int], list[float]]:
    """Return a text as a sparse vector: a number a stem, and how often it occurs, saturated."""
    words = (word for word in terms.words(text) if word.casefold() not in terms.STOP and len(word) > 1)
    counts = Counter(zlib.crc32(terms.stem(word).encode("utf-8", "replace")) for word in words)
    return list(counts), [count * (_K1 + 1) / (count + _K1) for count in counts.values()]
