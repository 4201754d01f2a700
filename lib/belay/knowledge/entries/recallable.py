"""Which entries may be shown unasked, in what order, and how: for a session's start, the index and the hooks.

An entry is shown while it holds, unless its metadata says that its text is not trusted or not accepted yet. One
that was shown often and never used is no longer shown at prompts; a search still finds it (docs/recall.md). Hot hooks
load this: no typing, no json.
"""

from __future__ import annotations

from belay.core import json_codec, kinds
from belay.core.plain_text import shown
from belay.knowledge.entries import states

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from typing import Any

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.entries.hook_reader import RecalledEntry

REFUSALS = ("trusted", "accepted")
"""Keys of an entry's metadata that keep it from being shown while they are false."""
NEVER_USED = 5
"""So many sessions saw an entry and never touched what it is about; after that no prompt brings it."""
LINE_CHARS = 200


def select_recallable(connection: sqlite3.Connection, candidates: Sequence[Entry]) -> list[Entry]:
    """Return those of some entries that may be shown, in their order; some hundred at most."""
    marks = ", ".join("?" * len(candidates))
    rows = connection.execute(
        f"SELECT id, metadata FROM entries WHERE id IN ({marks})", [entry.id for entry in candidates]
    )
    barred = {row[0] for row in rows if is_refused(str(row[1]))}
    return [entry for entry in candidates if entry.status in states.CURRENT and entry.id not in barred]


def is_refused(metadata: str) -> bool:
    """Whether an entry's metadata keeps it from being shown; unreadable metadata does."""
    try:
        fields = json_codec.loads(metadata or "{}")
    except ValueError:
        return True
    return isinstance(fields, dict) and any(fields.get(key) is False for key in REFUSALS)


def is_never_used(recalled: int, used: int, helpful: int) -> bool:
    """Whether an entry was shown often and never helped."""
    return recalled >= NEVER_USED and not used and not helpful


def format_line(entry: Entry | RecalledEntry) -> str:
    """Return an entry as one line for Claude: what it is, its id, how sure, its file, what it says, its reason."""
    label = kinds.entry_words(entry.type)[1]
    sure = states.describe(entry.status, entry.created, entry.seen, entry.source)
    marks = [entry.priority if entry.type == kinds.GOAL else "", sure]
    how = f" ({', '.join(filter(None, marks))})" if any(marks) else ""
    name = f" {entry.id}" if entry.type == kinds.DECISION else ""
    where = f" `{shown(entry.files[0].replace('`', ''), 60)}`" if entry.files else ""
    return f"{label}{name}{how}{where}: {shown(entry.line, LINE_CHARS)}"


def count_active(connection: sqlite3.Connection) -> int:
    """Return the number of entries that hold."""
    return int(connection.execute(f"SELECT count(*) FROM entries WHERE {states.IS_CURRENT}").fetchone()[0])


def load_fingerprint(connection: sqlite3.Connection) -> str:
    """Return a text that changes with the entries that may be shown: their number, the newest, how many may not."""
    values = connection.execute(
        "SELECT count(*), coalesce(max(num), 0), coalesce(max(updated), ''), coalesce(sum(metadata LIKE '%false%'), 0) "
        f"FROM entries WHERE {states.IS_CURRENT}"
    ).fetchone()
    return ".".join(map(str, values))


def load_texts(connection: sqlite3.Connection, most: int) -> Iterator[tuple[int, str, str]]:
    """Yield (number, content and reason with tags and files, type) of entries that a prompt may bring, at most so many.

    Those that helped come first, then what is confirmed, then the new ones.
    """
    rows: Any = connection.execute(
        "SELECT num, type, content, reasoning, metadata, "
        "(SELECT group_concat(tag, ' ') FROM tags WHERE entry_id = id), "
        "(SELECT group_concat(file_path, ' ') FROM files WHERE entry_id = id) "
        f"FROM entries WHERE {states.IS_CURRENT} AND NOT (recalled >= ? AND used = 0 AND helpful = 0) "
        "ORDER BY used + helpful - harmful DESC, status = 'heard', updated DESC, num DESC LIMIT ?",
        (NEVER_USED, most),
    )
    for num, kind, content, reasoning, metadata, tags, files in rows:
        if metadata == "{}" or not is_refused(metadata):
            yield num, " ".join(filter(None, (content, reasoning, tags, files))), kind


def load_paths(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the files and folders (ending with "/") that entries are tied to which hold."""
    rows = connection.execute(
        "SELECT DISTINCT f.file_path FROM files AS f JOIN entries AS e ON e.id = f.entry_id "
        f"WHERE e.{states.IS_CURRENT}"
    )
    for (path,) in rows:
        yield str(path)
