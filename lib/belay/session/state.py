"""Folds a session's journal into one small state, which is saved beside the journal (`state_types.State`).

The state is derived: hooks only append to the journal; whoever needs the state loads the saved one, folds the records
that came since and may save it again. Losing it costs one longer read, which a hook leaves to a process of its own.
"""

from __future__ import annotations

from belay.core import clock, files, kinds
from belay.core.constants import CAPTURE_DAYS, CAPTURES_OPEN
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from belay.session import records
    from belay.session.records import Record
    from belay.session.state_types import Answer, State

FORM = 15
"""Raised with every change of what a record folds to: a saved state of another form is not used."""
TEXT_KEPT = 600


def empty_state(session: str) -> State:
    """Return the state of a session that has done nothing."""
    return {
        "session": session, "branch": "", "head": "", "root": "", "folder": "", "task": "", "task_path": "",
        "previous": None, "request": None, "answered": True, "answer": None, "plan": None,
        "commits": [], "prompts": 0, "captures": {}, "edits": {}, "cursor": None, "todos": [], "failing": None,
        "tried": [], "lessons": [], "near": [], "said": "", "said_at": "", "planned": "", "announced": [],
        "started": "", "ended": "", "last": "", "wrapped": "", "dirty": False, "client": "", "mark": "",
        "folded": "", "drafted": False, "next": "", "status": "", "active": "", "milestones": [], "asked": 0,
        "recalled": [], "recalled_files": [], "kept": "", "preflight": None, "told": {},
        "place": [],
        "form": FORM,
    }  # fmt: skip


def fold(state: State, record: Record | journal.Line) -> State:
    """Apply one journal record to the state, in place; records of an unknown kind change nothing but `last`."""
    state["last"] = record.get("time", state["last"])
    kind = record.get("kind", "")
    if kind not in _ABOUT and record.get("reason") != "lost":
        state["active"] = state["last"]
    step = _STEPS.get(kind) or (_find_step(kind) if kind in _SELDOM else None)
    if step:
        step(state, record)
    state["dirty"] = kind in _WORK or (state["dirty"] and kind not in _SETTLED)
    return state


def _find_step(kind: str) -> Callable[[State, Any], None] | None:
    from belay.session import folding

    return folding.STEPS.get(kind)


def _set_place(state: State, record: records.Place) -> None:
    state["branch"] = record.get("branch") or state["branch"]
    state["head"] = record.get("head") or state["head"]
    state["root"] = record.get("root") or state["root"]
    state["client"] = record.get("client") or state["client"]
    state["folder"] = record.get("folder", state["folder"])


def _fold_prompt(state: State, record: records.PromptRecord) -> None:
    state["prompts"] += 1
    state["ended"] = state["status"] = ""
    _set_place(state, record)
    task, asks = record.get("task", ""), record.get("asks", "")
    asks = asks or (kinds.WORK if task else kinds.GO_ON)  # of an older version
    if asks == kinds.THANKS:
        return
    state["previous"] = {
        "task": state["task"], "request": state["request"], "answered": state["answered"], "answer": state["answer"],
        "plan": state["plan"],
    }  # fmt: skip
    text = record.get("request") or task or (record.get("text") or "")[:TEXT_KEPT]
    state["request"], state["answered"] = {"kind": asks, "text": text, "time": record.get("time", "")}, False
    if asks in kinds.TASKS or (asks == kinds.FOLLOW_UP and not state["task"]):
        _begin_task(state, task, record.get("path", ""))
    if asks not in kinds.LEANING:
        state["plan"] = None
        if asks != kinds.QUESTION:
            state["answer"] = None


def _begin_task(state: State, task: str, path: str) -> None:
    """Take up a new task; a slash command without arguments is one only where there is no other."""
    if task:
        state["task"], state["task_path"] = task, path
    elif not state["task"] and state["request"]:
        state["task"] = state["request"]["text"]


