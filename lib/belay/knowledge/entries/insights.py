"""Rules in the project's own files, as entries: written from the file, deleted when their line is gone.

No ledger holds them. Their ids begin with "I-" and come of path and words; `metadata` says where they are and
whether the file is trusted (docs/trust.md): until that is said they are not.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from belay.core import plain_text
from belay.knowledge.entries import entries
from belay.knowledge.entries.entries import Entry
from belay.knowledge.store.tables import entry_rows, text_index

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable
    from typing import TypedDict

    # "from" is a keyword of Python
    About = TypedDict("About", {"from": str, "line": int, "trusted": bool}, total=False)

HEAD = "I-"
_LETTERS = 8
_COUNTS = ("recalled", "used", "helpful", "harmful", "tokens")


class Insight(NamedTuple):
    """One rule of a file: its line (1-based), antipattern or preference, its words."""

    line: int
    type: str
    content: str


def make_id(path: str, insight: Insight) -> str:
    """Return the id of a rule: the same for the same words in the same file, wherever the line moves."""
    from base64 import b32encode  # what only indexing needs is not loaded by a search
    from hashlib import blake2b

    said = f"{path}\n{insight.type}\n{plain_text.key(insight.content)}".encode("utf-8", "replace")
    return HEAD + b32encode(blake2b(said, digest_size=5).digest()).decode()[:_LETTERS]


def replace_rules(connection: sqlite3.Connection, path: str, folder: str, found: Iterable[Insight], now: str) -> None:
    """Write the rules of a file in place of its earlier ones, within the caller's transaction.

    `folder`: what they are tied to, with "/" behind it.
    """
    wanted = {make_id(path, insight): insight for insight in found}
    stored = {entry: about for entry, about in _load_metadata(connection).items() if about.get("from") == path}
    for entry in stored.keys() - wanted.keys():
        entry_rows.delete(connection, entry)
    for entry, insight in wanted.items():
        if entry not in stored:
            _add_rule(connection, entry, insight, folder, now)
        _write_metadata(connection, entry, {"from": path, "line": insight.line, "trusted": False})
        _index_line(connection, entry, path, insight, folder)


def load_ids(connection: sqlite3.Connection) -> set[str]:
    """Return the ids of all rules of files."""
    return set(_load_metadata(connection))


def delete_rules(connection: sqlite3.Connection, paths: Collection[str]) -> None:
    """Take out the rules of files that are gone, within the caller's transaction."""
    for entry, about in _load_metadata(connection).items():
        if about.get("from") in paths:
            entry_rows.delete(connection, entry)


def load_files(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the files that have rules, and the hash (`memory_files`) of what was read of each."""
    rows = dict(connection.execute("SELECT path, hash FROM memory_files").fetchall())
    return {
        path: rows.get(path, "") for about in _load_metadata(connection).values() if (path := str(about.get("from")))
    }


def load_trusted(connection: sqlite3.Connection) -> set[str]:
    """Return the files whose rules may be shown unasked."""
    return {str(about.get("from")) for about in _load_metadata(connection).values() if about.get("trusted") is True}


def set_trusted(connection: sqlite3.Connection, trusted: set[str]) -> None:
    """Say of each rule whether its file is among the trusted ones, within the caller's transaction."""
    for entry, about in _load_metadata(connection).items():
        is_trusted = about.get("from") in trusted
        if about.get("trusted") is not is_trusted:
            _write_metadata(connection, entry, {**about, "trusted": is_trusted})


def _load_metadata(connection: sqlite3.Connection) -> dict[str, About]:
    rows = connection.execute("SELECT id, metadata FROM entries WHERE id >= 'I-' AND id < 'I.'")
    return {entry: json.loads(about) for entry, about in rows}


def _add_rule(connection: sqlite3.Connection, entry: str, insight: Insight, folder: str, now: str) -> None:
    """Write a new one; what sessions made of it before is counted on."""
    sums = ", ".join(f"coalesce(sum({key}), 0)" for key in _COUNTS)
    counts = connection.execute(f"SELECT {sums} FROM counted WHERE entry_id = ?", (entry,)).fetchone()
    entry_rows.write(connection, Entry(
        id=entry, type=insight.type, content=insight.content, files=(folder,), source="imported", created=now,
        updated=now, **dict(zip(_COUNTS, counts, strict=True)),
    ))  # fmt: skip


def _write_metadata(connection: sqlite3.Connection, entry: str, about: About) -> None:
    entry_rows.set_metadata(connection, entry, json.dumps(about, ensure_ascii=False))


def _index_line(connection: sqlite3.Connection, entry: str, path: str, insight: Insight, folder: str) -> None:
    """Let a search that finds the rule name its line of the file."""
    num, status = connection.execute("SELECT num, status FROM entries WHERE id = ?", (entry,)).fetchone()
    lines = (insight.line, insight.line)
    if status != entries.FORGOTTEN:
        text_index.replace_text(connection, int(num), path, lines, f"{insight.type} {folder}", insight.content)
