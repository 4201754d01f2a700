"""Conversations that are kept already: secrets that new rules recognise are redacted, forgotten texts are looked up."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from belay.core import files, json_codec
from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.store import database, database_file
from belay.knowledge.store.store import Store
from belay.safety import redaction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.conversations.archive import Archive

_MARK = "clean.json"


def load_forgotten(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the texts and reasons of the entries that were forgotten."""
    if not database_file.has_data(project.workshop):
        return []
    try:
        with Store(project.workshop, environ) as store:
            rows = entries.list_entries(store.connection, (), (entries.FORGOTTEN,), -1)
    except (BelayError, database.SqlError):
        return []
    return sorted({text for row in rows for text in (row.content, row.reasoning) if text})


def clean(kept: Archive, ends: float | None = None) -> bool:
    """Redact every file that was redacted by other rules last, until a moment (monotonic); return whether all are.

    By which rules a file was redacted is in `clean.json`.
    """
    done, rules, names = _load_done(kept), redaction.fingerprint(), kept.list_names()
    todo = [name for name in names if done.get(name) != rules]
    for name in todo:
        if ends is not None and time.monotonic() > ends:
            break
        _clean_file(kept, name)
        done[name] = rules
    if todo or done.keys() - set(names):
        _save_done(kept, {name: done[name] for name in names if name in done})
    return all(done.get(name) == rules for name in names)


def note_clean(kept: Archive, names: set[str]) -> None:
    """Note files whose text was all written by today's rules."""
    if names:
        _save_done(kept, {**_load_done(kept), **dict.fromkeys(names, redaction.fingerprint())})


def _clean_file(kept: Archive, name: str) -> None:
    records, cleaned = kept.load_kept(name), []
    for record in records:
        text = record.get("text", "")
        new = redaction.redact(text)
        cleaned.append({**record, "text": new} if new != text else record)
    if cleaned != records:
        kept.rewrite(name, cleaned, (kept.load_progress(name) or {}).get("at", {}))


def _load_done(kept: Archive) -> dict[str, str]:
    try:
        done = json_codec.loads(files.read(os.path.join(kept.folder, _MARK)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return {name: rules for name, rules in done.items() if isinstance(rules, str)} if isinstance(done, dict) else {}


def _save_done(kept: Archive, done: Mapping[str, str]) -> None:
    files.write(os.path.join(kept.folder, _MARK), json_codec.encode(done), sync=False)
