"""The lines of a note: one JSON object each. What came with a clone is hostile: each field is checked and cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from belay.core import json_codec, signatures
from belay.core.plain_text import shown
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LINE_BYTES = 4096
NOTE_BYTES = 64 * 1024
"""The most that one line and one note may have; the oldest lines of a note go first."""
TEXT_CHARS = 200
DECISIONS, FILES, COMMITS, CAPTURES = 8, 20, 5, 12
_TEXTS = ("time", "kind", "session", "who", "branch", "head", "root", "task", "next")
_LISTS = {"decisions": DECISIONS, "captures": CAPTURES, "files": FILES, "commits": COMMITS}
_COUNTS = ("prompts", "edits", "commands", "captures", "commits")
_LARGEST = 10**9


class Breadcrumb(TypedDict):
    """A snapshot of a session; what is not known is "" or empty. `kind` is compaction, wrap-up or end.

    who: the name in git's settings. root: the first commit of the repository. captures: "class: text" of open ones.
    """

    time: str
    kind: str
    session: str
    who: str
    branch: str
    head: str
    root: str
    task: str
    next: str
    decisions: list[str]
    captures: list[str]
    files: list[str]
    commits: list[str]
    counts: dict[str, int]


class Found(Breadcrumb):
    """A breadcrumb in a note: its id, the commit of the note, and whether this user's Belay wrote it."""

    id: str
    commit: str
    own: bool


def clean(given: Mapping[str, Any]) -> Breadcrumb:
    """Return the known fields of a line, without secrets and control characters, each of bounded length."""
    texts = {name: _text(given.get(name)) for name in _TEXTS}
    lists = {name: _texts(given.get(name), most) for name, most in _LISTS.items()}
    counts = given.get("counts")
    table = counts if isinstance(counts, dict) else {}
    numbers = {name: table[name] for name in _COUNTS if _is_count(table.get(name))}
    crumb: Any = {**texts, **lists, "counts": numbers}
    done: Breadcrumb = crumb
    return done


def _text(value: object) -> str:
    # Redacted before it is cut: a half secret would not be known.
    return shown(redact(value[:LINE_BYTES]), TEXT_CHARS) if isinstance(value, str) else ""


def _texts(value: object, most: int) -> list[str]:
    rows = value[:most] if isinstance(value, list) else []
    return [text for text in map(_text, rows) if text]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST


def make_line(environ: Mapping[str, str], crumb: Mapping[str, Any]) -> bytes:
    """Return the line of a breadcrumb with this user's mark over all of it; what makes it too long is left out."""
    body = clean(crumb)
    while True:
        mark = signatures.sign_name(environ, _signed(body))
        line = _encode({**body, "mark": mark})
        longest = max(_LISTS, key=lambda name: len(str(body[name])))  # type: ignore[literal-required]
        if len(line) <= LINE_BYTES or not body[longest]:  # type: ignore[literal-required]
            return line
        body[longest].pop()  # type: ignore[literal-required]


def _signed(body: Breadcrumb) -> str:
    return "breadcrumb " + _encode(body).decode("utf-8", "replace")


def _encode(value: object) -> bytes:
    return json_codec.dumps(value).encode("utf-8", "replace")


def parse(environ: Mapping[str, str], commit: str, data: bytes) -> tuple[list[Found], int]:
    """Return the breadcrumbs of a note, and how many of its lines are none; `own` says only that the mark is ours."""
    found: list[Found] = []
    broken = 0
    for line in filter(None, data[: 2 * NOTE_BYTES].split(b"\n")):
        given = _load(line)
        if given is None:
            broken += 1
            continue
        body = clean(given)
        mark = signatures.sign_name(environ, _signed(body))
        own = bool(mark) and given.get("mark") == mark
        row: Any = {"id": make_id(line), "commit": commit, "own": own, **body}
        found.append(row)
    return found, broken


def make_id(line: bytes) -> str:
    """Return the id of a line: made of its bytes, so that no line can bear the id of another one."""
    from hashlib import blake2b

    return "B-" + blake2b(line.strip(), digest_size=6).hexdigest()


def find_time(line: bytes) -> str:
    """Return the time that a line of either ref names, "" for none."""
    value = _load_any(line)
    return next((text for key in ("time", "updated") if isinstance(text := value.get(key), str)), "")


def find_entry_id(line: bytes) -> str:
    """Return the id of the entry that a line of the ledger holds, "" for none."""
    name = _load_any(line).get("id")
    return name if isinstance(name, str) else ""


def is_entry_id(text: str) -> bool:
    """Whether a text is written as the id of an entry: D- or K-, and six letters or more."""
    head, dash, rest = text.partition("-")
    return head in ("D", "K") and bool(dash) and len(rest) >= 6 and rest.isalnum() and rest.isupper()


def _load_any(line: bytes) -> dict[str, Any]:
    try:
        value = json_codec.loads(line.decode("utf-8")) if line.startswith(b"{") else None
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {}


def _load(line: bytes) -> dict[str, Any] | None:
    if len(line) > LINE_BYTES or not line.startswith(b"{"):
        return None
    try:
        value = json_codec.loads(line.decode("utf-8"))
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("time"), str) else None


def join(rows: Iterable[bytes]) -> bytes:
    """Return the text of a note of these lines, each once; the oldest ones (the first) are left out over the cap."""
    kept: list[bytes] = []
    size = 0
    for row in list(dict.fromkeys(row.strip() for row in rows if row.strip()))[::-1]:
        size += len(row) + 1
        if size > NOTE_BYTES:
            break
        kept.append(row)
    return b"".join(row + b"\n" for row in kept[::-1])
