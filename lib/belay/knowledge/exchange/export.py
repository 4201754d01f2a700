"""The knowledge base as files: knowledge.jsonl for git and other machines, Markdown for people."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

from belay.core import kinds, signatures
from belay.core.plain_text import printable
from belay.knowledge.entries import entries, insights, standards
from belay.knowledge.exchange import json_rows
from belay.safety.redaction import redact
from belay.session import journal

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.exchange.json_rows import Row
    from belay.knowledge.store.store import Store

NAME = "knowledge.jsonl"
STATES = tuple(kinds.STATUSES)


def export_path(store: Store) -> str:
    """Return the path of a base's export: beside it."""
    return os.path.join(os.path.dirname(store.path), NAME)


def load_rows(store: Store) -> dict[str, Row]:
    """Return every entry as a row, by id, with the hashes of its earlier texts; a file's own rules go with the file."""
    past = load_hashes(store)
    listed = entries.list_entries(store.connection, status=STATES, limit=-1)
    recorded = [entry for entry in listed if not entry.id.startswith(insights.HEAD)]
    happened = {rule.id: redact(rule.what_happened) for rule in standards.list_standards(store.connection)}
    rows = [json_rows.make_row(_redact(one), past.get(one.id, ()), happened.get(one.id, "")) for one in recorded]
    return {str(row["id"]): row for row in rows}


def _redact(entry: Entry) -> Entry:
    """Redact again: an earlier version may have written what counts as a secret now."""
    return entry._replace(content=redact(entry.content), reasoning=redact(entry.reasoning))


def load_hashes(store: Store) -> dict[str, set[str]]:
    """Return the hashes of the texts and reasons that each entry had, by this user's ledger."""
    hashes: dict[str, set[str]] = defaultdict(set)
    reasoned = set()
    for record in journal.read(store.ledger)[0]:
        if not signatures.is_own(store.environ, str(record.get("session", "")), record.get("mark")):
            continue
        name, changed, was = str(record.get("id", "")), record.get("set"), record.get("was")
        fields = changed if isinstance(changed, dict) else record
        text, reason = fields.get("content"), fields.get("reasoning")
        hashes[name] |= {json_rows.hash_text(text)} if isinstance(text, str) else set()
        hashes[name] |= set(map(str, was)) if isinstance(was, list) else set()
        if isinstance(reason, str) and reason and not (record.get("kind") == "entry" and name in reasoned):
            reasoned.add(name)  # said again, an entry keeps its reason
            hashes[name].add(json_rows.hash_reason(reason))
    return hashes


def render_lines(store: Store) -> bytes:
    """Return knowledge.jsonl."""
    return json_rows.render_rows(load_rows(store).values())


def render_markdown(store: Store, since: str = "", *, only_open_goals: bool = False) -> str:
    """Return what holds now as a document, by type, the newest first; what was replaced or forgotten stays out.

    `since`: a UTC time, only what was made later.
    """
    types, states = ((kinds.GOAL,), entries.CURRENT) if only_open_goals else ((), (*entries.CURRENT, entries.DONE))
    listed = entries.list_entries(store.connection, types, states, limit=-1, since=since)
    listed = [entry for entry in listed if entry.created >= since]
    parts = ["# Knowledge\n"]
    for kind in (*kinds.ENTRY_TYPES, *sorted({entry.type for entry in listed} - kinds.ENTRIES.keys())):
        entries_of_kind = [entry for entry in listed if entry.type == kind]
        if entries_of_kind:
            parts.append(
                "\n".join([f"## {printable(kinds.entry_words(kind)[2])}\n", *map(_render_item, entries_of_kind), ""])
            )
    return "\n".join(parts)


def _render_item(entry: Entry) -> str:
    done = {"goal": "[x] " if entry.status == entries.DONE else "[ ] "}.get(entry.type, "")
    text = redact(printable(entry.content))
    stop = "" if text.endswith((".", "!", "?", "…")) else "."
    why = f"{stop} Why: {redact(printable(entry.reasoning))}" if entry.reasoning else ""
    facts = [
        entry.created[:10],
        entry.sure,
        entry.priority,
        entry.branch,
        *(f"`{printable(path)}`" for path in entry.files),
    ]
    facts += [f"#{printable(tag)}" for tag in entry.tags]
    return f"- {done}{text}{why} ({', '.join(filter(None, [entry.id, *map(printable, facts)]))})"
