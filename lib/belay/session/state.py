"""Folds a session's journal into one small state, which is saved beside the journal (`state_types.State`).

The state is derived: hooks only append to the journal; whoever needs the state loads the saved one, folds the records
that came since (`current`) and may save it again. Losing it costs one longer read.
"""

from __future__ import annotations

from belay.core import clock, files, kinds
from belay.core.constants import CAPTURE_DAYS
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from belay.session import records
    from belay.session.records import Record
    from belay.session.state_types import Answer, State

FORM = 13
"""Raised with every change of what a record folds to: a saved state of another form is not used."""
TRIED_KEPT = 20
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
        "recalled": [], "recalled_files": [], "kept": "", "place": [],
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


def _fold_aside(state: State, record: records.AsideRecord) -> None:
    """Forget a prompt that only asked Belay for something: the work is where it was before."""
    before = state["previous"]
    if before:
        state["task"], state["request"], state["answered"] = before["task"], before["request"], before["answered"]
        state["answer"], state["plan"], state["previous"] = before["answer"], before["plan"], None


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


def _fold_milestone(state: State, record: records.MilestoneRecord) -> None:
    state["milestones"] = [*state["milestones"], record.get("what", "")][-TRIED_KEPT:]


def _fold_intent(state: State, record: records.IntentRecord) -> None:
    state["cursor"] = {
        "tool": record.get("tool", ""), "file": record.get("file", ""), "line": record.get("line", 0),
        "command": record.get("command", ""), "time": record.get("time", ""),
    }  # fmt: skip


def _fold_done(state: State, record: records.PlainRecord) -> None:
    state["cursor"] = None


def _fold_budget(state: State, record: records.BudgetRecord) -> None:
    state["announced"] = sorted({*state["announced"], *record.get("thresholds", [])})


def _fold_recalled(state: State, record: records.RecalledRecord) -> None:
    state["recalled"] += [*record.get("rows", ()), *record.get("entries", ())]
    if record.get("file"):
        state["recalled_files"].append(record["file"])


def _fold_compacted(state: State, record: records.PlainRecord) -> None:
    state["announced"], state["recalled"], state["recalled_files"] = [], [], []


def _fold_folded(state: State, record: records.PlainRecord) -> None:
    state["folded"] = record.get("time", "")


def _fold_kept(state: State, record: records.KeptRecord) -> None:
    state["kept"] = record.get("upto", "")


def _fold_end(state: State, record: records.EndRecord) -> None:
    state["ended"] = record.get("reason", "other") or "other"


_STEPS: dict[str, Callable[[State, Any], None]] = {
    "start": _fold_start, "prompt": _fold_prompt, "aside": _fold_aside, "milestone": _fold_milestone,
    "intent": _fold_intent, "done": _fold_done, "said": _fold_said, "budget": _fold_budget,
    "recalled": _fold_recalled, "compacted": _fold_compacted, "folded": _fold_folded, "kept": _fold_kept,
    "end": _fold_end,
}  # fmt: skip


FOLDED_MOST = 1000
"""Records, about five milliseconds of folding, from which on the state is worth a write."""
_SELDOM = frozenset(
    "capture close filed near edit command lesson wrap-up wrap-up-document unwrapped todos plan commit delivered "
    "asked".split()
)
"""Kinds of record that `folding` folds."""
_WORK = frozenset(("prompt", "capture", "intent", "edit", "command", "todos", "plan", "commit", "said", "delivered"))
"""Kinds of record after which a continuation that was written is out of date."""
_SETTLED = frozenset(("continued", "wrap-up"))
_ABOUT = frozenset(("folded", "kept", "continued", "close", "filed", "unwrapped"))
"""Kinds of record that another process writes about a session that is over: no sign of life."""


def load(path: str, session: str, mark: str) -> State:
    """Return the saved state; an empty one, so that all is folded anew, unless it is intact, ours and of this form."""
    saved: Any = journal.unseal(files.read(path)) or {}
    state: State = {**empty_state(session), "mark": mark}
    is_ours = (saved.get("session"), saved.get("mark"), saved.get("form")) == (session, mark, FORM)
    return saved if is_ours and saved.keys() == state.keys() else state


def load_current(path: str, journal_path: str, session: str, mark: str) -> State:
    """Return the session's state up to the last complete line of its journal; records without the mark are foreign.

    It is saved where much was folded: else each prompt of a long session whose state was lost would fold all of it.
    """
    state = load(path, session, mark)
    lines, place = journal.read_since(journal_path, state["place"])
    for record in lines:
        if record.get("mark") == mark:
            fold(state, record)
    state["place"] = place
    if len(lines) > FOLDED_MOST:
        try:
            save(path, state)
        except OSError:
            pass  # the next reader folds it again
    return state


def save(path: str, state: State) -> None:
    """Write the state with a crc; not synced, for it can always be folded again."""
    files.write(path, journal.seal(state), sync=False)


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
