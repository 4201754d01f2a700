"""The text of CONTINUATION.md: what the next session needs to start at once, from the session's work, state and git.

Lines are ranked; the least needed are dropped until 50 lines and 500 tokens hold the text. No line is cut.
"""

from __future__ import annotations

from belay.core import kinds, plain_text
from belay.core.constants import CONTINUATION_LINES, CONTINUATION_TOKENS
from belay.core.plain_text import cut
from belay.core.text.tokens import estimate
from belay.session import working_buffer
from belay.session.state import find_cursor
from belay.session.work import steps as work_steps
from belay.session.work.steps import DONE, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.state_types import State

TITLE_CHARS = 110
FILES_SHOWN = 8
COMMITS_SHOWN = 3
ROW_CHARS = 200
STEP_CHARS = 800
FOOT = "Written "
UNNAMED = "the last session"
NOTHING = "Nothing is open: ask the user what comes next."
_TRUNKS = frozenset(("main", "master", "develop", "trunk", "detached", ""))
"""Branches whose name says nothing about a task."""


Row = tuple[int, str, str]
"""A line of a continuation: its rank (the highest is dropped first), its section, its text."""


class Facts:
    """What git says now: branch, uncommitted files, the function at the cursor; and where a check's output is kept."""

    __slots__ = ("branch", "evidence", "function", "uncommitted")

    def __init__(
        self, branch: str = "", function: str = "", uncommitted: list[str] | None = None, evidence: str = ""
    ) -> None:
        self.branch, self.function, self.uncommitted = branch, function, uncommitted or []
        self.evidence = evidence


def has_open_work(state: State, facts: Facts) -> bool:
    """Whether a session left something that the next one should know: an open step, or changes without a commit."""
    return bool(work_steps.find_work(state).steps or list_uncommitted_edits(state, facts))


def list_uncommitted_edits(state: State, facts: Facts) -> list[str]:
    """Return the files that the session edited and git shows as not committed, the last one first; [] without git."""
    return [path for path in reversed(list(state["edits"])) if path in facts.uncommitted]


def build(state: State, facts: Facts) -> str:
    """Return the text of a continuation; at most 50 lines and 500 tokens by the estimate (seed 003)."""
    work = work_steps.find_work(state)
    ranked = [
        *_resume_row(state, facts, work),
        *_state_rows(state, work, facts),
        *_context_rows(state, work),
        *_next_rows(state, facts, work),
    ]
    head = [f"# Continue: {_title(work, facts)}"]
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


def _assemble(head: list[str], ranked: list[Row], dropped: set[int], foot: list[str]) -> list[str]:
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


def _title(work: Work, facts: Facts) -> str:
    branch = "" if facts.branch in _TRUNKS else format_branch(facts.branch)
    task = cut(plain_text.one_line(work.task), TITLE_CHARS)
    if not task:
        return f"work on {branch or format_branch(facts.branch)}" if facts.branch else UNNAMED
    return f"{task} (branch {branch})" if branch else task


def _resume_row(state: State, facts: Facts, work: Work) -> list[Row]:
    """Return where work stopped: in the call that was interrupted, else in the last edit that is not committed."""
    path, line = find_cursor(state)
    cursor = state["cursor"]
    is_running = bool(cursor and cursor["file"])
    if not path or work.status == DONE or not (is_running or path in facts.uncommitted):
        return []
    place = f"`{_shorten(path)}:{line}`" if line else f"`{_shorten(path)}`"
    return [(0, "", f"Resume from: {place}" + (f" — in {_shorten(facts.function, 80)}" if facts.function else ""))]


