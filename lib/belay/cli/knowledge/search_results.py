"""What a search answers, for `belay search` and its quick door: no click here, a search starts in milliseconds."""

from __future__ import annotations

import os
import sys

from belay.core import json_codec, kinds, paths
from belay.core.errors import BadCall, BadInput
from belay.core.plain_text import printable, shown
from belay.core.text.invisible import drop_invisible, escape_invisible
from belay.core.tuples import NamedTuple
from belay.knowledge.search import filters, search
from belay.knowledge.store import database
from belay.knowledge.store.store import Store
from belay.knowledge.vectors import static_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from belay.knowledge.conversations.finding import SessionHit
    from belay.knowledge.search.search import Hit

SHOWN = 8
"""Results where -k does not say how many."""
_TYPES = {kind: kind for kind in kinds.ENTRY_TYPES} | {many: one for one, many in kinds.PLURALS.items()}
_TYPES["next"] = kinds.GOAL  # what Workshop 2 called a next step
_TYPES |= dict.fromkeys((filters.DOCUMENT, "documents", "doc", "docs"), filters.DOCUMENT)
_TYPES |= dict.fromkeys((filters.SESSION, "sessions"), filters.SESSION)
NAMED = 200
"""Characters of a path that is named in an error: its end says which file."""
_UNITS = {"d": 1, "w": 7, "m": 30}


class Asked(NamedTuple):
    """The options of a search, by the names that click gives them."""

    query: tuple[str, ...] = ()
    k: int = SHOWN
    types: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    branch: str = ""
    since: str = ""
    until: str = ""
    phrase: bool = False
    sections: bool = False
    queries: str = ""

    @property
    def text(self) -> str:
        """The query as one line, "" for an empty one."""
        return " ".join(self.query).strip()


class Answer(NamedTuple):
    """What a search found, the best first; places of sessions come behind better entries and documents."""

    results: list[Hit | SessionHit]
    used_vectors: bool = False
    by_words: bool = False


def open_base(db: str, environ: Any = os.environ) -> Store:
    """Return the knowledge base that --db names, else the one of the current folder."""
    if db:
        return Store(os.path.abspath(db), environ)
    from belay.cli import working_folder
    from belay.context.recall import indexed_base
    from belay.repository import database_location  # here and below: a search loads only what it needs

    place = database_location.choose(working_folder.find(environ), environ)
    if place.foreign and place.project and environ.get("CLAUDECODE") != "1":  # HOST §1.3: a start says it to the person
        _say(database_location.claim_notice(place.project, place.foreign, environ))
    if place.project and place.path == place.project.workshop:
        indexed_base.take_in(place.project, environ)
    return Store(place.path, environ)


def _say(line: str) -> None:
    if line:
        print(f"belay: {line}", file=sys.stderr)


def answer(store: Store, asked: Asked, text: str) -> Answer:
    """Search once; BadCall for a filter that cannot be understood, SqlError for a text index that is wrecked."""
    _tell(store)
    types = [parse_type(one) for one in asked.types]
    since, until = parse_date(asked.since), parse_date(asked.until)
    filtered: Any = {
        "files": asked.files, "branch": asked.branch, "since": since, "until": until, "phrase": asked.phrase,
    }  # fmt: skip
    own = [kind for kind in types if kind != filters.SESSION]
    if types and not own:
        return _find_sessions(store, text, asked.k, filtered)
    found = search.search(
        store, text, k=asked.k, types=own, near=static_vectors.load_model(store), sections=asked.sections, **filtered
    )
    if not found.results:
        from belay.knowledge.search import index_check

        index_check.check_index(store.connection)
    results = _add_sessions(store, text, asked.k, types, filtered, found.results)
    return Answer(results, found.used_vectors, found.by_words)


def _find_sessions(store: Store, text: str, k: int, filtered: Any) -> Answer:
    """Return the places of conversations that answer."""
    from belay.knowledge.conversations import finding

    kept = finding.open_archive(store.path, store.environ)
    places = finding.find(kept, text, k=k, **filtered) if kept else finding.Places([])
    return Answer([*places.hits], by_words=places.by_words)


def _add_sessions(
    store: Store, text: str, k: int, types: list[str], filtered: Any, results: list[Hit]
) -> list[Hit | SessionHit]:
    """Return results with the sessions that answer: a few unasked, all that are wanted, none where other types are."""
    if (types and filters.SESSION not in types) or not os.path.isdir(paths.find_sessions(store.path)):
        return [*results]
    from belay.knowledge.conversations import finding

    kept = finding.open_archive(store.path, store.environ)
    if kept is None:
        return [*results]
    if types:
        return finding.merge(results, finding.find(kept, text, k=k, **filtered).hits)
    return finding.merge(results, finding.find_behind(kept, text, k=k, **filtered))


