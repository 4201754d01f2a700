"""The review queue: captures that a person may confirm or turn down; each decision can be undone.

They are entries already, of the state "heard" (`promotion`), and nothing depends on the queue. A decision is one record
of the ledger (`review`); what it changes of entries is written before it, so that a kill in between loses nothing.
Decided captures leave the working buffer.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import clock
from belay.core.errors import BadInput, BelayError
from belay.knowledge.entries import entries
from belay.knowledge.review import acceptance, capture_list, entry_kinds, promotion, writing
from belay.knowledge.review.capture_list import REVIEW
from belay.knowledge.review.context import Journals
from belay.knowledge.review.writing import Wish
from belay.knowledge.store import ledger
from belay.knowledge.store.store import Store
from belay.session import captures
from belay.session.session import Session, find_others

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.review.acceptance import Waiting
    from belay.knowledge.review.capture_list import CapturedText, CaptureView, Decision
    from belay.knowledge.store.records import EntryChanges
    from belay.session.records import Candidate

LOOK_BACK_DAYS, MOST = 90.0, 200
"""Sessions looked at for open captures; what older ones left is closed by then."""
ACCEPT, MERGE, REJECT, UNDO = "accept", "merge", "reject", "undo"


class NothingToUndo(BelayError):
    """There is no decision that could be undone."""


class Outcome(NamedTuple):
    """What one decision came to: the act, its captures, the entry (None for a rejection)."""

    act: str
    ids: tuple[str, ...]
    entry: Entry | None = None


class Queue:
    """The waiting captures of a project. Every method that decides holds the lock and looks anew."""

    def __init__(self, project: Project, environ: Mapping[str, str]) -> None:
        self.project, self.environ = project, environ

    def look(self) -> CaptureView:
        sessions = find_others(Session(self.project, "", self.environ), LOOK_BACK_DAYS, most=MOST)
        view = capture_list.load_view(self.project, self.environ, sessions)
        view.heard = self._load_heard()
        return view

    def waiting(self, view: CaptureView | None = None) -> list[Waiting]:
        """Return what may be decided, the oldest first; `view`: what was looked up already."""
        return acceptance.find_waiting(view or self.look(), clock.now())

    def _load_heard(self) -> set[str]:
        """Return the ids of the entries that are not confirmed; none where there is no base."""
        try:
            with Store(self.project.workshop, self.environ) as store:
                return {entry.id for entry in entries.list_entries(store.connection, (), (entries.HEARD,), -1)}
        except BelayError:
            return set()

    def accept(self, ids: Sequence[str], text: str = "", kind: str = "") -> Outcome:
        """Make one entry of one capture, or of several that say one thing; BadInput for what does not wait.

        The words are those given, else those of the first capture; so is the type.
        """
        with self._lock():
            view = self.look()
            chosen = self._select(ids, view)
            first = chosen[0]
            wish = Wish((*chosen[1:], first), text, kind)
            with writing.open_store(self.project, self.environ) as store:
                heard = _load_entries(store, view, chosen)
                entry, new = self._confirm(store, heard.get(first.id), wish)
                others = [one for one in heard.values() if one.id != entry.id]
                for one in others:
                    store.supersede(one.id, entry.id)
            was = {one.id: _keep_fields(one) for one in heard.values()}
            act = MERGE if len(chosen) > 1 else ACCEPT
            self._decide(act, chosen, entry=entry.id, new=new, was=was)
        return Outcome(act, tuple(capture.id for capture in chosen), entry)

    def reject(self, ids: Sequence[str]) -> Outcome:
        """Reject captures: they become no entries; journal and daily log keep them."""
        with self._lock():
            view = self.look()
            chosen = self._select(ids, view)
            was = self._forget(view, chosen)
            self._decide(REJECT, chosen, was=was)
        return Outcome(REJECT, tuple(capture.id for capture in chosen))

    def undo(self) -> Outcome:
        """Undo the last decision: its captures wait again. NothingToUndo."""
        with self._lock():
            view = self.look()
            if not view.acts:
                raise NothingToUndo("the queue", "has nothing to undo")
            act = view.acts[-1]
            entry = self._withdraw(act)
            self._append(act=UNDO, ids=list(act.ids), of=act.time)
            for name in act.ids:
                self._reopen(view.captures[name])
        return Outcome(UNDO, act.ids, entry)

    def _lock(self) -> AbstractContextManager[object]:
        """Hold the lock; where nothing was ever recorded none is made."""
        return promotion.promotion_lock(self.project) if os.path.isdir(self.project.journals) else nullcontext()

    def _confirm(self, store: Store, heard: Entry | None, wish: Wish) -> tuple[Entry, bool]:
        """Confirm the entry that was heard, in the words that were given; else make one. Return whether it is new."""
        if heard is None or wish.kind not in ("", heard.type):
            return writing.save_captures(store, Journals(self.project, self.environ), wish)
        changes: EntryChanges = {"status": entries.ACTIVE}
        if wish.text:
            draft = entry_kinds.make_entry(wish.captures[-1], wish.text, heard.type)
            changes |= {"content": draft.content, "reasoning": draft.fields.get("reasoning", "")}
        return store.change(heard.id, **changes), False

    def _forget(self, view: CaptureView, chosen: list[CapturedText]) -> dict[str, EntryChanges]:
        """Forget the entries of captures that are turned down; return them as they were."""
        if not any(one.id in view.known for one in chosen):
            return {}
        with writing.open_store(self.project, self.environ) as store:
            heard = _load_entries(store, view, chosen)
            for one in heard.values():
                store.change(one.id, status=entries.FORGOTTEN)
        return {one.id: _keep_fields(one) for one in heard.values()}

    def _select(self, ids: Sequence[str], view: CaptureView) -> list[CapturedText]:
        known = {each.capture.id: each.capture for each in self.waiting(view)}
        wanted = list(dict.fromkeys(name.upper() for name in ids))
        for name in wanted:
            if name not in known:
                raise BadInput(name, "does not wait", "`belay review` lists what does")
        return [known[name] for name in wanted]

    def _decide(self, act: str, chosen: list[CapturedText], **more: Any) -> None:
        given = {key: value for key, value in more.items() if value != {}}
        self._append(act=act, ids=[capture.id for capture in chosen], **given)
        for capture in chosen:
            session = Session(self.project, capture.session, self.environ)
            session.log("close", ids=[capture.id], how=f"{act}ed" if act != MERGE else "merged")
            captures.update_buffer(session)

    def _append(self, **fields: Any) -> None:
        ledger.append(self.project.ledger, self.environ, REVIEW, **fields)

    def _withdraw(self, act: Decision) -> Entry | None:
        """Take back what a decision did to entries; return the entry it led to, None for none."""
        if not act.entry and not act.was:
            return None
        with writing.open_store(self.project, self.environ) as store:
            for name, fields in act.was.items():
                store.change(name, **fields)
            if act.entry in act.was or not act.entry:
                return None
            if act.new:
                return store.change(act.entry, status=entries.FORGOTTEN)
            store.append({"kind": "entry-more", "id": act.entry, "seen": -1})
            return store.get(act.entry)

    def _reopen(self, capture: CapturedText) -> None:
        session = Session(self.project, capture.session, self.environ)
        fields: Candidate = {"classes": capture.classes, "text": capture.text, "origin": capture.origin}
        if capture.file:
            fields["file"] = capture.file
        session.log("capture", id=capture.id, branch=capture.branch, **fields)
        captures.update_buffer(session)


def _load_entries(store: Store, view: CaptureView, chosen: list[CapturedText]) -> dict[str, Entry]:
    """Return capture → the entry that was made of it and is not confirmed."""
    pairs = ((one.id, entries.load_entry(store.connection, view.known.get(one.id, ""))) for one in chosen)
    return {name: entry for name, entry in pairs if entry and entry.status == entries.HEARD}


def _keep_fields(entry: Entry) -> EntryChanges:
    """Return the fields of an entry that a decision may change, as they are."""
    return {
        "status": entry.status, "superseded_by": entry.superseded_by, "content": entry.content,
        "reasoning": entry.reasoning,
    }  # fmt: skip
