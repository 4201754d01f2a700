"""Keeps tasks/todo.md and Claude's tasks alike: what is done in one list is done in the other (the rule: `todo`).

Active Work of MEMORY.md follows Claude's tasks at a milestone, at a wrap-up and at the end of a session.
"""

from __future__ import annotations

import os

from belay.core import files
from belay.safety.redaction import redact
from belay.session.work import steps, todo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import ToolCall
    from belay.client.tool_results import TodoItem
    from belay.session.session import Session


def follow_edits(session: Session, edits: list[ToolCall]) -> None:
    """Complete everywhere what edits of tasks/todo.md, or of a memory file, tick there."""
    project = session.project
    done: list[str] = []
    for call in edits:
        is_memory = os.path.basename(call.file) == "MEMORY.md" or call.file.startswith(project.overlays + os.sep)
        if is_memory or call.file == project.todo:
            done += todo.find_newly_ticked(call.old_text, call.new_text)
    if done:
        done = [redact(text) for text in done]
        tick_file(session, done)
        session.log("todos", items=_complete(session, done))


def _complete(session: Session, done: list[str]) -> list[TodoItem]:
    """Return Claude's tasks with what is done; an item that is none of them is added. An outdated list begins anew."""
    known = session.state["todos"]
    if not steps.list_open_todos(session.state):
        known = [item for item in known if item["status"] == "completed"]
    items = todo.complete(known, done)
    names = [item["text"] for item in items if item["status"] == "completed"]
    new: list[TodoItem] = [
        {"id": "", "text": text, "status": "completed"} for text in done if todo.find_match(names, text) < 0
    ]
    return items + new


def tick_file(session: Session, done: list[str]) -> None:
    """Tick the one line of tasks/todo.md that each finished item matches."""
    path = session.project.todo
    data = files.read(path)
    if not data or files.explain_refusal(path):
        return
    text = data.decode("utf-8", "surrogateescape")
    for item in done:
        text = todo.tick(text, item)
    new = text.encode("utf-8", "surrogateescape")
    try:
        if new != data:
            files.write(path, new)
    except OSError:
        return
