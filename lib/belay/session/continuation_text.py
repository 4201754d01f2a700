"""The text of CONTINUATION.md: what the next session needs to start at once, from the session's state and git.

Lines are ranked; the least needed are dropped until 50 lines and 500 tokens hold the text. No line is cut.
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
    """What git says now: branch, uncommitted files, the function at the cursor."""

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
        for rows in (
            _resume_row(state, facts),
            _state_rows(state),
            _context_rows(state),
            _next_rows(state, facts),
        )
        for row in rows
    ]
    head = [f"# Continue: {_title(state, facts)}"]
    foot = ["", render_footer(state, facts)]
    dropped: set[int] = set()
    for index in sorted(range(len(ranked)), key=lambda i: (-ranked[i][0], -i)):
        if _fits(_assemble(head, ranked, dropped, foot)):
            break
        dropped.add(index)
    if not _fits(head + foot):
        head = [f"# Continue: {UNNAMED}"]  # a title of 80 emoji
    return "\n".join(_assemble(head, ranked, dropped, foot)) + "\n"


def _fits(lines: list[str]) -> bool:
    return len(lines) <= CONTINUATION_LINES and estimate("\n".join(lines) + "\n") <= CONTINUATION_TOKENS


def _assemble(head: list[str], ranked: list[tuple[int, str, str]], dropped: set[int], foot: list[str]) -> list[str]:
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
        f"work on {format_branch(facts.branch)}" if facts.branch else UNNAMED
    )


def _resume_row(state: State, facts: Facts) -> list[tuple[int, str, str]]:
    path, line = find_cursor(state)
    if not path:
        return []
    place = f"`{_shorten(path)}:{line}`" if line else f"`{_shorten(path)}`"
    return [(0, "", f"Resume from: {place}" + (f" — in {_shorten(facts.function, 80)}" if facts.function else ""))]


def _state_rows(state: State) -> list[tuple[int, str, str]]:
    rows = []
    cursor = state["cursor"]
    if cursor:
        what = cursor["file"] or cursor["command"]
        rows.append((1, "State", f"- Interrupted in {_shorten(cursor['tool'], 60)}: {_shorten(what)}"))
    marks = {"completed": "DONE", "in_progress": "HALF DONE"}
    for item in state["todos"]:
        mark = marks.get(item["status"], "NOT STARTED")
        rows.append((6 if mark == "DONE" else 3, "State", f"- {_shorten(item['text'])}: {mark}"))
    edits = list(state["edits"].items())[::-1]
    for path, edit in edits[:FILES_SHOWN]:
        times = f", {edit['count']} edits" if edit["count"] > 1 else ""
        rows.append(
            (
                5,
                "State",
                f"- edited `{_shorten(path)}`" + (f" line {edit['line']}" if edit["line"] else "") + times,
            )
        )
    return rows


def _context_rows(state: State) -> list[tuple[int, str, str]]:
    rows = []
    captures = sorted(state["captures"].values(), key=lambda capture: capture["time"])
    for capture in reversed(captures):
        kind = working_buffer.main_class(capture)
        rank = 2 if kind in (kinds.CORRECTION, *kinds.DECIDING) else 4
        rows.append((rank, "Context", f"- {kind}: {_shorten(capture['text'])} ({capture['id']})"))
    announced = find_intent(state["said"]) or state["intent"]
    if announced:
        rows.append((2, "Context", f'- Was about to: "{cut(plain_text.one_line(announced), QUOTE_CHARS)}"'))
    return rows


def _next_rows(state: State, facts: Facts) -> list[tuple[int, str, str]]:
    heading = "Immediate Next Action"
    rows = [(1, heading, _next_action(state))]
    if state["failing"]:
        output = _shorten(state["failing"]["output"], 120)
        rows.append(
            (
                2,
                heading,
                f"Last failing command: `{_shorten(state['failing']['command'])}`" + (f" — {output}" if output else ""),
            )
        )
    if facts.uncommitted:
        names = ", ".join(f"`{_shorten(path, 80)}`" for path in facts.uncommitted[:FILES_SHOWN])
        rest = len(facts.uncommitted) - FILES_SHOWN
        rows.append((3, heading, f"Uncommitted: {names}" + (f" and {rest} more" if rest > 0 else "")))
    return rows


def _next_action(state: State) -> str:
    half = [item["text"] for item in state["todos"] if item["status"] == "in_progress"]
    waiting = [item["text"] for item in state["todos"] if item["status"] == "pending"]
    cursor = state["cursor"]
    if cursor:
        tool, task = _shorten(cursor["tool"], 60), _shorten(state["task"])
        return f"Check whether the interrupted {tool} took effect, then go on: {task}"
    if state["failing"]:
        return f"Make `{_shorten(state['failing']['command'])}` pass."
    if state["next"]:
        return f"Go on with: {_shorten(state['next'])}"
    for item in half or waiting:
        return f"Go on with: {_shorten(item)}"
    if state["intent"]:
        return f'Claude announced: "{_shorten(state["intent"])}"'
    return f"Go on with: {_shorten(state['task'])}" if state["task"] else "Ask the user what comes next."


def _shorten(text: str, limit: int = ROW_CHARS) -> str:
    return cut(plain_text.one_line(text or ""), limit)


def render_footer(state: State, facts: Facts) -> str:
    """Return the last line of a continuation: when, on which branch and for which session it was written."""
    stamp = state["active"][:19] + "Z"
    return f"{FOOT}{stamp} on {format_branch(facts.branch or state['branch'])} by session {state['session']}"


def format_branch(name: str) -> str:
    """Return a branch's name as a continuation's last line has it."""
    return plain_text.one_line(name, 80) or "no branch"
