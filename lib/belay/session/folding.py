"""Folds the records that most prompts do not bring: captures, edits, commands, plans, commits, todos, wrap-ups.

`state` loads this when such a record comes: a prompt in a quiet session does not pay for it.
"""

from __future__ import annotations

from belay.core import kinds
from belay.core.constants import CAPTURES_OPEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from belay.session import records
    from belay.session.state_types import Capture, CommitMade, Lesson, Outcome, State

EDITS_KEPT = 40
KEPT = 20
RECALLED_KEPT = 1000


def fold_todos(state: State, record: records.TodosRecord) -> None:
    state["todos"], state["planned"] = record.get("items", []), record.get("time", "")


def fold_plan(state: State, record: records.PlanRecord) -> None:
    title, status = record.get("title", ""), record.get("status", "")
    if not title and state["plan"]:
        title = state["plan"]["title"]
    state["plan"] = {"title": title, "status": status, "time": record.get("time", "")}
    if title:
        state["task"], state["task_path"] = title, ""


def fold_commit(state: State, record: records.CommitRecord) -> None:
    made: CommitMade = {
        "sha": record.get("sha", ""), "subject": record.get("subject", ""), "time": record.get("time", ""),
    }  # fmt: skip
    state["commits"] = [*state["commits"], made][-KEPT:]
    state["failing"] = None


def fold_delivered(state: State, record: records.DeliveredRecord) -> None:
    """Take up the work of the session whose continuation was delivered, where nothing else was asked for yet."""
    work = record.get("work")
    if not work or state["prompts"] or state["task"]:
        return
    state["task"], state["task_path"], state["request"] = work["task"], work["path"], work["request"]
    state["answered"], state["answer"], state["plan"] = work["answered"], work["answer"], work["plan"]
    state["todos"], state["next"], state["status"] = work["todos"], work["next"], work["status"]


def fold_capture(state: State, record: records.CaptureRecord) -> None:
    new: Capture = {
        "id": record.get("id", ""), "classes": record.get("classes") or {}, "text": record.get("text") or "",
        "origin": record.get("origin", ""), "time": record.get("time", ""), "branch": record.get("branch") or "",
        "file": record.get("file"),
    }  # fmt: skip
    for name in _replaced(state, new):
        del state["captures"][name]
    state["captures"][new["id"]] = new
    if not record.get("asks"):
        _take_back_task(state, new)


def _take_back_task(state: State, capture: Capture) -> None:
    """Go back to the task before where the last prompt turned out to be a capture and nothing else.

    A correction modifies the task; what Claude had announced before it is told beside it.
    """
    before, request, text = state["previous"], state["request"], capture["text"].lower()
    if not before or not before["task"] or request is None or request["text"].rstrip(".!…").lower() not in text:
        return
    is_correction = kinds.CORRECTION in capture["classes"]
    state["task"], state["answer"], state["plan"] = before["task"], before["answer"], before["plan"]
    state["request"] = {**request, "kind": kinds.OBJECTION if is_correction else kinds.FOLLOW_UP}


def fold_close(state: State, record: records.CloseRecord) -> None:
    for name in record.get("ids", []):
        state["captures"].pop(name, None)


def fold_filed(state: State, record: records.FiledRecord) -> None:
    """Mark captures as filed; they stay open until the session is saved: a compaction must not lose them."""
    for name in record.get("ids", []):
        if name in state["captures"]:
            state["captures"][name]["filed"] = record.get("file", "")


def fold_near(state: State, record: records.NearRecord) -> None:
    state["near"] = [*state["near"], *record.get("sentences", [])][-KEPT:]


def fold_edit(state: State, record: records.EditRecord) -> None:
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


def fold_command(state: State, record: records.CommandRecord) -> None:
    from belay.client import checks  # seldom, and every hook would pay for it

    outcome: Outcome = {
        "command": record.get("command", ""), "ok": record.get("ok", True), "output": record.get("output", ""),
        "time": record.get("time", ""), "check": checks.outcome(record),
    }  # fmt: skip
    state["cursor"] = None
    state["tried"] = [*state["tried"], outcome][-KEPT:]
    if outcome["check"] == checks.FAILED:
        state["failing"] = {**outcome, "files": list(state["edits"]), "evidence": record.get("evidence", "")}
    elif state["failing"] and checks.is_fixed(state["failing"], state["tried"]):
        state["failing"] = None


def fold_lesson(state: State, record: records.LessonRecord) -> None:
    lesson: Lesson = {
        "failed": record.get("failed", ""), "files": record.get("files", []), "passed": record.get("passed", ""),
    }  # fmt: skip
    state["lessons"] = [*state["lessons"], lesson][-KEPT:]


