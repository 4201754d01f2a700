"""The review queue: captures that wait for a person, and what the person decides; each decision can be undone.

A decision is one record of the ledger (`review`); an accepted capture's entry is written before it, so that a kill in
between loses nothing: the capture is known by its entry. Decided captures leave the working buffer.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import clock
from belay.core.errors import BadInput, BelayError
from belay.knowledge.entries import entries
from belay.knowledge.review import acceptance, capture_list, promotion, waiting_count, writing
from belay.knowledge.review.capture_list import REVIEW
from belay.knowledge.review.context import Journals
from belay.knowledge.review.writing import Wish
from belay.knowledge.store import ledger
from belay.session import captures
from belay.session.session import Session, find_others

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.review.acceptance import Waiting
    from belay.knowledge.review.capture_list import CapturedText, CaptureView, Decision
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
        return capture_list.load_view(self.project, self.environ, sessions)

    def waiting(self) -> list[Waiting]:
        """Return what waits, the oldest first."""
        return acceptance.find_waiting(self.look(), clock.now())

    def accept(self, ids: Sequence[str], text: str = "", kind: str = "") -> Outcome:
        """Make one entry of one capture, or of several that say one thing; BadInput for what does not wait.

        The words are those given, else those of the first capture; so is the type.
        """
        with self._lock():
            chosen = self._select(ids)
            first = chosen[0]
            wish = Wish((*chosen[1:], first), text, kind)
            with writing.open_store(self.project, self.environ) as store:
                entry, new = writing.save_captures(store, Journals(self.project, self.environ), wish)
            act = MERGE if len(chosen) > 1 else ACCEPT
            self._decide(act, chosen, entry=entry.id, new=new)
        return Outcome(act, tuple(capture.id for capture in chosen), entry)

    def reject(self, ids: Sequence[str]) -> Outcome:
        """Reject captures: they become no entries; journal and daily log keep them."""
        with self._lock():
            chosen = self._select(ids)
            self._decide(REJECT, chosen)
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
            waiting_count.save_count(self.project, len(self.waiting()))
        return Outcome(UNDO, act.ids, entry)

    def _lock(self) -> AbstractContextManager[object]:
        """Hold the lock; where nothing was ever recorded none is made."""
        return promotion.promotion_lock(self.project) if os.path.isdir(self.project.journals) else nullcontext()

    def _select(self, ids: Sequence[str]) -> list[CapturedText]:
        known = {each.capture.id: each.capture for each in self.waiting()}
        wanted = list(dict.fromkeys(name.upper() for name in ids))
        for name in wanted:
            if name not in known:
                raise BadInput(name, "does not wait", "`belay review` lists what does")
        return [known[name] for name in wanted]

    def _decide(self, act: str, chosen: list[CapturedText], **more: Any) -> None:
        self._append(act=act, ids=[capture.id for capture in chosen], **more)
        for capture in chosen:
            session = Session(self.project, capture.session, self.environ)
            session.log("close", ids=[capture.id], how=f"{act}ed" if act != MERGE else "merged")
            captures.update_buffer(session)
        waiting_count.save_count(self.project, len(self.waiting()))

    def _append(self, **fields: Any) -> None:
        ledger.append(self.project.ledger, self.environ, REVIEW, **fields)

    def _withdraw(self, act: Decision) -> Entry | None:
        """Forget the entry of a decision, or take one count off an older one; None where there is none."""
        if not act.entry:
            return None
        with writing.open_store(self.project, self.environ) as store:
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
