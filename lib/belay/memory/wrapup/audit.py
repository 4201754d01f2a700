"""Build the audit of a session: what code alone knows of it, from its state, its journal and git."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from belay.client import processes
from belay.core import clock, json_codec, plain_text
from belay.core import files as core_files
from belay.core.constants import CAPTURE_DAYS
from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.core.plain_text import cut
from belay.core.text.tokens import estimate
from belay.memory.document import page
from belay.memory.next_steps import find_lasting_step
from belay.memory.wrapup import sections
from belay.memory.wrapup.automatic_document import is_outright
from belay.repository import excludes, row_vetting
from belay.safety.redaction import redact
from belay.session import working_buffer
from belay.session.evidence import output_files
from belay.session.session import Session, find_others
from belay.session.work import todo
from belay.session.work.steps import find_work

if TYPE_CHECKING:
    from belay.session.state_types import Capture, Failure, State

Audit = dict[str, Any]
ROWS_SHOWN = 8
AUDIT_TOKENS = 600
ROW_CHARS = 110
ABSENT = "absent"
STATES = {"003": "belay", "004": "workstreams", "other": "other", "empty": "empty"}
"""Form of MEMORY.md → how the audit calls it."""


def gather_audit(session: Session) -> Audit:
    """Return the audit of a session: plain data, JSON as it is."""
    state, project = session.state, session.project
    commits, uncommitted = _read_git(session)
    work = find_work(state)
    return {
        "session": session.name, "branch": session.branch, "root": project.root, "task": state["task"],
        "started": state["started"], "wrapped": state["wrapped"], "intent": find_lasting_step(state),
        "question": work.question, "made": [dict(row) for row in state["commits"]],
        "files": _file_rows(state),
        "cursor": state["cursor"], "commits": commits, "uncommitted": uncommitted,
        "captures": [_capture_row(owner, capture) for owner, capture in find_open_captures(session)],
        "candidates": list(state["near"]), "todos": list(state["todos"]), "boxes": _read_open_boxes(session),
        "failing": _failing_command(project, state["failing"]), "lessons": list(state["lessons"]),
        "versioned": bool(project.git_dir), "memory": check_memory(project),
    }  # fmt: skip


def _file_rows(state: State) -> list[dict[str, Any]]:
    rows = state["edits"].items()
    return [{"path": path, "line": edit["line"], "edits": edit["count"], "time": edit["time"]} for path, edit in rows]


def find_open_captures(session: Session) -> list[tuple[Session, Capture]]:
    """Return the open captures a wrap-up settles: the session's own and those that ended sessions left."""
    pairs = [(session, capture) for capture in session.state["captures"].values()]
    for other in find_others(session, CAPTURE_DAYS):
        if other.state["ended"] or not processes.is_alive(other.state["client"]):
            pairs += [(other, capture) for capture in other.state["captures"].values()]
    return sorted(pairs, key=lambda pair: str(pair[1]["time"]))


def _capture_row(session: Session, capture: Capture) -> dict[str, Any]:
    kind = working_buffer.main_class(capture)
    return {
        "id": capture["id"], "class": kind, "text": capture["text"] or "", "session": session.name,
        "outright": is_outright(capture),
    }  # fmt: skip


def _failing_command(project: Project, failing: Failure | None) -> dict[str, str] | None:
    if failing is None:
        return None
    evidence = output_files.find_output(project, failing.get("evidence", ""))
    return {"command": failing["command"], "output": failing["output"], "evidence": evidence}


def _read_open_boxes(session: Session) -> list[str]:
    """Return the open boxes of tasks/todo.md where its text is trusted (docs/trust.md)."""
    name = session.project.relative(session.project.todo)
    known = row_vetting.read_known(session.project, session.environ, [name]).texts
    return todo.find_open_boxes(known.get(name, ""))


def _read_git(session: Session) -> tuple[list[dict[str, str]], list[str]]:
    """Return the commits made on this machine since the session started, and the uncommitted paths."""
    from belay.repository.git import reflog, status

    project = session.project
    if not project.git_dir:
        return [], []
    try:
        since, head = str(session.state["started"])[:19], _find_first_head(session)
        commits = status.list_commits(project.root, since + "Z") if since else []
        here = {sha for _, sha in reflog.list_local_commits(project.git_dir, 0)}
        changed = [path for _, path in status.list_uncommitted(project.root) if not _is_memory(project, path)]
    except BelayError:
        return [], []
    new_commits = itertools.takewhile(lambda commit: commit.sha != head, commits)
    return [{"sha": commit.sha, "subject": commit.subject} for commit in new_commits if commit.sha in here], changed


def _find_first_head(session: Session) -> str:
    """Return the commit the session began at (git's times are whole seconds: too coarse to go by alone)."""
    heads = (record.get("head") for record in session.own_records() if record["kind"] in ("start", "prompt"))
    return str(next(filter(None, heads), ""))


def _is_memory(project: Project, path: str) -> bool:
    folders = (
        ".claude/",
        ".memory/",
        *(project.relative(folder) + "/" for folder in (project.logs, project.tasks)),
    )
    return os.path.basename(path) == "MEMORY.md" or project.is_own(path) or path.startswith(folders)


