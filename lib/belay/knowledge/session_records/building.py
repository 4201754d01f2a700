"""The record of a session, made from its journal alone: the same records always make the same one.

It is of the session's last event (a compaction, a wrap-up, a postflight, its end), so that what comes after changes
nothing before the next event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay.core.plain_text import one_line
from belay.core.tuples import NamedTuple
from belay.session import state as session_state
from belay.session import working_buffer
from belay.session.work import preflight
from belay.session.work.steps import DONE, describe_status, find_work

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from belay.knowledge.store.records import ArtifactRow, ReflexRow, SessionRecord, SessionRow, SnapshotRow
    from belay.session.records import Record
    from belay.session.state_types import State

EVENTS = {"compacted": "compaction", "wrap-up": "wrap-up", "end": "end"}
"""Kind of record → what a snapshot calls it."""
SNAPSHOTS, ARTIFACTS, DECISIONS = 12, 100, 5
"""The latest that are kept of each."""
TEXT_CHARS = 400
_CONTENT = frozenset(("prompt", "capture", "edit", "command", "commit", "reflex", "wrap-up"))
"""Kinds of record without which a session did nothing."""
FILE, COMMIT = "file", "commit"


class Effort(NamedTuple):
    """Tool calls of a session that look and that act, and the tokens that were new."""

    investigating: int
    acting: int
    tokens: int


def find_event(records: Sequence[Record]) -> int:
    """Return how many records there are up to the last event; 0 where there was none, or nothing was done before."""
    upto = next((at for at in range(len(records), 0, -1) if _is_event(records[at - 1])), 0)
    return upto if has_content(records[:upto]) else 0


def has_content(records: Iterable[Record]) -> bool:
    """Whether anything was done in a session."""
    return any(record["kind"] in _CONTENT for record in records)


def read_effort(row: SessionRow) -> Effort | None:
    """Return what was counted before, None where there was no transcript."""
    looking, acting, tokens = row["investigating"], row["acting"], row["tokens"]
    return None if looking is None or acting is None or tokens is None else Effort(looking, acting, tokens)


def _is_event(record: Record) -> bool:
    return record["kind"] in EVENTS or (record["kind"] == "reflex" and record.get("phase") == preflight.POSTFLIGHT)


def build_record(name: str, records: Sequence[Record], effort: Effort | None) -> SessionRecord:
    """Return the record of a session by its records up to an event (`find_event`)."""
    state, snapshots = session_state.empty_state(name), []
    for record in records:
        session_state.fold(state, record)
        if record["kind"] in EVENTS:
            snapshots.append(_make_snapshot(state, record))
    reflexes = [_make_reflex(record) for record in records if record["kind"] == "reflex"]
    row = _make_row(name, state, records, effort)
    _state_outcome(row, state, reflexes)
    if row["ended"] and state["preflight"]:
        reflexes.append(_infer_postflight(row, state["preflight"]["unknowns"]))
    return {
        "kind": "session", "of": name, "row": row, "reflexes": reflexes, "artifacts": _list_artifacts(records),
        "snapshots": snapshots[-SNAPSHOTS:],
    }  # fmt: skip


def _make_row(name: str, state: State, records: Sequence[Record], effort: Effort | None) -> SessionRow:
    last: Any = records[-1]
    return {
        "id": name, "recorded": last["time"], "started": state["started"] or str(records[0].get("time", "")),
        "ended": last["time"] if state["ended"] else "", "reason": state["ended"], "branch": state["branch"],
        "head_start": _find_first_head(records), "head_end": _find_last_head(records),
        "goal": one_line(find_work(state).task, TEXT_CHARS), "goal_stated": False,
        "outcome": _infer_outcome(state), "outcome_stated": False,
        "result": one_line(describe_status(state), TEXT_CHARS),
        "prompts": state["prompts"], "captures": sum(record["kind"] == "capture" for record in records),
        "investigating": effort.investigating if effort else None, "acting": effort.acting if effort else None,
        "tokens": effort.tokens if effort else None,
    }  # fmt: skip


def _state_outcome(row: SessionRow, state: State, reflexes: Sequence[ReflexRow]) -> None:
    """Put what was stated in the place of what is inferred: the last goal, and what came of it."""
    goals = [at for at, reflex in enumerate(reflexes) if reflex["phase"] == preflight.PREFLIGHT]
    if goals and reflexes[goals[-1]]["goal"]:
        row["goal"], row["goal_stated"] = reflexes[goals[-1]]["goal"], True
    ends = [reflex for reflex in reflexes[goals[-1] if goals else 0 :] if reflex["phase"] == preflight.POSTFLIGHT]
    if state["preflight"] or not ends:
        return
    row["result"] = ends[-1]["result"] or row["result"]
    if ends[-1]["outcome"]:
        row["outcome"], row["outcome_stated"] = ends[-1]["outcome"], True


def _infer_outcome(state: State) -> str:
    """Return an outcome that the state shows: done, or partly where work was done; "" where nothing says it."""
    work = find_work(state)
    if not work.task:
        return ""
    if work.status == DONE and not state["failing"]:
        return "done"
    return "partly" if state["edits"] or state["commits"] else ""


def _infer_postflight(row: SessionRow, unknowns: list[str]) -> ReflexRow:
    return {
        "phase": preflight.POSTFLIGHT, "time": row["ended"], "stated": False, "goal": "", "confidence": None,
        "outcome": row["outcome"], "result": row["result"], "unknowns": unknowns, "learned": [],
    }  # fmt: skip


def _make_reflex(record: Any) -> ReflexRow:
    return {
        "phase": record.get("phase", ""), "time": record.get("time", ""), "stated": True,
        "goal": record.get("goal", ""), "confidence": record.get("confidence"), "outcome": record.get("outcome", ""),
        "result": record.get("result", ""), "unknowns": record.get("unresolved") or record.get("unknowns", []),
        "learned": record.get("learned") or record.get("answered", []),
    }  # fmt: skip


def _find_first_head(records: Iterable[Record]) -> str:
    heads = (str(record.get("head", "")) for record in records if record["kind"] in ("start", "prompt"))
    return next(filter(None, heads), "")


def _find_last_head(records: Iterable[Record]) -> str:
    """Return the last commit that a start or a prompt saw, or that the session made after it (abbreviated)."""
    head = ""
    for record in records:
        if record["kind"] in ("start", "prompt"):
            head = str(record.get("head", "")) or head
        elif record["kind"] == "commit":
            head = record.get("sha", "") or head
    return head


def _list_artifacts(records: Iterable[Record]) -> list[ArtifactRow]:
    """Return the files of the project that were edited and the commits that were made, the latest of each."""
    files: dict[str, ArtifactRow] = {}
    commits: dict[str, ArtifactRow] = {}
    for record in records:
        time = record.get("time", "")
        for edit in record.get("files", []) if record["kind"] == "edit" else ():
            path = edit["path"]
            if not path.startswith(("/", "~", "..")):
                edits = files.pop(path, {"edits": 0})["edits"] + 1
                files[path] = {"kind": FILE, "name": path, "about": "", "edits": edits, "time": time}
        if record["kind"] == "commit" and record.get("sha"):
            sha, subject = record["sha"], one_line(record.get("subject", ""), TEXT_CHARS)
            commits[sha] = {"kind": COMMIT, "name": sha, "about": subject, "edits": 0, "time": time}
    return [row for made in (files, commits) for row in list(made.values())[-ARTIFACTS:]]


def _make_snapshot(state: State, record: Any) -> SnapshotRow:
    work = find_work(state)
    decisions = [row["text"] for row in state["captures"].values() if working_buffer.main_class(row) == "decision"]
    body = {
        "branch": state["branch"], "head": state["head"], "task": one_line(work.task, TEXT_CHARS),
        "next": one_line(state["next"] or work.next, TEXT_CHARS), "decisions": decisions[-DECISIONS:],
        "counts": {
            "prompts": state["prompts"], "edits": sum(edit["count"] for edit in state["edits"].values()),
            "captures": len(state["captures"]), "commits": len(state["commits"]),
        },
    }  # fmt: skip
    return {"event": EVENTS[record["kind"]], "time": record.get("time", ""), "body": body}
