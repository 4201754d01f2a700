"""The next step: the one line of a memory that says what to do next (seed 003: its most important line)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.memory_facts import Facts, WorkstreamRow

_FINISHED = ("done", "complete", "finished", "shipped")


class NextStep:
    """The next step's text and its 1-based line, "" and 0 where none is written; `over`: the last task is done."""

    __slots__ = ("line", "over", "text")

    def __init__(self, text: str, line: int, over: bool = False) -> None:
        self.text, self.line, self.over = text, line, over


def find_next_step(facts: Facts) -> NextStep:
    """Return the next step of a memory's facts.

    "Next immediate step" (seed 003); else the running workstream's "Next when resumed", or its status (seed 004);
    else the first open item of the active work.
    """
    left, lines = facts.get("left", {}), facts.get("left_lines", {})
    over = is_finished(left.get("status", ""))
    if left.get("next"):
        return NextStep(left["next"], lines.get("next", 0), over)
    if list_open_workstreams(facts):
        return _workstream_step(list_open_workstreams(facts))
    open_items = [row for row in facts.get("active") or [] if not row.get("done") and row.get("text")]
    if open_items and facts.get("form") != "003":
        return NextStep(open_items[0]["text"], open_items[0].get("line", 0))
    all_done = bool(facts.get("workstreams")) or over
    return NextStep("", lines.get("status", 0), all_done and not open_items)


def is_finished(status: str) -> bool:
    """Whether a status says that the task is done."""
    return status.strip(" *_.`✅").lower().startswith(_FINISHED)


def list_open_workstreams(facts: Facts) -> list[WorkstreamRow]:
    """Return the workstreams that are not done; those with a next step first, paused ones last."""
    rows = [row for row in facts.get("workstreams") or [] if not row.get("done")]
    return sorted(rows, key=lambda row: (bool(row.get("paused")), not row.get("next"), not row.get("status")))


def _workstream_step(rows: list[WorkstreamRow]) -> NextStep:
    row = rows[0]
    text = row.get("next") or row.get("status") or ""
    return NextStep(text, row.get("line", 0) if text else 0)