def check_memory(project: Project) -> dict[str, str]:
    """Return the state of MEMORY.md (absent, belay's template, another form, or refused and why) and its hash."""
    refusal = core_files.explain_refusal(project.memory_md)
    if refusal:
        return {"state": "refused", "why": refusal, "sha256": ""}
    if not os.path.exists(project.memory_md):
        return {"state": ABSENT, "why": "", "sha256": ABSENT}
    data = core_files.read(project.memory_md)
    parsed, digest = page.parse(data.decode("utf-8")), hashlib.sha256(data).hexdigest()
    unclear = page.find_problem(parsed)
    if unclear:
        return {"state": "refused", "why": f"line {unclear[0]} {unclear[1]}", "sha256": digest}
    return {"state": STATES[sections.detect_form(parsed)], "why": "", "sha256": digest}


def save_audit(session: Session, audit: Audit, asked: Sequence[str] = ()) -> bool:
    """Remember what the audit saw and listed, and which sections its form `asked` for; False if impossible."""
    seen = {
        "time": clock.now(),
        "sha256": audit["memory"]["sha256"],
        "captures": [capture["id"] for capture in audit["captures"]],
        "asked": list(asked),
    }
    excludes.write_excludes(session.project, session.environ)
    return write_seen(session.project, session.name, seen)


def write_seen(project: Project, session: str, seen: dict[str, Any]) -> bool:
    """Write down what an audit saw; False where the state folder is closed."""
    try:
        core_files.write(_seen_path(project, session), json_codec.encode(seen), sync=False)
    except OSError:
        return False
    return True


def read_seen(project: Project, session: str) -> dict[str, Any]:
    """Return {time, sha256, captures, asked} of the session's last audit, {} when there was none."""
    try:
        seen = json_codec.loads(core_files.read(_seen_path(project, session)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return seen if isinstance(seen, dict) and isinstance(seen.get("captures"), list) else {}


def _seen_path(project: Project, session: str) -> str:
    return os.path.join(project.states, f"wrap-up-{session}")


def format_audit(audit: Audit) -> str:
    """Return the audit for Claude and people: 600 tokens at most; what is left out is counted."""
    shown = ""
    for most in range(ROWS_SHOWN, 0, -1):
        shown = redact("\n".join(_format_lines(audit, most)))
        if estimate(shown) <= AUDIT_TOKENS:
            break
    return shown


def _format_lines(audit: Audit, most: int) -> list[str]:
    lines = [f"Audit of session {audit['session'][:8]} on {audit['branch'] or 'no branch'}, made by code:"]
    lines += [f"Task so far: {_clean_cell(audit['task'])}"] if audit["task"] else []
    lines += _format_list("Edited", [_format_edit(row) for row in audit["files"]][::-1], most)
    lines += _format_list("Commits", [f"{row['sha'][:9]} {row['subject']}" for row in audit["commits"]], most)
    lines += _format_list("Uncommitted", audit["uncommitted"], most)
    lines += _format_list(
        "Open captures", [f"{row['id']} {row['class']}: {row['text']}" for row in audit["captures"]], most
    )
    lines += _format_list("Just under the line, take or drop", audit["candidates"][::-1], most)
    lines += _format_list("Todos", [f"[{_format_status(row)}] {row.get('text', '')}" for row in audit["todos"]], most)
    lines += _format_list("Open in tasks/todo.md", audit["boxes"], most)
    if audit["failing"]:
        lines.append(f"Failing: {_clean_cell(audit['failing']['command'])}: {_clean_cell(audit['failing']['output'])}")
        lines += [f"All that it printed: {audit['failing']['evidence']}"] if audit["failing"]["evidence"] else []
    lines += _format_list("Lesson candidates", [_format_lesson(row) for row in audit["lessons"]], most)
    return [*lines, _format_memory(audit["memory"])]


def _format_list(title: str, rows: list[str], most: int) -> list[str]:
    if not rows:
        return []
    more = len(rows) - most
    return [f"{title}:", *(f"- {_clean_cell(row)}" for row in rows[:most])] + (
        [f"- and {more} more"] if more > 0 else []
    )


def _clean_cell(value: str) -> str:
    return cut(plain_text.one_line(value), ROW_CHARS)


def _format_edit(row: dict[str, Any]) -> str:
    place = f"{row['path']}:{row['line']}" if row["line"] else str(row["path"])
    return f"{place} ({row['edits']} edits)" if row["edits"] > 1 else place


def _format_status(row: dict[str, Any]) -> str:
    return str(row.get("status", "")).replace("_", " ")


def _format_lesson(row: dict[str, Any]) -> str:
    files = ", ".join(row.get("files") or []) or "no file"
    return f"`{row.get('failed')}` failed; after edits of {files} `{row.get('passed')}` passed"


def _format_memory(about: dict[str, str]) -> str:
    says = {
        ABSENT: "is absent and will be created",
        "empty": "is empty and will be filled",
        "belay": "follows Belay's template and will be brought up to date",
        "workstreams": "has workstreams: decisions and the one that was worked on will be brought up to date",
        "other": "is not of Belay's template; one dated block will be added to it",
        "refused": f"{about['why']} and will be left alone",
    }
    return f"MEMORY.md {says[about['state']]}."
