"""PostToolBatch of the main thread: records edits, checks and lessons, answers and todos; checks the budget."""

from __future__ import annotations

import os

from belay.budget import measurement
from belay.client import tool_results
from belay.client.event import Reply
from belay.repository import projects
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event, ToolCall
    from belay.client.tool_results import CommandRun
    from belay.session.records import Candidate
    from belay.session.state_types import EditedFile, Failure

_TODO_TOOLS = frozenset(("TodoWrite", "TaskCreate", "TaskUpdate"))


def handle(event: Event) -> Reply | None:
    """Record the results of a batch; return receipts, milestones and the budget's notice."""
    session = Session.from_event(event)
    if session is None:
        return None
    calls = event.tool_calls
    if any(call.command for call in calls):
        _hold_back(session, calls)
    if event.is_subagent:
        return None
    if any(call.name in tool_results.MOVES for call in calls):
        _follow(session, event)
    context: list[str] = []
    reached: list[tuple[str, list[str]]] = []
    if os.path.isdir(session.project.journals):
        reached += _record_commits(session, calls)
        edited = _record_edits(session, event, tool_results.find_edits(calls))
        runs = tool_results.find_commands(calls, session.project.root, event.saved_outputs)
        ran = _record_commands(session, runs, reached, event.cwd)
        if not edited and not ran and any(_had_intent(call) for call in calls):
            session.log("done")
        context = _capture_answers(session, calls)
        if any(call.name == tool_results.PLANNER for call in calls):
            _record_plans(session, calls)
        if any(call.name in _TODO_TOOLS for call in calls):
            _record_todos(session, calls, reached)
        if reached:
            from belay.hooks import milestones

            context += milestones.announce(session, reached)
            if any(kind == "commit" for kind, _ in reached):
                from belay.hooks.reply_builder import ask_for_closing_line

                context.append(ask_for_closing_line(session))
    due = measurement.find_due(event, session)
    if not (any(context) or due or session.trouble):
        return None
    from belay.hooks import reply_builder

    return reply_builder.build_reply(session, context, due)


def _follow(session: Session, event: Event) -> None:
    """Stay with a session that the client moved to another work tree: its block in the old buffer goes."""
    from belay.session import binding, captures

    left = binding.follow(event, session.project)
    if left:
        captures.leave_buffer(session.named(session.name, left))


def _hold_back(session: Session, calls: list[ToolCall]) -> None:
    """Let what commands brought into memory files wait for the person (docs/trust.md)."""
    from belay.client.shell_command import brings_text

    if any(brings_text(call.command) for call in calls):
        from belay.repository import row_vetting, vetting

        vetting.hold_back_new(session.project, session.environ, row_vetting.list_candidates(session.project))


def _had_intent(call: ToolCall) -> bool:
    """Whether PreToolUse recorded an intent for the call, which is over now."""
    recorded = tool_results.EDITORS | tool_results.SHELLS
    return call.name in recorded or call.name == "Agent" or call.name.startswith("mcp__")


def _record_edits(session: Session, event: Event, calls: list[ToolCall]) -> bool:
    if not calls:
        return False
    from belay.client import transcript

    uses = [call.use for call in calls]
    lines = transcript.find_patches(event.transcript, uses)
    files = [_describe_edit(session, call, lines.get(use)) for call, use in zip(calls, uses, strict=True)]
    session.log("edit", files=[file for file in files if file["path"]])
    if any("[x]" in call.new_text.lower() for call in calls):
        from belay.session.work import task_items

        task_items.follow_edits(session, calls)
    return True


def _describe_edit(session: Session, call: ToolCall, patch: tuple[str, int] | None) -> EditedFile:
    from belay.hooks.pre_tool_use import find_line

    line = patch[1] if patch and patch[1] else find_line(call.file, call.new_text)
    return {
        "path": projects.make_label(session.project.relative(call.file)),
        "line": line or int(call.name == "Write"),
    }


def _record_commits(session: Session, calls: list[ToolCall]) -> list[tuple[str, list[str]]]:
    """Journal the commits that commands made; return a milestone where there is one."""
    if not any("commit" in call.command for call in calls):
        return []
    from belay.client import commits
    from belay.safety.redaction import redact

    made = commits.find_commits(calls)
    for sha, subject in made:
        session.log("commit", sha=sha, subject=redact(subject))
    return [("commit", [])] if made else []


def _record_commands(session: Session, ran: list[CommandRun], reached: list[tuple[str, list[str]]], cwd: str) -> bool:
    told = [run for run in ran if run["check"] or not run["ok"]]
    if not told:
        return False
    from belay.client.tool_guard import is_belay_command

    commands = [run for run in told if not is_belay_command(run["command"])]
    for run in commands:
        _record_command(session, run, reached, _record_check(session, run, cwd) if run["check"] else "")
    return bool(commands)


def _record_command(session: Session, done: CommandRun, reached: list[tuple[str, list[str]]], evidence: str) -> None:
    from belay.hooks.pre_tool_use import first_line
    from belay.safety.redaction import redact

    failing = session.state["failing"]
    session.log(
        "command",
        command=first_line(done["checked"] or done["command"]),
        ok=done["ok"],
        output=redact(done["output"]),
        check=done["check"],
        evidence=evidence,
    )
    if failing and done["check"] == "passed" and not session.state["failing"]:
        _record_lesson(session, failing, reached)
    session.save()


def _record_check(session: Session, done: CommandRun, cwd: str) -> str:
    from belay.session.evidence import recording

    return recording.record_run(session, done, cwd)


def _record_lesson(session: Session, fixed: Failure, reached: list[tuple[str, list[str]]]) -> None:
    """Record that a failed check passes now, and which files were edited in between."""
    command = fixed["command"]
    files = [path for path, edit in session.state["edits"].items() if edit["time"] >= fixed["time"]]
    reached.append(("mended", [command, *files]))
    session.log("lesson", failed=f"{command}: {fixed['output']}", files=files, passed=command)


def _capture_answers(session: Session, calls: list[ToolCall]) -> list[str]:
    """Capture answered questions as decisions and rejections with feedback as corrections."""
    answered, rejected = tool_results.find_answers(calls), tool_results.find_rejections(calls)
    if not answered and not rejected:
        return []
    from belay.session import captures
    from belay.triggers import answers

    candidates = [
        _candidate(answers.judge_answer(question, chosen), answers.pair(question, chosen), "answered")
        for question, chosen in answered
    ]
    candidates += [_candidate(answers.judge_rejection(said), said, "rejected") for _, said in rejected]
    records = captures.record_captures(session, [row for row in candidates if row["classes"]])
    return [captures.format_receipt(records)] if records else []


def _candidate(classes: dict[str, float], text: str, origin: str) -> Candidate:
    from belay.core.constants import SENTENCE_CHARS
    from belay.core.plain_text import cut
    from belay.safety.redaction import redact

    return {
        "classes": classes,
        "text": cut(redact(" ".join(text.split())), SENTENCE_CHARS),
        "origin": origin,
    }


def _record_plans(session: Session, calls: list[ToolCall]) -> None:
    from belay.session.work import plans

    for text, status in tool_results.find_plans(calls):
        plans.record_plan(session, text, status)


def _record_todos(session: Session, calls: list[ToolCall], reached: list[tuple[str, list[str]]]) -> None:
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
        from belay.session.work import task_items

        task_items.tick_file(session, done)
        if all(item["status"] == "completed" for item in items):
            reached.append(("todos", [item["text"] for item in items]))
