"""Folds a session's journal into one small state, which is saved beside the journal (`state_types.State`).

The state is derived: hooks only append to the journal; whoever needs the state loads the saved one, folds the records
that came since (`current`) and may save it again. Losing it costs one longer read.
"""

from __future__ import annotations

from belay.core import clock, files
from belay.core.constants import CAPTURE_DAYS
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from belay.session import records
    from belay.session.records import Record
    from belay.session.state_types import Capture, Lesson, Outcome, State

FORM = 6
"""Raised with every change of what a record folds to: a saved state of another form is not used."""
EDITS_KEPT = 40
TRIED_KEPT = 20
TEXT_KEPT = 600


def empty_state(session: str) -> State:
    """Return the state of a session that has done nothing."""
    return {
        "session": session, "branch": "", "head": "", "root": "", "folder": "", "task": "", "before": "",
        "intended": "", "prompts": 0, "captures": {}, "edits": {},
        "cursor": None, "todos": [], "failing": None, "tried": [], "lessons": [], "near": [], "said": "",
        "intent": "", "announced": [], "started": "", "ended": "", "last": "", "wrapped": "",
        "dirty": False, "client": "", "mark": "", "folded": "", "drafted": False,
        "next": "", "status": "", "active": "", "milestones": [], "recalled": [], "kept": "",
        "place": [],
        "form": FORM,
    }  # fmt: skip


def fold(state: State, record: Record | journal.Line) -> State:
    """Apply one journal record to the state, in place; records of an unknown kind change nothing but `last`."""
    state["last"] = record.get("time", state["last"])
    kind = record.get("kind", "")
    if kind not in _ABOUT and record.get("reason") != "lost":
        state["active"] = state["last"]
    step = _STEPS.get(kind)
    if step:
        step(state, record)
    state["dirty"] = kind in _WORK or (state["dirty"] and kind not in _SETTLED)
    return state


def _fold_start(state: State, record: records.StartRecord) -> None:
    state["started"] = state["started"] or record.get("time", "")
    state["ended"] = ""
    _set_place(state, record)


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
    text = record.get("task", "")
    if text:
        state["before"], state["task"] = state["task"], text
        state["intended"], state["intent"] = state["intent"], ""


def _fold_capture(state: State, record: records.CaptureRecord) -> None:
    new: Capture = {
        "id": record.get("id", ""), "classes": record.get("classes") or {}, "text": record.get("text") or "",
        "origin": record.get("origin", ""), "time": record.get("time", ""), "branch": record.get("branch") or "",
        "file": record.get("file"),
    }  # fmt: skip
    for name in _replaced(state, new):
        del state["captures"][name]
    state["captures"][new["id"]] = new
    if state["task"] and state["task"].rstrip("…") in new["text"]:
        state["task"] = state["before"]
        state["intent"] = state["intent"] or state["intended"]


def _fold_aside(state: State, record: records.AsideRecord) -> None:
    """Forget the task of a prompt that only asked Belay for something."""
    if state["task"] == record.get("task"):
        state["task"] = state["before"]


def _fold_close(state: State, record: records.CloseRecord) -> None:
    for name in record.get("ids", []):
        state["captures"].pop(name, None)


def _fold_filed(state: State, record: records.FiledRecord) -> None:
    """Mark captures as filed; they stay open until the session is saved: a compaction must not lose them."""
    for name in record.get("ids", []):
        if name in state["captures"]:
            state["captures"][name]["filed"] = record.get("file", "")


def _fold_milestone(state: State, record: records.MilestoneRecord) -> None:
    state["milestones"] = [*state["milestones"], record.get("what", "")][-TRIED_KEPT:]


def _fold_near(state: State, record: records.NearRecord) -> None:
    state["near"] = [*state["near"], *record.get("sentences", [])][-TRIED_KEPT:]


def _fold_intent(state: State, record: records.IntentRecord) -> None:
    state["cursor"] = {
        "tool": record.get("tool", ""), "file": record.get("file", ""), "line": record.get("line", 0),
        "command": record.get("command", ""), "time": record.get("time", ""),
    }  # fmt: skip


def _fold_done(state: State, record: records.PlainRecord) -> None:
    state["cursor"] = None


def _fold_edit(state: State, record: records.EditRecord) -> None:
    state["next"] = ""
    for edit in record.get("files", []):
        old = state["edits"].pop(edit["path"], None) or {"line": 0, "count": 0, "time": ""}
        line = edit.get("line") or old["line"]
        state["edits"][edit["path"]] = {
            "line": line,
            "count": old["count"] + 1,
            "time": record.get("time", ""),
        }
    while len(state["edits"]) > EDITS_KEPT:
        del state["edits"][next(iter(state["edits"]))]
    state["cursor"] = None


def _fold_command(state: State, record: records.CommandRecord) -> None:
    state["cursor"] = None
    state["tried"] = [*state["tried"], _make_outcome(record)][-TRIED_KEPT:]
    failing = state["failing"]
    if not record.get("ok", True):
        state["failing"] = {**_make_outcome(record), "files": list(state["edits"])}
    elif failing:
        from belay.client import tool_results  # seldom, and every hook would pay for it

        if tool_results.passes(record.get("command", ""), failing["command"]):
            state["failing"] = None


