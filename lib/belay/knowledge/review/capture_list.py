"""What was captured and what became of it, from the ledger and the journals that are not folded yet.

Captures and decisions are in the project's own ledger. Where a variable names another base, its entries are in that
base's ledger; those of both count, so that no capture becomes an entry twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import signatures
from belay.core.paths import find_ledger
from belay.session import journal
from belay.session import state as session_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from belay.core.paths import Project
    from belay.knowledge.store.records import (
        ChangeRecord,
        EntryChanges,
        EntryRecord,
        RepeatRecord,
        ReviewRecord,
        RuleRecord,
    )
    from belay.session.journal import Line
    from belay.session.session import Session

REVIEW = "review"
_TOLD = ("capture", "close", "wrap-up")


class CapturedText(NamedTuple):
    """One capture: id, session, UTC time, classes with confidence, sentence, origin, branch, file ("" for none)."""

    id: str
    session: str
    time: str
    classes: dict[str, float]
    text: str
    origin: str
    branch: str = ""
    file: str = ""


class Decision(NamedTuple):
    """One decision of the queue: what, which captures, the entry it led to ("" for none), whether that one was new.

    `was`: entries that were heard only → the fields that the decision changed, as they were.
    """

    act: str
    ids: tuple[str, ...]
    entry: str
    new: bool
    time: str
    was: Mapping[str, EntryChanges]


class CaptureView:
    """Captures by id, how they were closed, which later one replaced them, and what is known of each.

    `known`: capture → entry made from it; `forgotten`: entries that were forgotten; `contents`: what entries say;
    `rejected`: captures; `acts`: the decisions that stand, the oldest first; `counts`: (standard, session) → (held,
    broken); `standards`: entry → time it was made; `wrapped`: digests of finished wrap-ups whose decisions are entries;
    `heard`: entries that are not confirmed, where the base was asked.
    """

    def __init__(self) -> None:
        self.captures: dict[str, CapturedText] = {}
        self.closed: dict[str, str] = {}
        self.replaced: dict[str, str] = {}
        self.known: dict[str, str] = {}
        self.forgotten: set[str] = set()
        self.contents: dict[str, str] = {}
        self.rejected: set[str] = set()
        self.acts: list[Decision] = []
        self.counts: dict[tuple[str, str], tuple[int, int]] = {}
        self.standards: dict[str, str] = {}
        self.heard: set[str] = set()

    def is_done(self, name: str) -> bool:
        """Whether nothing is to be made of a capture any more."""
        entry = self.known.get(name)
        return entry is not None or name in self.rejected or name in self.replaced

    def is_settled(self, name: str) -> bool:
        """Whether nothing is to be decided about a capture any more: its entry is confirmed, or there is to be none."""
        return self.is_done(name) and (name in self.replaced or self.known.get(name) not in self.heard)


def load_view(project: Project, environ: Mapping[str, str], sessions: Iterable[Session]) -> CaptureView:
    """Return what the ledger and the sessions' journals say; records of other users are skipped."""
    view = CaptureView()
    marks: dict[str, str] = {}
    records_of: dict[str, list[Line]] = {}
    for record in _read_ledgers(project):
        name = str(record.get("session", ""))
        mark = marks.get(name) or marks.setdefault(name, signatures.sign_name(environ, name))
        if (not mark or record.get("mark") != mark) and not signatures.is_own(environ, name, record.get("mark")):
            continue
        if record.get("kind") in _TOLD:
            records_of.setdefault(name, []).append(record)
        else:
            _add_record(view, record)
    for session in sessions:
        if session.state["folded"] != session.state["last"] or session.name not in records_of:
            records_of.setdefault(session.name, []).extend(_read_journal(session))
    for name, records in records_of.items():
        _add_session(view, name, records)
    view.captures = dict(sorted(view.captures.items(), key=lambda pair: pair[1].time))
    return view


def _read_ledgers(project: Project) -> Iterator[Line]:
    """Yield the records of the project's ledger, then what the base in use knows of entries, if that is another."""
    yield from journal.read(project.ledger)[0]
    other = find_ledger(project.workshop)
    if other != project.ledger:
        yield from (row for row in journal.read(other)[0] if row.get("kind") in _OF_ENTRIES)


