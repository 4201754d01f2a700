"""Entries as lines of knowledge.jsonl: one JSON object an entry, sorted by id, the same bytes for the same entries.

A row holds what an entry says and counts, without empty fields. `was` names its earlier texts and reasons by their
hashes, so that a merge knows an edit from two texts. A forgotten entry has only its id and the time.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from belay.core import kinds
from belay.core.clock import journal_time
from belay.core.errors import BadInput
from belay.core.plain_text import shown
from belay.knowledge.entries import entries
from belay.knowledge.entries.entries import FORGOTTEN, Entry
from belay.knowledge.store.store import CONTENT_CHARS
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypedDict

    from typing_extensions import Required

    class Row(TypedDict, total=False):
        """One entry as a line of knowledge.jsonl; `was` holds the hashes of its earlier texts and reasons."""

        id: Required[str]
        type: str
        content: str
        reasoning: str
        what_happened: str
        status: str
        priority: str
        tags: list[str]
        files: list[str]
        branch: str
        commit: str
        session: str
        source: str
        confidence: float
        superseded_by: str
        created: str
        updated: str
        seen: int
        recalled: int
        used: int
        helpful: int
        harmful: int
        tokens: int
        was: list[str]

    Foreign = dict[str, Any]  # a line as it was read: anybody may have written the file

TEXTS = ("content", "reasoning", "what_happened")
NAMES = ("type", "status", "priority", "branch", "commit", "session", "source", "superseded_by")
LISTS = ("tags", "files", "was")
COUNTERS = ("seen", "recalled", "used", "helpful", "harmful", "tokens")
FIELDS = ("id", "type", *TEXTS, "status", "priority", "tags", "files", "branch", "commit", "session",
          "source", "confidence", "superseded_by", "created", "updated", *COUNTERS, "was")  # fmt: skip
LINE_BYTES = 64 * 1024
"""A longer line is no entry."""
NAME_CHARS, LIST_LENGTH, COUNTER_MOST = 300, 100, 1 << 31
SOURCE_CHARS = 48
_DEFAULTS = Entry("", "", "")._asdict()
_ALWAYS = ("type", "content", "source")
_ID = re.compile(r"[DK]-[A-Z2-7]{6,12}")
_CONFLICT = ("<<<<<<< ", ">>>>>>> ", "||||||| ", "=======")


class ParsedRows(NamedTuple):
    """What a text holds: rows, and (line, why) of each line that is none."""

    rows: list[Row]
    refused: list[tuple[int, str]]


def make_row(entry: Entry, was: Iterable[str] = (), happened: str = "") -> Row:
    """Return the row of an entry; of a rule with what `happened` when it was made."""
    if entry.status == FORGOTTEN:
        return {"id": entry.id, "status": FORGOTTEN, "updated": entry.updated}
    fields = {**entry._asdict(), "tags": list(entry.tags), "files": list(entry.files)}
    row = cast("Row", {**fields, "what_happened": happened, "was": list(was)})
    row["was"] = earlier_hashes(row)
    return order_fields(row)


def hash_text(content: str) -> str:
    """Return what names one text of an entry."""
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=4).hexdigest()


def hash_reason(reason: str) -> str:
    """Return what names one reason of an entry: no text has it."""
    return hash_text(f"reason\n{reason}")


def current_hashes(row: Row) -> set[str]:
    """Return the hashes of what a row says now."""
    reason = row.get("reasoning")
    return {hash_text(row["content"]), *([hash_reason(reason)] if reason else [])}


def earlier_hashes(*rows: Row) -> list[str]:
    """Return the hashes of what rows said before, and of what all but the first say now."""
    return sorted(
        set().union(*(row.get("was", ()) for row in rows), *map(current_hashes, rows[1:])) - current_hashes(rows[0])
    )


def order_fields(row: Mapping[str, object]) -> Row:
    """Return the fields of a row in their order, without those that are empty or as they are by default."""
    empty: tuple[object, ...] = ("", (), [])
    fields = {
        key: row[key] for key in FIELDS
        if key in row and (key in _ALWAYS or (row[key] != _DEFAULTS.get(key) and row[key] not in empty))
    }  # fmt: skip
    return cast("Row", fields)


def render_rows(rows: Iterable[Row]) -> bytes:
    """Return the file of rows."""
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in sorted(rows, key=_row_id)]
    return "".join(line + "\n" for line in lines).encode("utf-8", "replace")


def _row_id(row: Row) -> str:
    return str(row["id"])


def parse_rows(name: str, data: bytes, now: str) -> ParsedRows:
    """Return the rows of a file; BadInput where git left a conflict. No time is later than `now`."""
    read = ParsedRows([], [])
    for number, line in enumerate(data.split(b"\n"), 1):
        text = line.decode("utf-8", "replace").rstrip("\r")
        if text.startswith(_CONFLICT):
            raise BadInput(f"{name}:{number}", "holds a git conflict",
                           "take its marks out and keep the lines of both sides, then import again")  # fmt: skip
        if text.strip():
            _parse_line(read, number, line, text, now)
    return read


def _parse_line(read: ParsedRows, number: int, line: bytes, text: str, now: str) -> None:
    try:
        value = json.loads(text) if len(line) <= LINE_BYTES else None
    except (ValueError, RecursionError):
        value = None
    row = check_row(value, now) if isinstance(value, dict) else "is no JSON object"
    if isinstance(row, str):
        read.refused.append((number, row))
    else:
        read.rows.append(row)


def check_row(value: Foreign, now: str) -> Row | str:
    """Return a row that holds only what a row may hold, or why a line is no row."""
    name, status = str(value.get("id", "")), value.get("status", entries.ACTIVE)
    if not _ID.fullmatch(name):
        return "has no id of an entry"
    updated = min(journal_time(value.get("updated")), now)
    if status == FORGOTTEN:
        return {"id": name, "status": FORGOTTEN, "updated": updated}
    texts = {key: redact(str(value.get(key) or "")) for key in TEXTS}
    texts["content"] = texts["content"].strip()
    if not texts["content"] or max(map(len, texts.values())) > CONTENT_CHARS:
        return "has no text" if not texts["content"] else f"is over {CONTENT_CHARS} characters"
    names = {key: redact(str(value.get(key) or ""))[:NAME_CHARS] for key in NAMES}
    if names["type"] not in kinds.ENTRIES:
        return f"is of an unknown type “{names['type'][:20]}” (known: {', '.join(kinds.ENTRIES)})"
    fields = {
        "id": name, **texts, **names, **_check_lists(value), **_check_numbers(value), "updated": updated,
        "created": min(journal_time(value.get("created")), now) or updated,
    }  # fmt: skip
    row = cast("Row", fields)
    row["was"] = earlier_hashes(row)
    row["status"] = status if status in (entries.HEARD, entries.DONE, entries.SUPERSEDED) else entries.ACTIVE
    row["source"] = _check_source(row["source"])
    row["superseded_by"] = row["superseded_by"] if _ID.fullmatch(row["superseded_by"]) else ""
    return order_fields(row)


def _check_source(source: str) -> str:
    """Return the source of an entry, another person's name cut and on one line; any other word is an import's."""
    if entries.is_person(source):
        return shown(source, SOURCE_CHARS)
    return source if source in entries.SOURCES else "imported"


def _check_lists(value: Foreign) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for key in LISTS:
        given = value.get(key)
        texts = (
            [redact(text)[:NAME_CHARS] for text in given if isinstance(text, str)] if isinstance(given, list) else []
        )
        lists[key] = list(dict.fromkeys(filter(None, texts)))[:LIST_LENGTH]
    lists["files"] = [path for path in lists["files"] if not path.startswith(("/", "~")) and ".." not in path]
    return lists


def _check_numbers(value: Foreign) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for key in COUNTERS:
        number = value.get(key)
        is_count = isinstance(number, int) and not isinstance(number, bool)
        numbers[key] = min(max(int(number or 0), 0), COUNTER_MOST) if is_count else _DEFAULTS[key]
    sure = value.get("confidence", 1.0)
    is_number = isinstance(sure, (int, float)) and not isinstance(sure, bool) and 0 <= sure <= 1
    return {**numbers, "confidence": float(sure) if is_number else 1.0}