def _state_rows(state: State, work: Work, facts: Facts) -> list[Row]:
    cursor, request = state["cursor"], state["request"]
    rows: list[Row] = []
    if cursor:
        what = cursor["file"] or cursor["command"]
        rows.append((1, "State", f"- Interrupted in {_shorten(cursor['tool'], 60)}: {_shorten(what)}"))
    if request and work_steps.is_unfinished(state) and state["said_at"] > request["time"]:
        last = plain_text.split_sentences(state["said"])[-2:]
        rows.append((4, "State", f"- Claude's last words: “{_shorten(' '.join(last))}”"))
    if work.path:
        rows.append((2, "State", f"- The plan is in `{_shorten(work.path)}`"))
    if request and request["kind"] == kinds.FOLLOW_UP and state["answered"] and request["text"] != work.task:
        rows.append((4, "State", f"- Asked last, and answered: “{_shorten(request['text'])}”"))
    if state["failing"]:
        failing, output = _shorten(state["failing"]["command"]), _shorten(state["failing"]["output"], 120)
        rows.append((2, "State", f"- Failing check: `{failing}`" + (f" — {output}" if output else "")))
        rows += [(4, "State", f"- All that it printed: `{facts.evidence}`")] if facts.evidence else []
    uncommitted = list_uncommitted_edits(state, facts)
    return [*rows, *_commit_rows(state), *_todo_rows(state), *_edit_rows(state, uncommitted)]


def _commit_rows(state: State) -> list[Row]:
    rows = state["commits"][: -COMMITS_SHOWN - 1 : -1]
    texts = [" ".join(filter(None, (made["sha"][:9], f"“{made['subject']}”"))) for made in rows]
    return [(5, "State", f"- Committed {_shorten(text)}") for text in texts]


def _todo_rows(state: State) -> list[Row]:
    """Return the todo list where something on it is open, without open items that a commit carried out."""
    left = work_steps.list_open_todos(state)
    if not left:
        return []
    marks = {"completed": "DONE", "in_progress": "HALF DONE"}
    shown = [item for item in state["todos"] if item["status"] == "completed" or item["text"] in left]
    names = [(marks.get(item["status"], "NOT STARTED"), item["text"]) for item in shown]
    return [(6 if mark == "DONE" else 3, "State", f"- {_shorten(text)}: {mark}") for mark, text in names]


def _edit_rows(state: State, uncommitted: list[str]) -> list[Row]:
    rows: list[Row] = []
    for path in uncommitted[:FILES_SHOWN]:
        edit = state["edits"][path]
        where = f" line {edit['line']}" if edit["line"] else ""
        times = f", {edit['count']} edits" if edit["count"] > 1 else ""
        rows.append((5, "State", f"- edited `{_shorten(path)}`{where}{times}"))
    return rows


def _context_rows(state: State, work: Work) -> list[Row]:
    """Return the captures, the newest first; what a prompt said that is quoted anyway is left out."""
    rows: list[Row] = []
    for capture in sorted(state["captures"].values(), key=lambda capture: capture["time"], reverse=True):
        kind = working_buffer.main_class(capture)
        rank = 2 if kind in (kinds.CORRECTION, *kinds.DECIDING) else 4
        if not any(capture["text"] in step for step in work.steps):
            rows.append((rank, "Context", f"- {kind}: {_shorten(capture['text'])} ({capture['id']})"))
    return rows


def _next_rows(state: State, facts: Facts, work: Work) -> list[Row]:
    heading = "Immediate Next Action"
    rows: list[Row] = [
        (min(at, 1) + 1, heading, plain_text.one_line(step, STEP_CHARS)) for at, step in enumerate(work.steps)
    ]
    own = list_uncommitted_edits(state, facts)
    if not rows:
        rows = [(1, heading, _describe_commit(own) if own and work.status == DONE else NOTHING)]
    if facts.uncommitted:
        names = ", ".join(f"`{_shorten(path, 80)}`" for path in facts.uncommitted[:FILES_SHOWN])
        rest = len(facts.uncommitted) - FILES_SHOWN
        rows.append((3, heading, f"Uncommitted: {names}" + (f" and {rest} more" if rest > 0 else "")))
    return rows


def _describe_commit(paths: list[str]) -> str:
    names = ", ".join(f"`{_shorten(path, 80)}`" for path in paths[:3])
    rest = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return f"Commit the changes in {names}{rest}: the last answer names nothing else that is open."


def _shorten(text: str, limit: int = ROW_CHARS) -> str:
    return cut(plain_text.one_line(text or ""), limit)


def render_footer(state: State, facts: Facts) -> str:
    """Return the last line of a continuation: when, on which branch and for which session it was written."""
    stamp = state["active"][:19] + "Z"
    return f"{FOOT}{stamp} on {format_branch(facts.branch or state['branch'])} by session {state['session']}"


def format_branch(name: str) -> str:
    """Return a branch's name as a continuation's last line has it."""
    return plain_text.one_line(name, 80) or "no branch"
