"""An entry as one line of a git note, under this user's mark. What came from elsewhere is hostile: all is checked.

A line has the fields of an export (`exchange/json_rows`) without counters, and with them `who` wrote it, `at` which
commit, in the repository of which first commit (`root`), and `blobs`: what its files were then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from belay.core import clock, json_codec, signatures
from belay.core.plain_text import shown
from belay.knowledge.entries.entries import FORGOTTEN
from belay.knowledge.exchange import json_rows
from belay.repository.notes import binding, store
from belay.repository.notes.consent import LEDGER
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from belay.core.paths import Project
    from belay.knowledge.exchange.json_rows import Row

LINE_BYTES = 32 * 1024
"""A longer line does not travel: half of what one note may have."""
FOREIGN_MOST = 10_000
"""Lines of others that are read, some seconds; the newest ones."""
FILES = 8
"""Files of an entry whose state a line keeps."""
TOLD = ("type", "content", "reasoning", "what_happened", "status", "superseded_by", "priority", "tags", "files")
"""Fields of which a change is news; the rest says where an entry comes from and how often it was of use."""
_FIRST = ("updated", "id")
_FAR = "9999-12-31T23:59:59Z"


class Line(NamedTuple):
    """An entry as a note has it: its row, who wrote it where, the commit of the note, and whether it is this user's."""

    row: Row
    who: str
    at: str
    root: str
    blobs: dict[str, str]
    own: bool
    commit: str
    raw: bytes


class Lines(NamedTuple):
    """The lines of the ref, the newest first; how many are none; how many notes are too large to read.

    `over`: how many lines of others were not read, for there are too many.
    """

    found: list[Line]
    broken: int
    large: int
    over: int


def make_line(environ: Mapping[str, str], row: Row, who: str, at: str, root: str, blobs: Mapping[str, str]) -> bytes:
    """Return an entry's line, b"" for one that is too long."""
    body = _clean({**row, "who": who, "at": at, "root": root, "blobs": dict(blobs)})
    line = _encode({**body, "mark": _sign(environ, body)}) if body else b""
    return line if len(line) <= LINE_BYTES else b""


def parse_line(environ: Mapping[str, str], commit: str, raw: bytes) -> Line | None:
    """Return a line's entry, None for what is none; `own` says only that the mark is this user's."""
    value, own = _load(environ, raw)
    return _make(commit, raw, value, own) if value is not None else None


def _load(environ: Mapping[str, str], raw: bytes) -> tuple[dict[str, Any] | None, bool]:
    """Return a line's fields without its mark, and whether that is this user's; None for what is no object."""
    try:
        value = json_codec.loads(raw.decode("utf-8")) if len(raw) <= LINE_BYTES and raw.startswith(b"{") else None
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return None, False
    mark = value.pop("mark", None)
    return value, bool(mark) and mark == _sign(environ, value)


def _make(commit: str, raw: bytes, value: dict[str, Any], own: bool) -> Line | None:
    """Return the entry of a line; what has this user's mark was cleaned before it got it."""
    body = value if own else _clean(value)
    if body is None:
        return None
    row = json_rows.order_fields(body)
    return Line(row if own else _not_later(row), body["who"], body["at"], body["root"], body["blobs"], own, commit, raw)


def _not_later(row: Row) -> Row:
    """Return a row of elsewhere that is not from the future: it would win over every change."""
    now = clock.now()
    times = {key: min(str(row.get(key, "")), now) for key in ("created", "updated") if row.get(key)}
    return cast("Row", {**row, **times})


def _clean(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the fields that a line may have, each bounded and without secrets; None for what is no entry."""
    row = json_rows.check_row(dict(value), _FAR)
    if isinstance(row, str) or not row.get("updated"):
        return None
    fields: dict[str, Any] = {key: part for key, part in row.items() if key not in json_rows.COUNTERS}
    given = value.get("blobs")
    blobs = given if isinstance(given, dict) else {}
    names = [path for path in row.get("files", [])[:FILES] if isinstance(blobs.get(path), str)]
    return {
        **{key: fields.pop(key) for key in _FIRST},
        **fields,
        "who": _text(value.get("who")),
        "at": _commit(value.get("at")),
        "root": _commit(value.get("root")),
        "blobs": {path: blobs[path] for path in names if binding.is_commit(blobs[path])},
    }


def _text(value: object) -> str:
    return shown(redact(value[:400]), binding.NAME_CHARS) if isinstance(value, str) else ""


def _commit(value: object) -> str:
    return value if isinstance(value, str) and binding.is_commit(value) else ""


def _sign(environ: Mapping[str, str], body: Mapping[str, Any]) -> str:
    return signatures.sign_name(environ, "entry of the notes " + _encode(body).decode("utf-8", "replace"))


def _encode(value: object) -> bytes:
    return json_codec.dumps(value).encode("utf-8", "replace")


def read_lines(project: Project, environ: Mapping[str, str], ids: Collection[str] = ()) -> Lines:
    """Return the lines of all notes, each once; with `ids` only those that name one of these. Raises BelayError."""
    notes = store.list_notes(project, LEDGER)
    texts = store.read_notes(project, notes)
    names = [name.encode() for name in ids]
    places = {
        raw: commit
        for commit, text in texts.items()
        for raw in text.split(b"\n")
        if raw.strip() and (not names or any(name in raw for name in names))
    }
    found, broken, over = _parse_all(environ, places)
    own = [line for line in found if line.own]
    of_here = binding.check(project, [(line.at, line.root) for line in own])
    strange = {line.raw for line, is_of_here in zip(own, of_here, strict=True) if not is_of_here}
    found = [line._replace(own=False) if line.raw in strange else line for line in found]
    return Lines(sort(found), broken, len(notes) - len(texts), over)


def _parse_all(environ: Mapping[str, str], places: Mapping[bytes, str]) -> tuple[list[Line], int, int]:
    """Return the entries of lines (line → commit), how many lines are none, and how many of others are too many."""
    found: list[Line] = []
    broken = foreign = 0
    for raw in sorted(places, reverse=True):
        value, own = _load(environ, raw)
        foreign += value is not None and not own
        if value is None:
            broken += 1
        elif own or foreign <= FOREIGN_MOST:
            line = _make(places[raw], raw, value, own)
            found += [line] if line else []
            broken += line is None
    return found, broken, max(0, foreign - FOREIGN_MOST)


def sort(lines: Iterable[Line]) -> list[Line]:
    """Return lines in one order whatever theirs was, the newest first."""
    return sorted(lines, key=lambda line: (str(line.row.get("updated", "")), line.raw), reverse=True)


def find_latest(lines: Iterable[Line]) -> dict[str, Line]:
    """Return the newest line of each entry."""
    latest: dict[str, Line] = {}
    for line in sort(lines):
        latest.setdefault(str(line.row["id"]), line)
    return latest


def is_news(row: Row, known: Row | None) -> bool:
    """Whether a row says something that another one of the same entry does not."""
    if known is None:
        return row.get("status") != FORGOTTEN
    if FORGOTTEN in (row.get("status"), known.get("status")):
        return row.get("status") != known.get("status")
    return any(row.get(key) != known.get(key) for key in TOLD)
