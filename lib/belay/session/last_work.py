"""Where the work stopped: by the journal of this user's own sessions, else by what is uncommitted and committed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from belay.client import tool_results
from belay.core import clock, plain_text
from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.repository import vetting
from belay.repository.git import owners
from belay.repository.git import status as git_status
from belay.repository.git.owners import Change
from belay.repository.survey import files, places, quotes
from belay.session import todo, working_buffer
from belay.session.session import Session, find_others
from belay.session.state import find_cursor

if TYPE_CHECKING:
    from belay.session.state_types import State

DAYS = 30.0
"""Days back in which a session's word counts."""
SHOWN = 5
_CHORE = re.compile(
    r"(?:bump|update|upgrade) \S+ (?:from|to)\b|(?:build|chore|ci)\((?:deps|deps-dev)\)|merge\b|(?:fix )?typos?$|wip$"
    r"|(?:release |version |bump )?v?\d+\.\d+[\w.-]*$",
    re.IGNORECASE,
)
_TERMINAL = "terminal"


class Said(NamedTuple):
    """One statement, what it was read from, and how sure it is: high, medium or low."""

    text: str
    source: str
    sure: str


class Left(NamedTuple):
    """Task, status and next step (None where nothing tells), open tasks, blockers, the last test run, when."""

    task: Said | None
    status: Said | None
    next: Said | None
    active: list[Said]
    blockers: list[Said]
    lessons: list[Said]
    tests: Said | None
    when: str


def find(
    project: Project,
    environ: Mapping[str, str],
    session: str,
    commits: list[Change],
    touched: dict[str, list[str]],
    written: str = "",
) -> Left:
    """Return where work stopped, as the newest session that did any here says; git fills what it leaves open.

    A session on another branch says nothing of this one; nor does one that did nothing since the memory was `written`
    (a journal time, "" for none: `survey.written`).
    """
    states = _states(project, environ, session)
    here = [one for one in states if one["branch"] in ("", Session(project, "", environ).branch)]
    state = next((one for one in here if one["task"] or one["edits"] or one["todos"]), None)
    state = None if state and written and _worked(state) <= written else state
    uncommitted = _uncommitted(project)
    told = _by_journal(state) if state else {}
    plain = _by_git(project.root, uncommitted, commits, touched)
    boxes = _boxes(project, environ)
    when = clock.local_date(str(state["active"])) if state else commits[0].date if commits else ""
    return Left(
        told.get("task") or plain.get("task"),
        told.get("status") or plain.get("status"),
        told.get("next") or plain.get("next"),
        _once([*(_todos(state) if state else []), *boxes]),
        _captured(states, "blocker"),
        _once([lesson for one in states for lesson in _lessons(one)]),
        _tests(here),
        when,
    )


def _states(project: Project, environ: Mapping[str, str], name: str) -> list[State]:
    """Return the states of this user's sessions of the last days, the newest first."""
    current = Session(project, name or _TERMINAL, environ)
    found = [one.state for one in [current, *find_others(current, DAYS)]]
    return sorted(found, key=lambda state: str(state["active"]), reverse=True)


def _worked(state: State) -> str:
    """Return when a session last edited a file or ran a check, "" if it did neither: words alone are no work."""
    checks = [row for row in state["tried"] if tool_results.is_check(str(row.get("command", "")))]
    return max((str(row.get("time", "")) for row in [*state["edits"].values(), *checks]), default="")


def _source(state: State) -> str:
    return f"journal of session {str(state['session'])[:8]}, {clock.local_date(str(state['active']))}"


def _said(text: str, source: str, sure: str) -> Said | None:
    shown = quotes.line(text)
    return Said(shown, source, sure) if shown else None


def _by_journal(state: State) -> dict[str, Said | None]:
    source = _source(state)
    path, line = find_cursor(state)
    place = f"`{path}:{line}`" if line else f"`{path}`"
    failing = state["failing"]["command"] if state["failing"] else ""
    step = state["next"] or (f"Make `{failing}` pass" if failing else "") or state["intent"]
    return {
        "task": _said(state["task"], source, "high"),
        "status": _said(state["status"] or working_buffer.describe_status(state), source, "high"),
        "next": _said(step, source, "high") or _said(f"Go on at {place}" if path else "", source, "medium"),
    }


