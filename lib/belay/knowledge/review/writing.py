"""Captures written as entries, one ledger record each: a capture is promoted once, even if a run is killed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core import kinds
from belay.core.text import duplicates
from belay.knowledge.entries import entries
from belay.knowledge.review import entry_kinds, retirement
from belay.knowledge.review.context import Journals, load_context
from belay.knowledge.store.store import Store
from belay.repository import excludes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.review.capture_list import CapturedText


class Wish(NamedTuple):
    """Captures that are to become one entry, the latest last; words or a type that a person gave instead.

    `status` is "heard" for what was said in passing; `replaced`: entries that they take the place of, beside those that
    they contradict, which are looked up for what nobody judged.
    """

    captures: tuple[CapturedText, ...]
    text: str = ""
    kind: str = ""
    status: str = entries.ACTIVE
    replaced: Collection[str] | None = None


def open_store(project: Project, environ: Mapping[str, str]) -> Store:
    """Return the project's knowledge base, made where there is none: there is something to write."""
    excludes.write_excludes(project, environ)
    return Store(project.workshop, environ, create=True)


def save_captures(store: Store, journals: Journals, wish: Wish) -> tuple[Entry, bool]:
    """Write captures as one entry; return it, and whether it is new (and not an older one repeated)."""
    last = wish.captures[-1]
    draft = entry_kinds.make_entry(last, wish.text, wish.kind)
    seen = load_context(journals, last)
    often = sum(duplicates.same(one.text, last.text) for one in wish.captures)
    fields = draft.fields
    fields.update({
        "files": _list_files(journals, wish), "branch": last.branch, "commit": seen.commit, "created": last.time,
        "source": entry_kinds.entry_source(last), "of": [one.id for one in wish.captures],
        "confidence": max(entry_kinds.class_confidence(one) for one in wish.captures), "about": seen.about,
    })  # fmt: skip
    if wish.status != entries.ACTIVE:
        fields["status"] = wish.status
    if often > 1:
        fields["seen"] = often
    if wish.replaced is not None:
        found = retirement.find_contradicted(store, draft.type, draft.content, last.time)
        found += retirement.find_successor(store, draft.type, draft.content, last.time)
        fields["supersedes"] = sorted({*wish.replaced, *(one.id for one in found)})
    if entry_kinds.is_standard(last) and draft.type in kinds.RULES:
        fields["what_happened"] = seen.happened
    store.session = last.session
    entry = store.add(draft.type, draft.content, **fields)
    if entry.id != entries.make_id(draft.type, draft.content):  # it went into another one, which has them from now on
        store.append({"kind": "entry-more", "id": entry.id, "seen": 0, "of": fields["of"]})
    return entry, entry.created == last.time and entry.seen == often


def _list_files(journals: Journals, wish: Wish) -> list[str]:
    """Return the files of captures; those that were at work concern a correction only."""
    files: list[str] = []
    for capture in wish.captures:
        seen = load_context(journals, capture)
        files += [*seen.named, *(seen.at_work if entry_kinds.is_standard(capture) else ())]
    return list(dict.fromkeys(files))
