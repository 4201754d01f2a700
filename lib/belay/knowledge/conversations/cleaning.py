"""Conversations that are kept already, cleaned of what was forgotten since, and of secrets that new rules recognise."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from belay.core import files, json_codec, plain_text
from belay.core.errors import BelayError
from belay.knowledge.conversations import removal
from belay.knowledge.entries import entries
from belay.knowledge.store import database, database_file
from belay.knowledge.store.store import Store
from belay.safety import redaction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.conversations.archive import Archive, Record

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


def clean(kept: Archive, forgotten: Sequence[str], ends: float | None = None) -> bool:
    """Clean every file that was cleaned by other rules last, until a moment (monotonic); return whether all are.

    What of each file was done is in `clean.json`: rules and forgotten texts as checksums.
    """
    done, current, names = _load_done(kept), _list_marks(forgotten), kept.list_names()
    todo = [name for name in names if done.get(name) != current]
    for name in todo:
        if ends is not None and time.monotonic() > ends:
            break
        before = done.get(name, [""])
        texts = [text for text in forgotten if plain_text.checksum(text) not in before[1:]]
        _clean_file(kept, name, texts, is_redacted=before[0] == current[0])
        done[name] = current
    if todo or done.keys() - set(names):
        _save_done(kept, {name: done[name] for name in names if name in done})
    return all(done.get(name) == current for name in names)


def note_clean(kept: Archive, forgotten: Sequence[str], names: set[str]) -> None:
    """Note files whose text was all written by today's rules."""
    if names:
        _save_done(kept, {**_load_done(kept), **dict.fromkeys(names, _list_marks(forgotten))})


def _list_marks(forgotten: Sequence[str]) -> list[str]:
    """Return what a file was cleaned by: the rules' checksum, then those of the forgotten texts."""
    return [redaction.fingerprint(), *sorted(map(plain_text.checksum, forgotten))]


def _clean_file(kept: Archive, name: str, texts: Sequence[str], *, is_redacted: bool) -> None:
    if is_redacted and not _may_hold(kept, name, texts):
        return
    records = kept.load(name)
    remove = removal.make_remover(texts)
    cleaned: list[Record] = []
    for record in records:
        text = record.get("text", "")
        new = remove(text if is_redacted else redaction.redact(text))
        cleaned.append({**record, "text": new} if new != text else record)
    if cleaned != records:
        kept.rewrite(name, cleaned, (kept.load_progress(name) or {}).get("at", {}))


def _may_hold(kept: Archive, name: str, texts: Sequence[str]) -> bool:
    """Whether a file's bytes hold the longest word of one of some texts: most hold none, and need not be parsed."""
    words = [removal.find_longest(text) for text in texts]
    data = files.read(kept.path(name)).lower()
    return any(not word.isascii() or word.encode() in data for word in words if word)


def _load_done(kept: Archive) -> dict[str, list[str]]:
    """Return what each file was cleaned by; the file holds each list once, and its number for every session."""
    try:
        done = json_codec.loads(files.read(os.path.join(kept.folder, _MARK)).decode("utf-8", "replace"))
        lists = done["lists"]
        return {name: lists[number] for name, number in done["sessions"].items()}
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}


def _save_done(kept: Archive, done: Mapping[str, list[str]]) -> None:
    lists = sorted({tuple(marks) for marks in done.values()})
    numbers = {name: lists.index(tuple(marks)) for name, marks in done.items()}
    data = json_codec.encode({"lists": lists, "sessions": numbers})
    files.write(os.path.join(kept.folder, _MARK), data, sync=False)