def fold_wrapped(state: State, record: records.WrapUpRecord) -> None:
    fold_close(state, {"ids": record.get("ids", list(state["captures"]))})
    state["wrapped"], state["drafted"] = record.get("time", ""), False
    state["task"] = record.get("task") or state["task"]
    state["next"], state["status"] = record.get("next", ""), record.get("status", "")
    state["answered"], state["answer"], state["plan"], state["failing"] = True, None, None, None
    state["todos"] = []


def fold_unwrapped(state: State, record: records.UnwrappedRecord) -> None:
    """Put back what an undone wrap-up had changed; captures that came since stay."""
    before = record.get("state")
    if before:
        state["captures"] = {**before["captures"], **state["captures"]}
        state["wrapped"], state["todos"] = before["wrapped"], before["todos"]
        state["task"] = before["task"] or state["task"]
        state["next"], state["status"] = before["next"], before["status"]


def fold_drafted(state: State, record: records.DraftRecord) -> None:
    state["drafted"] = bool(record.get("written"))
    state["folder"] = record.get("folder", state["folder"])


def _replaced(state: State, new: Capture) -> list[str]:
    """Return the ids of captures that a new one takes the place of; it shares a class with them, or is a correction."""
    others = [old for old in state["captures"].values() if old["id"] != new["id"]][-CAPTURES_OPEN:]
    if not others:
        return []
    from belay.core.text import corrections  # seldom, and every hook would pay for it

    classes = set(new["classes"] or ())
    earlier = {
        old["id"]: old["text"] or ""
        for old in others
        if kinds.CORRECTION in classes or not classes.isdisjoint(old["classes"] or ())
    }
    return corrections.replaced(new["text"] or "", earlier)


def fold_asked(state: State, record: records.PlainRecord) -> None:
    state["asked"] += 1


def fold_aside(state: State, record: records.AsideRecord) -> None:
    """Forget a prompt that only asked Belay for something: the work is where it was before."""
    before = state["previous"]
    if before:
        state["task"], state["request"], state["answered"] = before["task"], before["request"], before["answered"]
        state["answer"], state["plan"], state["previous"] = before["answer"], before["plan"], None


def fold_milestone(state: State, record: records.MilestoneRecord) -> None:
    state["milestones"] = [*state["milestones"], record.get("what", "")][-KEPT:]


def fold_budget(state: State, record: records.BudgetRecord) -> None:
    state["announced"] = sorted({*state["announced"], *record.get("thresholds", [])})


def fold_recalled(state: State, record: records.RecalledRecord) -> None:
    state["recalled"] += [*record.get("rows", ()), *record.get("entries", ())]
    if record.get("file"):
        state["recalled_files"].append(record["file"])
    for rows in (state["recalled"], state["recalled_files"]):
        del rows[:-RECALLED_KEPT]


def fold_compacted(state: State, record: records.PlainRecord) -> None:
    state["announced"], state["recalled"], state["recalled_files"] = [], [], []


def fold_folded(state: State, record: records.PlainRecord) -> None:
    state["folded"] = record.get("time", "")


def fold_kept(state: State, record: records.KeptRecord) -> None:
    state["kept"] = record.get("upto", "")


def fold_reflex(state: State, record: records.ReflexRecord) -> None:
    """Open a preflight, change what is open of it, or close it; one that is open gives way to a new one."""
    phase, before = record.get("phase"), state["preflight"]
    if phase == "preflight":
        state["preflight"] = {
            "goal": record.get("goal", ""), "unknowns": record.get("unknowns", []),
            "confidence": record.get("confidence"), "time": record.get("time", ""),
        }  # fmt: skip
    elif phase == "postflight":
        state["preflight"] = None
    elif before:
        answered = record.get("answered", ())
        unknowns = [text for text in (*before["unknowns"], *record.get("unknowns", ())) if text not in answered]
        stated = record.get("confidence")
        confidence = before["confidence"] if stated is None else stated
        state["preflight"] = {
            **before, "unknowns": list(dict.fromkeys(unknowns)), "confidence": confidence,
            "time": record.get("time", ""),
        }  # fmt: skip


STEPS: dict[str, Callable[[State, Any], None]] = {
    "capture": fold_capture,
    "close": fold_close,
    "filed": fold_filed,
    "near": fold_near,
    "edit": fold_edit,
    "command": fold_command,
    "lesson": fold_lesson,
    "wrap-up": fold_wrapped,
    "wrap-up-document": fold_drafted,
    "unwrapped": fold_unwrapped,
    "todos": fold_todos,
    "plan": fold_plan,
    "commit": fold_commit,
    "delivered": fold_delivered,
    "asked": fold_asked,
    "aside": fold_aside,
    "milestone": fold_milestone,
    "budget": fold_budget,
    "recalled": fold_recalled,
    "compacted": fold_compacted,
    "folded": fold_folded,
    "kept": fold_kept,
    "reflex": fold_reflex,
}
"""Kind of record → what it changes."""
