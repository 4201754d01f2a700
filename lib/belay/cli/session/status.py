"""`belay status`: the state of this project's memory in a few lines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.cli import output, terminal
from belay.cli.output import Result, here
from belay.cli.setup import waiting_notes, waiting_rows
from belay.core import clock, paths
from belay.core.errors import mend_foreign
from belay.core.plain_text import count
from belay.knowledge.review.queue import Queue
from belay.memory.health import cached_score
from belay.repository import blocked_places, row_vetting, vetting
from belay.session import continuation_files
from belay.session.evidence import current_checks, gates, output_files
from belay.session.session import Session, find_others
from belay.session.work.steps import describe_status, find_work
from belay.setup import start

if TYPE_CHECKING:
    from belay.knowledge.review.capture_list import CaptureView
    from belay.session.evidence.counts import Counts
    from belay.session.evidence.current_checks import CurrentCheck


class SessionStatus(TypedDict):
    """The session of `belay status`."""

    id: str
    started: str | None
    last: str | None
    task: str | None
    status: str | None
    next: str | None
    prompts: int


class ContinuationStatus(TypedDict):
    """Whether a continuation waits."""

    waiting: bool
    title: str | None
    path: str | None


class BudgetStatus(TypedDict):
    """Tokens used of the limit."""

    used: int
    limit: int
    percent: float


class EnvironmentStatus(TypedDict):
    """The state of Belay's own Python environment."""

    state: str
    why: str | None
    mend: str | None


class TrustStatus(TypedDict):
    """Memory files by what may be shown of them; `rows`: of which file how many rows wait; `notes`: lines that wait."""

    known: list[str]
    rows: dict[str, int]
    unknown: list[str]
    refused: list[str]
    notes: int


class CheckStatus(TypedDict):
    """A check whose last result is that it failed; `changed`: commit or files are not the same any more."""

    kind: str
    command: str
    counts: Counts
    time: str
    commit: str
    branch: str
    changed: bool
    evidence: str


class Status(TypedDict):
    """`belay status`."""

    project: str
    branch: str | None
    head: str | None
    git: bool
    memory: str
    elsewhere: list[str]
    health: int | None
    session: SessionStatus | None
    captures: list[dict[str, object]]
    waiting: int
    continuation: ContinuationStatus
    checks: list[CheckStatus]
    budget: BudgetStatus | None
    environment: EnvironmentStatus
    trust: TrustStatus
    off: bool


_DAYS = 7.0


@output.command("status", examples="belay status\nbelay status --json")
def command() -> Result:
    """Show the state of this project's memory. Session, health, open captures, continuation, budget, set-up, trust."""
    project = here()
    own = Session(project, output.session(project), os.environ)
    queue = Queue(project, os.environ)
    known = queue.look()
    data: Status = {
        "project": project.root,
        "branch": own.head[0] or None,
        "head": own.head[1] or None,
        "git": bool(project.git_dir),
        "memory": project.store,
        "elsewhere": blocked_places.explain_moves(project),
        "health": cached_score.read_score(project) or None,
        "session": _session(own),
        "captures": _captures(own, known),
        "waiting": len(queue.waiting(known)),
        "continuation": _continuation(project),
        "checks": [_check(project, gate) for gate in current_checks.list_failing(project, os.environ)],
        "budget": _budget(own),
        "environment": _environment(),
        "trust": _trust(project),
        "off": os.environ.get("BELAY") == "off",
    }
    return output.make_result(data, _parts(data))


def _session(own: Session) -> SessionStatus | None:
    if not own.name:
        return None
    state, work = own.state, find_work(own.state)
    return {"id": own.name, "started": state["started"] or None, "last": state["last"] or None,
            "task": work.task or None, "status": describe_status(state) or None, "next": work.next or None,
            "prompts": state["prompts"]}  # fmt: skip


def _captures(own: Session, known: CaptureView) -> list[dict[str, object]]:
    """Return the open captures of this and the last days' sessions that are no confirmed entries yet, oldest first."""
    sessions = [one for one in (own, *find_others(own, _DAYS)) if one.name]
    found = {
        row["id"]: row for one in sessions for row in one.state["captures"].values() if not known.is_settled(row["id"])
    }
    keys = ("id", "time", "classes", "text", "branch")
    return [{key: row.get(key) for key in keys} for row in sorted(found.values(), key=lambda row: str(row["time"]))]