def _fold_said(state: State, record: records.SaidRecord) -> None:
    did_work = _worked_since(state, state["said_at"])
    state["said"], state["said_at"] = record.get("text", "")[-TEXT_KEPT:], record.get("time", "")
    was_answered, state["answered"] = state["answered"], not record.get("unfinished", False)
    if not state["answered"]:
        return  # the call that was interrupted stays
    state["cursor"] = None
    answer, asked, before = record.get("answer"), state["request"], state["answer"]
    if answer and "options" not in answer:  # journals of versions before have none
        answer = {**answer, "options": []}
    says_something = bool(answer and any(value for key, value in answer.items() if key != "options"))
    if before and not says_something and was_answered:  # to a thank you, or in a turn that no prompt began
        announced = "" if did_work else before["announced"]
        answer = {**before, "announced": announced, "options": _list_options(answer, before)}
    elif before and not says_something and asked and asked["kind"] == kinds.QUESTION:
        # a question in between leaves the steps as they were
        answer = {**before, "question": "", "announced": "", "options": _list_options(answer, before)}
    state["answer"] = answer


def _list_options(answer: Answer | None, before: Answer) -> list[list[str]]:
    """Return the options of the last answer that lists some."""
    return (answer["options"] if answer else []) or before["options"]


def _worked_since(state: State, time: str) -> bool:
    """Whether a file was edited or a check ran after a moment: what was announced then may be carried out."""
    times = [*(edit["time"] for edit in state["edits"].values()), *(run["time"] for run in state["tried"])]
    return any(moment > time for moment in times)


def _fold_start(state: State, record: records.StartRecord) -> None:
    state["started"] = state["started"] or record.get("time", "")
    state["ended"] = ""
    _set_place(state, record)


def _fold_intent(state: State, record: records.IntentRecord) -> None:
    told = record.get("told")
    if told:
        prompt = record.get("prompt_id") or str(state["prompts"])
        state["told"] = dict([*state["told"].items(), *((name, prompt) for name in told)][-CAPTURES_KEPT:])
    if record.get("refused"):
        return
    state["cursor"] = {
        "tool": record.get("tool", ""), "file": record.get("file", ""), "line": record.get("line", 0),
        "command": record.get("command", ""), "time": record.get("time", ""),
    }  # fmt: skip


def _fold_done(state: State, record: records.PlainRecord) -> None:
    state["cursor"] = None


def _fold_end(state: State, record: records.EndRecord) -> None:
    state["ended"] = record.get("reason", "other") or "other"


_STEPS: dict[str, Callable[[State, Any], None]] = {
    "start": _fold_start, "prompt": _fold_prompt, "intent": _fold_intent, "done": _fold_done, "said": _fold_said,
    "end": _fold_end,
}  # fmt: skip


FOLDED_MOST = 1000
"""Records, about five milliseconds of folding, from which on the state is worth a write."""
FOLDED_BYTES = 1024
"""Bytes that take as long to read as another record."""
CAPTURES_KEPT = 2 * CAPTURES_OPEN
"""Open captures of a session, whatever its journal says: each of its hooks reads them."""
CAPTURES_COMPARED = 40
"""Captures, about five milliseconds of comparing, that a hook folds where it cannot fold all."""
_SELDOM = frozenset(
    "capture close filed near edit command lesson wrap-up wrap-up-document unwrapped todos plan commit delivered "
    "asked aside milestone budget recalled compacted folded kept reflex".split()
)
"""Kinds of record that `folding` folds."""
_WORK = frozenset(("prompt", "capture", "intent", "edit", "command", "todos", "plan", "commit", "said", "delivered"))
"""Kinds of record after which a continuation that was written is out of date."""
_SETTLED = frozenset(("continued", "wrap-up"))
_ABOUT = frozenset(("folded", "kept", "continued", "close", "filed", "unwrapped"))
"""Kinds of record that another process writes about a session that is over: no sign of life."""


