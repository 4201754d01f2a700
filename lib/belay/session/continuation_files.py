"""The files of continuations: one waits in the work tree, delivered ones are in the archive; none is ever deleted."""

from __future__ import annotations

import os

from belay.core import clock, files, json_codec, paths
from belay.core.constants import CONTINUATION_DAYS
from belay.core.errors import LockTimeout
from belay.core.lock import hold
from belay.repository import projects, row_vetting
from belay.safety import trust
from belay.session.continuation_text import FOOT, Facts, build, format_branch, has_open_work
from belay.session.state import find_cursor
from belay.session.work import todo
from belay.session.work.steps import find_work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.client.tool_results import TodoItem
    from belay.session.session import Session
    from belay.session.state_types import Inherited, State


class Continuation:
    """A continuation in a file: its text, and the time, branch and session that its last line names."""

    __slots__ = ("branch", "path", "session", "stamp", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        last = text.rstrip().rsplit("\n", 1)[-1]
        self.stamp, self.branch, self.session = _parse_footer(last)

    def age(self) -> float:
        """Return its age in days."""
        return (clock.moment() - clock.seconds(self.stamp)) / clock.DAY if self.stamp else 0.0

    def title(self) -> str:
        """Return its first line without the mark."""
        return self.text.lstrip("\ufeff").split("\n", 1)[0].lstrip("# ").strip()


def _parse_footer(line: str) -> tuple[str, str, str]:
    if not line.startswith(FOOT):
        return "", "", ""
    stamp, _, rest = line[len(FOOT) :].partition(" on ")
    branch, _, session = rest.rpartition(" by session ")
    return stamp, branch, session


def find_waiting(project: paths.Project) -> Continuation | None:
    """Return the continuation that waits in the work tree, or None (a file we may not touch counts as none)."""
    if files.explain_refusal(project.continuation):
        return None
    text = files.read(project.continuation).decode("utf-8", "replace")
    return Continuation(project.continuation, text) if text.strip() else None


def write(project: paths.Project, environ: Mapping[str, str], session: str, text: str) -> str:
    """Write the continuation of a session; an undelivered one of another session is copied to the archive first.

    Returns "" when done, else why not: a file of that name exists that is not ours to touch, or the disk refuses.
    """
    refused = files.explain_refusal(project.continuation)
    if refused:
        return f"CONTINUATION.md {refused}"
    data = text.encode("utf-8", "replace")
    try:
        with hold(_lock_path(project)):
            old = find_waiting(project)
            if old and old.session != session:
                _copy_to_archive(project, environ, old)
            files.write(project.continuation, data)
    except OSError as error:
        return f"CONTINUATION.md cannot be written ({error.strerror})"
    except LockTimeout as error:
        return str(error)
    trust.record(environ, project.root, project.relative(project.continuation), data)
    return ""


def _lock_path(project: paths.Project) -> str:
    """Two sessions may write at once, or one while the other's is delivered: neither text may be lost."""
    return os.path.join(project.states, "continuation.lock")


def _copy_to_archive(project: paths.Project, environ: Mapping[str, str], note: Continuation) -> str:
    """Copy a continuation into the archive under a name of its own; return the path of the copy."""
    stamp = note.stamp or clock.now()[:19] + "Z"
    base = os.path.join(project.archive, f"{_safe_name(stamp)[:24]}-{_safe_name(note.session)[:8] or 'unknown'}")
    path, number = base + ".md", 1
    data = note.text.encode("utf-8", "replace")
    while os.path.exists(path) and files.read(path) != data:
        number += 1
        path = f"{base}-{number}.md"
    known = trust.is_known(environ, project.root, project.relative(note.path), data) if note.path else True
    files.write(path, data)
    if known:
        trust.record(environ, project.root, project.relative(path), data)
    return path


def _safe_name(text: str) -> str:
    """Return the characters of a text that are safe in a file name: anybody may have written a continuation."""
    return "".join(char for char in text if char.isascii() and (char.isalnum() or char == "-"))


def archive(project: paths.Project, environ: Mapping[str, str], note: Continuation) -> str:
    """Move a delivered continuation into the archive, never deleting its text; return where it is."""
    with hold(_lock_path(project)):
        copy = _copy_to_archive(project, environ, note)
        if files.read(note.path).decode("utf-8", "replace") == note.text:
            os.unlink(note.path)
    return copy


def deliver(session: Session, note: Continuation, how: str) -> str:
    """Record that a continuation reached a session, then move it to the archive; return where it is."""
    if note.session in ("", session.name):
        session.log("delivered", of=note.session, how=how)
    else:
        session.log("delivered", of=note.session, how=how, work=_find_open_work(session, note.session))
    return _settle(session, note, session.name, how)


def _settle(session: Session, note: Continuation, to: str, how: str) -> str:
    """Move a continuation to the archive and note that it needs no delivery any more; return where it is."""
    try:
        copy = archive(session.project, session.environ, note)
        line = json_codec.encode({"file": os.path.basename(copy), "to": to, "time": clock.now(), "how": how})
        files.append_line(_deliveries_path(session.project), line)
    except (OSError, LockTimeout):
        return note.path  # shown once more is better than not at all
    return copy


def give_back(session: Session) -> bool:
    """Let the continuation wait again that an ended session received and never used; return whether there is one.

    Where another one waits by now, or another session was given work since, it stays in the archive.
    """
    from belay.session.session import find_others

    note = None if session.state["prompts"] else _find_received(session)
    if note is None:
        return False
    others = (other.state for other in find_others(session, CONTINUATION_DAYS))
    is_used = any(state["prompts"] and state["active"] > session.state["started"] for state in others)
    if not is_used and find_waiting(session.project) is None:
        write(session.project, session.environ, note.session, note.text)
    session.log("continued")
    return True


def _find_received(session: Session) -> Continuation | None:
    """Return the continuation of another session that this one received last, None without one."""
    done = files.read(_deliveries_path(session.project)).decode("utf-8", "replace").splitlines()
    names = [_parse_delivery(row, session.name) for row in done if session.name in row]
    notes = {os.path.basename(note.path): note for note in list_archived(session.project, session.environ)}
    found = (notes[name] for name in reversed(names) if name in notes and notes[name].session != session.name)
    return next(found, None)


def _parse_delivery(row: str, to: str) -> str:
    """Return the file that a line of deliveries names, "" where it went to another session or is damaged."""
    try:
        line = json_codec.loads(row)
    except ValueError:
        return ""
    return str(line.get("file", "")) if isinstance(line, dict) and line.get("to") == to else ""


def _find_open_work(session: Session, name: str) -> Inherited:
    """Return the work of the session that a continuation is of, as its journal has it."""
    state = session.named(name).state
    return {
        "task": state["task"], "path": state["task_path"], "request": state["request"], "answered": state["answered"],
        "answer": state["answer"], "plan": state["plan"], "todos": state["todos"], "next": state["next"],
        "status": state["status"],
    }  # fmt: skip


def _deliveries_path(project: paths.Project) -> str:
    return os.path.join(project.archive, "delivered.jsonl")


def list_archived(project: paths.Project, environ: Mapping[str, str], waiting: bool = False) -> list[Continuation]:
    """Return the archived continuations that this machine's Belay wrote, the newest first.

    With `waiting` only those that no session has received.
    """
    done = files.read(_deliveries_path(project)).decode("utf-8", "replace") if waiting else ""
    notes = []
    for name in reversed(files.list_names(project.archive)):
        if name.endswith(".md") and f'"{name}"' not in done:
            path = os.path.join(project.archive, name)
            data = files.read(path)
            if trust.is_known(environ, project.root, project.relative(path), data):
                notes.append(Continuation(path, data.decode("utf-8", "replace")))
    return notes


def reason_to_wait(note: Continuation, branch: str) -> str:
    """Return why a continuation is named but not injected ("" when it is): it is another branch's, or too old."""
    if note.age() > CONTINUATION_DAYS:
        return f"is {note.age():.0f} days old"
    if note.branch and branch and note.branch not in (format_branch(branch), "no branch", "detached"):
        return f"belongs to branch {note.branch}"
    return ""


def gather_facts(project: paths.Project, state: State, branch: str) -> Facts:
    """Return what git says of the work tree now; only the branch without git or where it fails."""
    from belay.core.errors import BelayError
    from belay.repository.git import functions, status
    from belay.session.evidence import output_files

    failing = state["failing"]
    evidence = output_files.find_output(project, failing.get("evidence", "")) if failing else ""
    if not project.git_dir or state["root"] not in ("", projects.make_label(project.root)):
        return Facts(branch, evidence=evidence)
    path, line = find_cursor(state)
    try:
        changed = [name for _, name in status.list_uncommitted(project.root) if not project.is_own(name)]
        function = functions.find_function(project.root, path, line) if path and line else ""
    except BelayError:
        return Facts(branch, evidence=evidence)
    return Facts(branch, function, changed, evidence)


def refresh(session: Session, always: bool = True) -> str:
    """Write the continuation of a session; return why not, "" when it is written.

    Without `always` only where work is open. A session replaces its own continuation; one that is older than the
    continuation that waits goes to the archive.
    """
    state = session.state
    facts = gather_facts(session.project, state, state["branch"] or session.branch)
    if not (state["prompts"] if always else has_open_work(state, facts)):
        _retire_own(session, build(state, facts))
        return "nothing is open"
    text = build(_with_boxes(session, state), facts)
    if _belongs_in_archive(session):
        _copy_to_archive(session.project, session.environ, Continuation("", text))
        refused = ""
    else:
        refused = write(session.project, session.environ, session.name, text)
    if not refused:
        session.log("continued")
        session.save()
    return refused


def _retire_own(session: Session, text: str) -> None:
    """Give the session's own continuations their last text, in the archive: what they ordered is done by now.

    One that was delivered after a compaction is there already.
    """
    project, environ = session.project, session.environ
    waiting = find_waiting(project)
    if waiting and waiting.session == session.name and not write(project, environ, session.name, text):
        _settle(session, Continuation(waiting.path, text), session.name, "done")
    data = text.encode("utf-8", "replace")
    for note in list_archived(project, environ):
        if note.session == session.name and note.text != text:
            files.write(note.path, data)
            trust.record(environ, project.root, project.relative(note.path), data)


def _belongs_in_archive(session: Session) -> bool:
    """Whether a newer session's continuation waits here, or the session's own work tree is gone."""
    state, waiting = session.state, find_waiting(session.project)
    newer = waiting and waiting.session != session.name and waiting.stamp[:19] > str(state["active"])[:19]
    return bool(newer) or state["root"] not in ("", projects.make_label(session.project.root))


def _with_boxes(session: Session, state: State) -> State:
    """Return the state with the open boxes of tasks/todo.md where it has no todo list and knows no other next step."""
    if state["todos"] or find_work(state).steps:
        return state
    return {**state, "todos": _open_boxes_as_todos(session), "planned": clock.now()}


def _open_boxes_as_todos(session: Session) -> list[TodoItem]:
    """Return the open boxes of tasks/todo.md where its text is this user's: a clone's is left out."""
    project = session.project
    name = project.relative(project.todo)
    known = row_vetting.read_known(project, session.environ, [name]).texts if os.path.exists(project.todo) else {}
    boxes = todo.find_open_boxes(known.get(name, ""))
    return [{"id": str(n), "text": text, "status": "pending"} for n, text in enumerate(boxes, 1)]