def _continuation(project: paths.Project) -> ContinuationStatus:
    note = continuation_files.find_waiting(project)
    return {
        "waiting": note is not None,
        "title": note.title() if note else None,
        "path": note.path if note else None,
    }


def _check(project: paths.Project, found: CurrentCheck) -> CheckStatus:
    gate = found.gate
    return {
        "kind": gate["kind"], "command": gate["command"], "counts": gate["counts"], "time": gate["time"],
        "commit": gate["commit"], "branch": gate["branch"], "changed": found.changed,
        "evidence": output_files.find_output(project, gate["evidence"]),
    }  # fmt: skip


def _budget(own: Session) -> BudgetStatus | None:
    from belay.budget import measurement

    found = measurement.measure_session(own) if own.name else None
    return {"used": found.used, "limit": found.limit, "percent": found.percent} if found else None


def _environment() -> EnvironmentStatus:
    state = start.state(os.environ)
    mend = "belay setup" if state.kind == "absent" else None
    return {"state": state.kind, "why": state.why or None, "mend": state.mend or mend}


def _trust(project: paths.Project) -> TrustStatus:
    names = row_vetting.list_candidates(project)
    texts, rows, unknown = row_vetting.read_known(project, os.environ, names)
    refused = vetting.explain_refusals(project, names)
    blocked = [(path, why) for path, why in blocked_places.find_blocked(project, os.environ) if path not in names]
    refused += [f"{path} {why}; remove it" for path, why in blocked]
    return {"known": sorted(texts.keys() - rows.keys()), "rows": rows, "unknown": unknown, "refused": refused,
            "notes": waiting_notes.count_waiting(project)}  # fmt: skip


def _parts(data: Status) -> list[terminal.Part]:
    session, budget, environment = data["session"], data["budget"], data["environment"]
    place = data["branch"] or ("detached" if data["git"] else "no git")
    why, mend = environment["why"], environment["mend"]
    rows = {
        "Project": f"{data['project']} ({place})",
        "Session": f"{session['id']}, {count(session['prompts'], 'prompt')}" if session else "none yet",
        "Task": session["task"] or "" if session else "",
        "Status": session["status"] or "" if session else "",
        "Next step": session["next"] or "" if session else "",
        "Health": f"{data['health']}/10 (belay health)" if data["health"] else "",
        "Captures": f"{len(data['captures'])} open",
        "Continuation": data["continuation"]["title"] or "none waits",
        "Context": f"{budget['percent']} % of {budget['limit']:,} tokens used" if budget else "",
        "Set-up": environment["state"] + (f": {why}" if why else "") + (f"; {mend}" if mend else ""),
    }
    table = [row for row in rows.items() if row[1]]
    table += [("Check", _describe_check(check)) for check in data["checks"]]
    table += [("Not trusted", f"{name} ({mend_foreign(name)})") for name in data["trust"]["unknown"]]
    table += [("Not shown", waiting_rows.describe_waiting(*row)) for row in data["trust"]["rows"].items()]
    table += [("Not shown", waiting_notes.describe_waiting(number)) for number in [data["trust"]["notes"]] if number]
    table += [("Left alone", line) for line in data["trust"]["refused"]]
    table += [("Elsewhere", line) for line in data["elsewhere"]]
    off = ["Belay is switched off here (BELAY=off)."] if data["off"] else []
    return [*off, terminal.Table(table, wraps=True)]


def _describe_check(check: CheckStatus) -> str:
    numbers = gates.describe_counts(check["counts"])
    where = " at ".join(filter(None, (check["branch"], check["commit"][:9])))
    when = f"{clock.local_date(check['time'])} {clock.local_time(check['time'])}"
    parts = [f"`{check['command']}` failed {when}", f" on {where}" if where else "", f" ({numbers})" if numbers else ""]
    parts += [", before the last changes"] if check["changed"] else []
    return "".join(parts) + (f": {check['evidence']}" if check["evidence"] else "")