class StateFile:
    """A session's saved state and the journal it is folded from; `is_own` tells which records are this user's."""

    __slots__ = ("is_own", "journal", "mark", "path", "session")

    def __init__(
        self, path: str, journal: str, session: str, mark: str, is_own: Callable[[Record | journal.Line], bool]
    ) -> None:
        self.path, self.journal, self.session, self.mark, self.is_own = path, journal, session, mark, is_own

    def load_saved(self) -> State:
        """Return the saved state; an empty one, so that all is folded, unless it is intact, ours and of this form."""
        saved: Any = journal.unseal(files.read(self.path)) or {}
        state: State = {**empty_state(self.session), "mark": self.mark}
        is_ours = (saved.get("session"), saved.get("mark"), saved.get("form")) == (self.session, self.mark, FORM)
        return saved if is_ours and saved.keys() == state.keys() else state

    def load_current(self) -> State:
        """Return the state up to the last complete line of the journal, without the records that are foreign.

        It is saved where much was folded: else each reader of a long session whose state was lost would fold all of it.
        """
        return self._read_on(self.load_saved())

    def load_within(self, most: int) -> tuple[State, bool]:
        """Return the state without reading more than so many bytes of the journal, and whether it is complete.

        One that is not complete is the last one that was saved, with the journal's end folded into it: it lacks what is
        in between, and is not to be saved.
        """
        state = self.load_saved()
        if journal.count_unread(self.journal, state["place"]) <= most:
            return self._read_on(state), True
        return self._fold(state, _drop_old_captures(journal.read_recent(self.journal, most))), False

    def fold_rest(self, lock_path: str) -> None:
        """Fold all of the journal and save the state: one process at a time, and none where it cannot be saved."""
        from belay.core import lock
        from belay.core.errors import LockTimeout

        try:
            with lock.hold(lock_path, deadline=0.0):
                state = self.load_saved()
                self.save(state)
                self.save(self._read_on(state))
        except (OSError, LockTimeout):
            return

    def save(self, state: State) -> None:
        """Write the state with a crc; not synced, for it can always be folded again."""
        files.write(self.path, journal.seal(state), sync=False)

    def _read_on(self, state: State) -> State:
        folded = 0
        for lines, place in journal.read_parts(self.journal, state["place"]):
            folded += len(lines) + (sum(place) - sum(state["place"])) // FOLDED_BYTES
            self._fold(state, lines)
            state["place"] = place
            if folded > FOLDED_MOST:
                folded = 0
                try:
                    self.save(state)
                except OSError:
                    pass  # the next reader folds it again
        return state

    def _fold(self, state: State, lines: list[journal.Line]) -> State:
        for record in lines:
            if self.is_own(record):
                fold(state, record)
                if len(state["captures"]) > CAPTURES_KEPT:
                    del state["captures"][next(iter(state["captures"]))]
        return state


def _drop_old_captures(lines: list[journal.Line]) -> list[journal.Line]:
    """Return records with the last captures only: each is compared with those before it."""
    at = [number for number, record in enumerate(lines) if record.get("kind") == "capture"]
    dropped = set(at[:-CAPTURES_COMPARED])
    return [record for number, record in enumerate(lines) if number not in dropped] if dropped else lines


def find_cursor(state: State) -> tuple[str, int]:
    """Return (path, line) where work stopped: the running tool call's file, else the last edit; ("", 0) if none."""
    cursor = state["cursor"]
    if cursor and cursor["file"]:
        edit = state["edits"].get(cursor["file"])
        return cursor["file"], cursor["line"] or (edit["line"] if edit else 0)
    for path in reversed(list(state["edits"])):
        return path, state["edits"][path]["line"]
    return "", 0


def find_expired(captures: Mapping[str, Mapping[str, Any]], now: str) -> list[str]:
    """Return the ids of captures older than their days; `now` is a journal time."""
    oldest = clock.days_before(now, CAPTURE_DAYS)
    return [name for name, capture in captures.items() if capture["time"] < oldest]
