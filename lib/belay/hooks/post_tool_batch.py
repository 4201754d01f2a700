"""PostToolBatch of the main thread: edits and lines, failures and lessons, answers, todos, budget."""

from __future__ import annotations

import os

from belay.client import tool_results
from belay.client.event import Reply
from belay.hooks import replies
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, ToolCall
    from belay.client.tool_results import CommandRun
    from belay.session.records import Candidate, EditedFile

_TODO_TOOLS = frozenset(("TodoWrite", "TaskCreate", "TaskUpdate"))


def handle(event: Event) -> Reply | None:
    """Journal what the batch came to, tell what was captured, and give the budget's notice."""
    session = Session.from_event(event)
    if session is None or event.is_subagent:
        return None
    calls = event.tool_calls
    context: list[str] = []
    reached: list[tuple[str, list[str]]] = []
    if os.path.isdir(session.project.journals):
        edited = _edits(session, event, tool_results.find_edits(calls))
        ran = _commands(session, tool_results.find_commands(calls), reached)
        if not edited and not ran and any(_had_intent(call) for call in calls):
            session.log("done")
        context = _spoken(session, calls)
        if any(call.name in _TODO_TOOLS for call in calls):
            _todos(session, calls, reached)
        if reached:
            from belay.hooks import milestones

            context += milestones.tell(session, reached)
    return replies.reply(session, event, context)


def _had_intent(call: ToolCall) -> bool:
    """Whether PreToolUse journalled an intent of the call: with nothing else to say of it, it is over."""
    recorded = tool_results.EDITORS | tool_results.SHELLS
    return call.name in recorded or call.name == "Agent" or call.name.startswith("mcp__")


def _edits(session: Session, event: Event, calls: list[ToolCall]) -> bool:
    if not calls:
        return False
    from belay.client import transcript

    uses = [call.use for call in calls]
    lines = transcript.find_patches(event.transcript, uses)
    files = [_edit(session, call, lines.get(use)) for call, use in zip(calls, uses, strict=True)]
    session.log("edit", files=[file for file in files if file["path"]])
    return True


def _edit(session: Session, call: ToolCall, patch: tuple[str, int] | None) -> EditedFile:
    from belay.hooks.pre_tool_use import line_of
    from belay.safety.redaction import redact

    line = patch[1] if patch and patch[1] else line_of(call.file, call.new_text)
    return {
        "path": redact(session.project.relative(call.file)),
        "line": line or int(call.name == "Write"),
    }


def _commands(session: Session, ran: list[CommandRun], reached: list[tuple[str, list[str]]]) -> bool:
    from belay.client.tool_guard import is_belay_command

    return sum(_command(session, done, reached) for done in ran if not is_belay_command(done["command"])) > 0


def _command(session: Session, done: CommandRun, reached: list[tuple[str, list[str]]]) -> bool:
    from belay.hooks.pre_tool_use import head
    from belay.safety.redaction import redact

    command = head(done["command"])
    if done["ok"] and {"git", "commit"} <= set(done["command"].split()):
        reached.append(("commit", []))
    failing = session.state["failing"] if done["ok"] else None
    mended = failing if failing and tool_results.passes(command, failing["command"]) else None
    if done["ok"] and not mended and not tool_results.is_check(command):
        return False
    if mended:
        files = [path for path in session.state["edits"] if _since(session, path, mended["time"])]
        if tool_results.is_check(command):
            reached.append(("mended", [command, *files]))
        session.log("lesson", failed=f"{command}: {mended['output']}", files=files, passed=command)
    session.log("command", command=command, ok=done["ok"], output=redact(done["output"]))
    session.save()
    return True


def _since(session: Session, path: str, stamp: str) -> bool:
    return str(session.state["edits"][path]["time"]) >= stamp


def _spoken(session: Session, calls: list[ToolCall]) -> list[str]:
    """Capture answered questions as decisions and rejections with feedback as corrections."""
    found = [
        _captured("decision", f"{question} → {chosen}", "answered")
        for question, chosen in tool_results.find_answers(calls)
    ]
    found += [_captured("correction", said, "rejected") for _, said in tool_results.find_rejections(calls)]
    if not found:
        return []
    from belay.session import captures

    return [captures.format_receipt(captures.record_captures(session, found))]


def _captured(kind: str, text: str, origin: str) -> Candidate:
    from belay.core.constants import SENTENCE_CHARS
    from belay.core.plain_text import cut
    from belay.safety.redaction import redact

    return {
        "classes": {kind: 1.0},
        "text": cut(redact(" ".join(text.split())), SENTENCE_CHARS),
        "origin": origin,
    }


def _todos(session: Session, calls: list[ToolCall], reached: list[tuple[str, list[str]]]) -> None:
    before = {item["text"] for item in session.state["todos"] if item["status"] == "completed"}
    items = tool_results.update_todos(calls, session.state["todos"])
    if items is None:
        return
    from belay.safety.redaction import redact

    items = [{**item, "text": redact(item["text"])} for item in items]
    session.log("todos", items=items)
    session.save()
    done = [item["text"] for item in items if item["status"] == "completed" and item["text"] not in before]
    if done:
        _tick(session, done)
        if all(item["status"] == "completed" for item in items):
            reached.append(("todos", [item["text"] for item in items]))


def _tick(session: Session, done: list[str]) -> None:
    """Tick each finished task's one matching line in tasks/todo.md."""
    from belay.core import files as core_files
    from belay.session import todo

    path = session.project.todo
    data = core_files.read(path)
    if not data or core_files.explain_refusal(path):
        return
    text = data.decode("utf-8", "surrogateescape")
    for item in done:
        text = todo.tick(text, item)
    new = text.encode("utf-8", "surrogateescape")
    try:
        if new != data:
            core_files.write(path, new)
    except OSError:
        return