def _tell(store: Store) -> None:
    """Say once for a base that its SQLite cannot search texts."""
    if database.is_plain(store.connection) and not database.load_value(store.connection, "told_plain"):
        database.save_value(store.connection, "told_plain", "1")
        from belay.knowledge.search import plain_search

        print(f"belay: {plain_search.NOTE}", file=sys.stderr)


def has_vectors(store: Store) -> bool:
    """Whether a base has vectors of a sentence model: most do not."""
    return bool(database.load_value(store.connection, database.MODEL))


def parse_type(name: str) -> str:
    """Return the type that a word names; BadCall for none."""
    if name.casefold() not in _TYPES:
        known = ", ".join((*kinds.ENTRY_TYPES, filters.DOCUMENT, filters.SESSION))
        raise BadCall(shown(name, 40), "is not a type of entry", f"use one of: {known}")
    return _TYPES[name.casefold()]


def parse_date(given: str) -> str:
    """Return a date, or the beginning of one, as the base has it; `3d`, `2w`, `1m` are so long ago."""
    number, unit = given[:-1], given[-1:]
    if unit in _UNITS and number.isdecimal() and len(number) < 5:
        from belay.core import clock

        return clock.days_before(clock.now(), int(number) * _UNITS[unit])[:10]
    if given and not (given[:4].isdecimal() and given[4:5] in ("", "-")):
        raise BadCall(shown(given, 40), "is not a date", "write 2026-05-31, 2026-05, or 14d, 2w, 3m for ago")
    return given


def data(found: Answer) -> dict[str, object]:
    """Return an answer for --json (seed 001, "Return Format"); an entry has its id and type besides."""
    return {"results": [make_row(hit) for hit in found.results], "used_vectors": found.used_vectors}


def make_row(hit: Hit | SessionHit) -> dict[str, object]:
    """Return a result for --json."""
    row: dict[str, object] = {
        "path": hit.path,
        "start": hit.start,
        "end": hit.end,
        "score": hit.score,
        "snippet": hit.snippet,
    }
    row |= {"id": hit.id, "type": hit.type} if hit.id else {}
    row |= {"reason": hit.reason} if isinstance(hit, search.Hit) and hit.reason else {}
    if not isinstance(hit, search.Hit):
        row |= {"title": hit.title, "time": hit.time, "branch": hit.branch, "commit": hit.commit, "files": [*hit.files]}
    return row


def text(found: Answer) -> str:
    """Return an answer for people: two or three lines a result."""
    if not found.results:
        return "Nothing found. Other words may do; `belay index` makes documents searchable."
    head = ["Nothing has all that is quoted word for word; these have some of the words."] if found.by_words else []
    return drop_invisible("\n".join([*head, *map(format_hit, found.results)]))


def format_hit(hit: Hit | SessionHit) -> str:
    """Return a result as lines: where it is, what it says, and the reason of an entry."""
    lines = [_head(hit), f"      {printable(hit.snippet)}"]
    lines += [f"      Why: {printable(hit.reason)}"] if isinstance(hit, search.Hit) and hit.reason else []
    return "\n".join(lines)


def _head(hit: Hit | SessionHit) -> str:
    if not isinstance(hit, search.Hit):
        return f"{hit.score:.2f}  {hit.path}:{hit.start}-{hit.end}  {hit.place}"
    place = shown(hit.path, 120)
    told = f"{hit.id} {hit.type}  {place}" if hit.id else f"{place}:{hit.start}-{hit.end}"
    return f"{hit.score:.2f}  {told}"


def answer_queries(store: Store, asked: Asked) -> Iterator[str]:
    """Yield {"id", "results"} for each {"id", "query"} of a file of JSON lines (`-`: of the input)."""
    for number, line in enumerate(_lines(asked.queries), 1):
        if line.strip():
            name, query = _query(line, f"{shown(asked.queries, NAMED)}:{number}")
            told = data(answer(store, asked, query)) if query.strip() else {"results": []}
            yield dump_json({"id": name, "results": told["results"]})


def _lines(path: str) -> Iterator[bytes]:
    try:
        if path == "-":
            yield from sys.stdin.buffer
        else:
            with open(path, "rb") as file:
                yield from file
    except OSError as error:
        raise BadInput(shown(path, NAMED), f"cannot be read ({error.strerror})", "name a file of JSON lines") from None


def _query(line: bytes, where: str) -> tuple[Any, str]:
    try:
        row = json_codec.loads(line.decode("utf-8", "replace"))
        return row["id"], str(row["query"])
    except (ValueError, TypeError, KeyError):
        raise BadInput(where, "is not a query", '{"id": …, "query": "…"} a line') from None


def dump_json(told: Any) -> str:
    """Return JSON as the face prints it."""
    return escape_invisible(json_codec.dumps(told, spaced=True))


def put(line: str) -> None:
    """Print a line as UTF-8, whatever the terminal's encoding is."""
    sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")
