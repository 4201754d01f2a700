"""Finds where work stopped: from the journals of this user's sessions, else from uncommitted files and commits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from belay.client import checks
from belay.core import clock
from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.core.text import duplicates
from belay.repository import row_vetting
from belay.repository.git import owners
from belay.repository.git import status as git_status
from belay.repository.git.owners import Change
from belay.repository.survey import quotes
from belay.safety.redaction import redact
from belay.session import working_buffer
from belay.session.evidence import output_files
from belay.session.session import Session, find_others
from belay.session.work import todo
from belay.session.work.steps import describe_status, find_work

if TYPE_CHECKING:
    from belay.session.state_types import Outcome, State

DAYS = 30.0
"""Sessions of so many days count."""
SHOWN = 5
_CHORE = re.compile(
    r"(?:bump|update|upgrade) \S+ (?:from|to)\b|(?:build|chore|ci)\((?:deps|deps-dev)\)|merge\b|(?:fix )?typos?$|wip$"
    r"|(?:release |version |bump )?v?\d+\.\d+[\w.-]*$",
    re.IGNORECASE,
)
_TERMINAL = "terminal"


class Statement(NamedTuple):
    """A statement, its source, and how sure it is: high, medium or low."""

    text: str
    source: str
    sure: str


class LastWork(NamedTuple):
    """Task, status and next step (None where unknown), open tasks, blockers, the last test run, the date.

    `evidence`: the file with the output of that run, a path from the work tree; "" where it passed or there is none.
    """

    task: Statement | None
    status: Statement | None
    next: Statement | None
    active: list[Statement]
    blockers: list[Statement]
    tests: Statement | None
    when: str
    evidence: str = ""


def find_last_work(
    project: Project,
    environ: Mapping[str, str],
    session: str,
    commits: list[Change],
    written: str = "",
) -> LastWork:
    """Return where work stopped: what the newest session with work on this branch says; git fills the gaps.

    A session that did nothing since the memory was `written` (a journal time, "" for none) does not count.
    """
    states = _recent_states(project, environ, session)
    branch = Session(project, "", environ).branch
    here = [state for state in states if state["branch"] in ("", branch)]
    state = next((row for row in here if row["task"] or row["edits"] or row["todos"]), None)
    state = None if state and written and _last_work_time(state) <= written else state
    uncommitted = _list_uncommitted(project)
    by_journal = _read_journal(state) if state else {}
    by_git = _read_git(uncommitted, commits)
    boxes = _box_statements(project, environ)
    when = clock.local_date(state["active"]) if state else commits[0].date if commits else ""
    return LastWork(
        by_journal.get("task"),
        by_journal.get("status") or by_git.get("status"),
        by_journal.get("next"),
        _drop_repeats([*(_todo_statements(state) if state else []), *boxes]),
        _capture_statements(states, "blocker"),
        _last_check(here),
        when,
        _find_evidence(project, here),
    )


def _recent_states(project: Project, environ: Mapping[str, str], name: str) -> list[State]:
    """Return the states of this user's sessions of the last days, the newest first."""
    current = Session(project, name or _TERMINAL, environ)
    states = [session.state for session in [current, *find_others(current, DAYS)]]
    return sorted(states, key=lambda state: state["active"], reverse=True)


def _last_work_time(state: State) -> str:
    """Return when a session last edited a file or ran a check, "" if it did neither: talk is no work."""
    checked = [row for row in state["tried"] if row["check"]]
    return max([row["time"] for row in (*state["edits"].values(), *checked)], default="")


def _name_source(state: State) -> str:
    return f"journal of session {state['session'][:8]}, {clock.local_date(str(state['active']))}"


def _make_statement(text: str, source: str, sure: str) -> Statement | None:
    shown = quotes.line(text)
    return Statement(shown, source, sure) if shown else None


def _make_statements(texts: list[str], source: str) -> list[Statement]:
    return [row for row in (_make_statement(text, source, "high") for text in texts) if row]