def _make_outcome(record: records.CommandRecord) -> Outcome:
    return {
        "command": record.get("command", ""), "ok": record.get("ok", True), "output": record.get("output", ""),
        "time": record.get("time", ""),
    }  # fmt: skip


def _fold_lesson(state: State, record: records.LessonRecord) -> None:
    lesson: Lesson = {
        "failed": record.get("failed", ""), "files": record.get("files", []), "passed": record.get("passed", ""),
    }  # fmt: skip
    state["lessons"] = [*state["lessons"], lesson][-TRIED_KEPT:]


def _fold_todos(state: State, record: records.TodosRecord) -> None:
    state["todos"] = record.get("items", [])


def _fold_said(state: State, record: records.SaidRecord) -> None:
    state["said"] = record.get("text", "")[-TEXT_KEPT:]
    state["intent"] = record.get("intent") or state["intent"]
    state["cursor"] = None


def _fold_budget(state: State, record: records.BudgetRecord) -> None:
    state["announced"] = sorted({*state["announced"], *record.get("thresholds", [])})


def _fold_recalled(state: State, record: records.RecalledRecord) -> None:
    state["recalled"] += [*record.get("rows", ()), *record.get("entries", ())]


def _fold_compacted(state: State, record: records.PlainRecord) -> None:
    state["announced"], state["recalled"] = [], []


def _fold_wrapped(state: State, record: records.WrapUpRecord) -> None:
    _fold_close(state, {"ids": record.get("ids", list(state["captures"]))})
    state["wrapped"], state["drafted"] = record.get("time", ""), False
    state["task"] = record.get("task") or state["task"]
    state["next"], state["status"] = record.get("next", ""), record.get("status", "")


def _fold_drafted(state: State, record: records.DraftRecord) -> None:
    state["drafted"] = bool(record.get("written"))
    state["folder"] = record.get("folder", state["folder"])


def _fold_folded(state: State, record: records.PlainRecord) -> None:
    state["folded"] = record.get("time", "")


def _fold_kept(state: State, record: records.KeptRecord) -> None:
    state["kept"] = record.get("upto", "")


def _fold_end(state: State, record: records.EndRecord) -> None:
    state["ended"] = record.get("reason", "other") or "other"


_STEPS: dict[str, Callable[[State, Any], None]] = {
    "start": _fold_start, "prompt": _fold_prompt, "capture": _fold_capture, "close": _fold_close,
    "near": _fold_near, "aside": _fold_aside, "filed": _fold_filed, "milestone": _fold_milestone,
    "intent": _fold_intent, "done": _fold_done, "edit": _fold_edit, "command": _fold_command,
    "lesson": _fold_lesson, "todos": _fold_todos, "said": _fold_said, "budget": _fold_budget,
    "recalled": _fold_recalled, "compacted": _fold_compacted, "wrap-up-document": _fold_drafted,
    "wrap-up": _fold_wrapped, "folded": _fold_folded, "kept": _fold_kept, "end": _fold_end,
}  # fmt: skip


def _replaced(state: State, new: Capture) -> list[str]:
    """Return the ids of captures that a new one takes the place of; it shares a class with them, or is a correction."""
    others = [old for old in state["captures"].values() if old["id"] != new["id"]]
    if not others:
        return []
    from belay.core import kinds
    from belay.core.text import corrections  # seldom, and every hook would pay for it

    classes = set(new["classes"] or ())
    earlier = {
        old["id"]: old["text"] or ""
        for old in others
        if kinds.CORRECTION in classes or not classes.isdisjoint(old["classes"] or ())
    }
    return corrections.replaced(new["text"] or "", earlier)


_WORK = frozenset(("prompt", "capture", "intent", "edit", "command", "todos"))
"""Kinds of record after which a continuation that was written is out of date."""
_SETTLED = frozenset(("continued", "wrap-up"))
_ABOUT = frozenset(("folded", "kept", "continued", "close", "filed"))
"""Kinds of record that another process writes about a session that is over: no sign of life."""


def load(path: str, session: str, mark: str) -> State:
    """Return the saved state; an empty one, so that all is folded anew, unless it is intact, ours and of this form."""
    saved: Any = journal.unseal(files.read(path)) or {}
    state: State = {**empty_state(session), "mark": mark}
    is_ours = (saved.get("session"), saved.get("mark"), saved.get("form")) == (session, mark, FORM)
    return saved if is_ours and saved.keys() == state.keys() else state


def load_current(path: str, journal_path: str, session: str, mark: str) -> State:
    """Return the session's state up to the last complete line of its journal; records without the mark are foreign."""
    state = load(path, session, mark)
    lines, place = journal.read_since(journal_path, state["place"])
    for record in lines:
        if record.get("mark") == mark:
            fold(state, record)
    state["place"] = place
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
