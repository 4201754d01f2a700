"""The text of CONTINUATION.md: what the next session needs to start at once, made of journal, transcript and git.

Ranked lines are dropped from the least needed on until 50 lines and 500 tokens hold it; no line is cut in the middle.
"""

from __future__ import annotations

from belay.core import kinds, plain_text
from belay.core.constants import CONTINUATION_LINES, CONTINUATION_TOKENS
from belay.core.plain_text import cut
from belay.core.text.tokens import estimate
from belay.session import working_buffer
from belay.session.intent import find_intent
from belay.session.state import find_cursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.state_types import State

QUOTE_CHARS = 200
FILES_SHOWN = 8
ROW_CHARS = 160
FOOT = "Written "
UNNAMED = "the last session"


class Facts:
    """What git and the file system say now: uncommitted files, the function at the cursor."""

    __slots__ = ("branch", "function", "uncommitted")

    def __init__(self, branch: str = "", function: str = "", uncommitted: list[str] | None = None) -> None:
        self.branch, self.function, self.uncommitted = branch, function, uncommitted or []


def has_open_work(state: State) -> bool:
    """Whether a session left something that the next one should know."""
    unfinished = any(item["status"] != "completed" for item in state["todos"])
    waiting = any(not capture.get("filed") for capture in state["captures"].values())
    return bool(state["edits"] or state["cursor"] or state["failing"] or unfinished or waiting)


def build(state: State, facts: Facts) -> str:
    """Return the text of a continuation; at most 50 lines and 500 tokens by the estimate (seed 003)."""
    ranked = [
        row
        for rows in (_resume(state, facts), _state(state), _context(state), _next(state, facts))
        for row in rows
    ]
    head = [f"# Continue: {_title(state, facts)}"]
    foot = ["", footer(state, facts)]
    dropped: set[int] = set()
    for index in sorted(range(len(ranked)), key=lambda i: (-ranked[i][0], -i)):
        if _fits(_lines(head, ranked, dropped, foot)):
            break
        dropped.add(index)
    if not _fits(head + foot):
        head = [f"# Continue: {UNNAMED}"]  # a title of 80 emoji
    return "\n".join(_lines(head, ranked, dropped, foot)) + "\n"


def _fits(lines: list[str]) -> bool:
    return len(lines) <= CONTINUATION_LINES and estimate("\n".join(lines) + "\n") <= CONTINUATION_TOKENS


def _lines(
    head: list[str], ranked: list[tuple[int, str, str]], dropped: set[int], foot: list[str]
) -> list[str]:
    lines = list(head)
    section = ""
    for index, (_, heading, text) in enumerate(ranked):
        if index in dropped:
            continue
        if heading != section:
            lines += ["", f"## {heading}"] if heading else []
            section = heading
        lines.append(text)
    return lines + foot


def _title(state: State, facts: Facts) -> str:
    return cut(plain_text.one_line(state["task"]), 80) or (
        f"work on {branch_name(facts.branch)}" if facts.branch else UNNAMED
    )


def _resume(state: State, facts: Facts) -> list[tuple[int, str, str]]:
    path, line = find_cursor(state)
    if not path:
        return []
    place = f"`{_cell(path)}:{line}`" if line else f"`{_cell(path)}`"
    return [
        (0, "", f"Resume from: {place}" + (f" — in {_cell(facts.function, 80)}" if facts.function else ""))
    ]


def _state(state: State) -> list[tuple[int, str, str]]:
    rows = []
    at = state["cursor"]
    if at:
        what = at.get("file") or at.get("command") or ""
        rows.append((1, "State", f"- Interrupted in {_cell(at['tool'], 60)}: {_cell(what)}"))
    marks = {"completed": "DONE", "in_progress": "HALF DONE"}
    for item in state["todos"]:
        mark = marks.get(item["status"], "NOT STARTED")
        rows.append((6 if mark == "DONE" else 3, "State", f"- {_cell(item['text'])}: {mark}"))
    edits = list(state["edits"].items())[::-1]
    for path, edit in edits[:FILES_SHOWN]:
        times = f", {edit['count']} edits" if edit["count"] > 1 else ""
        rows.append(
            (
                5,
                "State",
                f"- edited `{_cell(path)}`" + (f" line {edit['line']}" if edit["line"] else "") + times,
            )
        )
    return rows


def _context(state: State) -> list[tuple[int, str, str]]:
    rows = []
    captures = sorted(state["captures"].values(), key=lambda capture: str(capture["time"]))
    for capture in reversed(captures):
        kind = working_buffer.main_class(capture)
        rank = 2 if kind in (kinds.CORRECTION, *kinds.DECIDING) else 4
        rows.append((rank, "Context", f"- {kind}: {_cell(capture['text'])} ({capture['id']})"))
    announced = find_intent(state["said"]) or state["intent"]
    if announced:
        rows.append((2, "Context", f'- Was about to: "{cut(plain_text.one_line(announced), QUOTE_CHARS)}"'))
    return rows


def _next(state: State, facts: Facts) -> list[tuple[int, str, str]]:
    heading = "Immediate Next Action"
    rows = [(1, heading, _action(state))]
    if state["failing"]:
        output = _cell(state["failing"]["output"], 120)
        rows.append(
            (
                2,
                heading,
                f"Last failing command: `{_cell(state['failing']['command'])}`"
                + (f" — {output}" if output else ""),
            )
        )
    if facts.uncommitted:
        names = ", ".join(f"`{_cell(path, 80)}`" for path in facts.uncommitted[:FILES_SHOWN])
        more = len(facts.uncommitted) - FILES_SHOWN
        rows.append((3, heading, f"Uncommitted: {names}" + (f" and {more} more" if more > 0 else "")))
    return rows


def _action(state: State) -> str:
    half = [item["text"] for item in state["todos"] if item["status"] == "in_progress"]
    waiting = [item["text"] for item in state["todos"] if item["status"] == "pending"]
    at = state["cursor"]
    if at:
        return f"Check whether the interrupted {_cell(at['tool'], 60)} took effect, then go on: {_cell(state['task'])}"
    if state["failing"]:
        return f"Make `{_cell(state['failing']['command'])}` pass."
    if state["next"]:
        return f"Go on with: {_cell(state['next'])}"
    for item in half or waiting:
        return f"Go on with: {_cell(item)}"
    if state["intent"]:
        return f'Claude announced: "{_cell(state["intent"])}"'
    return f"Go on with: {_cell(state['task'])}" if state["task"] else "Ask the user what comes next."


def _cell(text: str, limit: int = ROW_CHARS) -> str:
    return cut(plain_text.one_line(text or ""), limit)


def footer(state: State, facts: Facts) -> str:
    """Return the line that says when, where and for which session a continuation was written."""
    stamp = str(state["active"])[:19] + "Z"
    return f"{FOOT}{stamp} on {branch_name(facts.branch or state['branch'])} by session {state['session']}"


def branch_name(name: str) -> str:
    """Return a branch's name as a continuation's last line holds it."""
    return plain_text.one_line(name, 80) or "no branch"