def _read_journal(state: State) -> dict[str, Statement | None]:
    source = _name_source(state)
    work = find_work(state)
    return {
        "task": _make_statement(work.task, source, "high"),
        "status": _make_statement(describe_status(state), source, "high"),
        "next": _make_statement(work.next, source, "high"),
    }


def _list_uncommitted(project: Project) -> list[str]:
    """Return the uncommitted paths without Belay's own; [] without git."""
    if not project.git_dir:
        return []
    try:
        rows = [path for _, path in git_status.list_uncommitted(project.root)]
    except BelayError:
        return []
    return [path for path in rows if not _is_memory(project, path) and quotes.path(path)]


def _is_memory(project: Project, path: str) -> bool:
    """Whether a path is a memory file: changes of those are no work."""
    tasks = project.relative(project.tasks) + "/"
    name = path.startswith(("MEMORY", "HANDOFF.md")) and path.endswith(".md")
    return project.is_own(path) or name or path.startswith((".claude/", ".memory/", tasks))


def is_substantial(change: Change) -> bool:
    """Whether a commit is about the work: merges, robots and version bumps are not."""
    return change.parents < 2 and not owners.is_bot(change.author) and not _CHORE.match(change.subject)


def _read_git(uncommitted: list[str], commits: list[Change]) -> dict[str, Statement | None]:
    """Return how the work tree is left: what is uncommitted, else the last commit. Git knows neither task nor plan."""
    last = next(filter(is_substantial, commits), None)
    named = ", ".join(f"`{path}`" for path in uncommitted[:3])
    rest = f" and {len(uncommitted) - 3} more" if len(uncommitted) > 3 else ""
    if uncommitted:
        return {"status": _make_statement(f"uncommitted: {named}{rest}", "git status", "medium")}
    if last:
        text = f"nothing uncommitted; last commit “{redact(last.subject)}” ({last.date})"
        return {"status": _make_statement(text, f"commit {last.sha[:9]}", "low")}
    return {}


def _todo_statements(state: State) -> list[Statement]:
    return _make_statements(
        [item["text"] for item in state["todos"] if item["status"] != "completed"], _name_source(state)
    )


def _box_statements(project: Project, environ: Mapping[str, str]) -> list[Statement]:
    """Return the open boxes of tasks/todo.md where its text is trusted (docs/trust.md)."""
    name = project.relative(project.todo)
    known = row_vetting.read_known(project, environ, [name]).texts
    return _make_statements(todo.find_open_boxes(known.get(name, "")), name)


def _capture_statements(states: list[State], kind: str) -> list[Statement]:
    statements: list[Statement] = []
    for state in states:
        captures = [row for row in state["captures"].values() if working_buffer.main_class(row) == kind]
        statements += _make_statements([capture["text"] for capture in captures], _name_source(state))
    return _drop_repeats(statements)


def _last_check(states: list[State]) -> Statement | None:
    """Return how the last check of these sessions ended that showed it; None where a later one seems to have failed."""
    state, run = _find_last_run(states)
    if state is None or run is None or run["check"] == checks.DOUBTFUL:
        return None
    return _make_statement(
        f"`{run['command']}` {run['check']} on {clock.local_date(run['time'])}", _name_source(state), "high"
    )


def _find_last_run(states: list[State]) -> tuple[State, Outcome] | tuple[None, None]:
    shown = (checks.PASSED, checks.FAILED, checks.DOUBTFUL)
    runs = [(run["time"], state, run) for state in states for run in state["tried"] if run["check"] in shown]
    return max(runs, key=lambda row: row[0])[1:] if runs else (None, None)


def _find_evidence(project: Project, states: list[State]) -> str:
    """Return the file with the output of the last check, where that failed and still does."""
    state, run = _find_last_run(states)
    failing = state["failing"] if state else None
    if run is None or failing is None or failing["time"] != run["time"]:
        return ""
    return output_files.find_output(project, failing.get("evidence", ""))


def _drop_repeats(rows: list[Statement]) -> list[Statement]:
    return duplicates.distinct(rows, lambda row: row.text)[: SHOWN * 2]