def _uncommitted(project: Project) -> list[str]:
    """Return the uncommitted paths, Belay's own left out; [] without git."""
    if not project.git_dir:
        return []
    try:
        rows = [path for _, path in git_status.status(project.root)]
    except BelayError:
        return []
    return [path for path in rows if not _is_memory(project, path) and quotes.path(path)]


def _is_memory(project: Project, path: str) -> bool:
    """Whether a path is one of the files in which memory stands: that they changed is no work."""
    tasks = project.relative(project.tasks) + "/"
    name = path.startswith(("MEMORY", "HANDOFF.md")) and path.endswith(".md")
    return project.is_own(path) or name or path.startswith((".claude/", ".memory/", tasks))


def telling(change: Change) -> bool:
    """Whether a commit tells of the work: merges, robots and version bumps do not."""
    return change.parents < 2 and not owners.is_bot(change.author) and not _CHORE.match(change.subject)


def _by_git(
    root: str, uncommitted: list[str], commits: list[Change], touched: dict[str, list[str]]
) -> dict[str, Said | None]:
    last = next(filter(telling, commits), None)
    named = ", ".join(f"`{path}`" for path in uncommitted[:3])
    more = f" and {len(uncommitted) - 3} more" if len(uncommitted) > 3 else ""
    found: dict[str, Said | None] = {}
    if last:
        found["task"] = _said(last.subject, f"last commit {last.sha[:9]}, {last.date}", "low")
        found["status"] = _said("done", f"commit {last.sha[:9]}, nothing uncommitted", "low")
        paths = [one for one in touched.get(last.sha, []) if quotes.path(one) and files.is_file(root, one)]
        path = next(iter([*filter(places.is_written, paths), *paths]), "")
        found["next"] = _said(
            f"Read `{path}`, which that commit changed" if path else "", last.sha[:9], "low"
        )
    if uncommitted:
        found["status"] = _said("in progress", f"git status: {len(uncommitted)} uncommitted", "medium")
        found["next"] = _said(f"Finish or commit the changes in {named}{more}", "git status", "medium")
    return found


def _todos(state: State) -> list[Said]:
    rows = [str(row.get("text", "")) for row in state["todos"] if row.get("status") != "completed"]
    found = [_said(text, _source(state), "high") for text in rows]
    return [one for one in found if one]


def _boxes(project: Project, environ: Mapping[str, str]) -> list[Said]:
    """Return the open boxes of tasks/todo.md where its text is trusted (docs/trust.md)."""
    name = project.relative(project.todo)
    known, _ = vetting.vetted(project, environ, [name])
    found = [_said(text, name, "high") for text in todo.find_open_boxes(known.get(name, ""))]
    return [one for one in found if one]


def _captured(states: list[State], kind: str) -> list[Said]:
    rows = [(state, one) for state in states for one in state["captures"].values()]
    found = [
        _said(str(one["text"]), _source(state), "high")
        for state, one in rows
        if working_buffer.main_class(one) == kind
    ]
    return _once([one for one in found if one])


def _lessons(state: State) -> list[Said]:
    rows = [
        f"`{row.get('failed')}` failed; after edits of {', '.join(row.get('files') or []) or 'no file'} it passed"
        for row in state["lessons"]
    ]
    return [one for one in (_said(text, _source(state), "high") for text in rows) if one]


def _tests(states: list[State]) -> Said | None:
    """Return how the last check of these sessions ended."""
    runs = [
        (str(run.get("time", "")), state, run)
        for state in states
        for run in state["tried"]
        if tool_results.is_check(str(run.get("command", "")))
    ]
    if not runs:
        return None
    time, state, run = max(runs, key=lambda row: row[0])
    ended = "passed" if run.get("ok") else "failed"
    return _said(f"`{run['command']}` {ended} on {clock.local_date(time)}", _source(state), "high")


def _once(rows: list[Said]) -> list[Said]:
    return plain_text.distinct(rows, lambda row: row.text)[: SHOWN * 2]