def _read_journal(session: Session) -> list[Line]:
    records = journal.read(session.project.journal(session.name))[0]
    return [row for row in records if row.get("kind") in _TOLD and session.is_own(row)]


def _add_session(view: CaptureView, name: str, records: list[Line]) -> None:
    """Add what one session captured and closed, in the order of time, each record once."""
    state = session_state.empty_state(name)
    seen = set()
    for record in sorted(records, key=lambda row: str(row.get("time", ""))):
        key = (record.get("kind"), record.get("time"), record.get("id"))
        if key in seen:
            continue
        seen.add(key)
        before = set(state["captures"])
        session_state.fold(state, record)
        closed = before - set(state["captures"])
        if record["kind"] == "capture":
            capture = _parse_capture(name, record)
            view.captures.setdefault(capture.id, capture)
            view.closed.pop(capture.id, None)
            view.replaced.update(dict.fromkeys(closed, capture.id))
        else:
            view.closed.update(dict.fromkeys(closed, str(record.get("how") or record["kind"])))


def _parse_capture(session: str, record: Line) -> CapturedText:
    classes = record.get("classes")
    return CapturedText(
        str(record.get("id", "")), session, str(record.get("time", "")),
        {str(key): float(value) for key, value in classes.items()} if isinstance(classes, dict) else {},
        str(record.get("text") or ""), str(record.get("origin") or "typed"), str(record.get("branch") or ""),
        str(record.get("file") or ""),
    )  # fmt: skip


def _add_record(view: CaptureView, record: Line) -> None:
    step = _STEPS.get(str(record.get("kind")))
    if step:
        step(view, record)


def _add_entry(view: CaptureView, record: EntryRecord) -> None:
    entry = str(record.get("id", ""))
    view.known.update((str(name), entry) for name in record.get("of") or ())
    view.forgotten.discard(entry)
    view.contents[entry] = str(record.get("content", ""))
    if "what_happened" in record:
        view.standards.setdefault(entry, str(record.get("time", "")))


def _repeat_entry(view: CaptureView, record: RepeatRecord) -> None:
    view.known.update((str(name), str(record.get("id", ""))) for name in record.get("of") or ())


def _change_entry(view: CaptureView, record: ChangeRecord) -> None:
    changes: object = record.get("set")
    if not isinstance(changes, dict):
        return
    if "content" in changes:
        view.contents[str(record.get("id", ""))] = str(changes["content"])
    status = changes.get("status")
    if status == "forgotten":
        view.forgotten.add(str(record.get("id", "")))
    elif status:
        view.forgotten.discard(str(record.get("id", "")))


def _count_rule(view: CaptureView, record: RuleRecord) -> None:
    key = (str(record.get("id", "")), str(record.get("of", "")))
    held, broken = view.counts.get(key, (0, 0))
    view.counts[key] = (held + int(record.get("held", 0)), broken + int(record.get("broken", 0)))


def _add_review(view: CaptureView, record: ReviewRecord) -> None:
    ids = tuple(map(str, record.get("ids") or ()))
    if record.get("act") == "undo":
        _undo_review(view, str(record.get("of")), ids)
        return
    if record.get("act") == "reject":
        view.rejected |= set(ids)
    entry, new = str(record.get("entry", "")), bool(record.get("new"))
    was: object = record.get("was")
    before = was if isinstance(was, dict) else {}
    view.acts.append(Decision(str(record.get("act", "")), ids, entry, new, str(record.get("time", "")), before))


def _undo_review(view: CaptureView, time: str, ids: tuple[str, ...]) -> None:
    for act in view.acts:
        if act.time == time:
            view.contents.pop(act.entry, None)  # taken back is not turned down
            for name in () if act.was else ids:
                view.known.pop(name, None)
    view.acts = [act for act in view.acts if act.time != time]
    view.rejected -= set(ids)


_STEPS: dict[str, Callable[[CaptureView, Any], None]] = {
    "entry": _add_entry, "entry-more": _repeat_entry, "entry-set": _change_entry, "standard-count": _count_rule,
    REVIEW: _add_review,
}  # fmt: skip
_OF_ENTRIES = _STEPS.keys() - {REVIEW}
