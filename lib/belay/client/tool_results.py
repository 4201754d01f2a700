"""The results of a batch of tool calls: edits, commands, answers, rejections, todos (HOST §2.3).

Values in, values out; a tool_response is text, or a list of text parts.
"""

from __future__ import annotations

import os

from belay.core import files
from belay.core.json_codec import first_text, rows_of, text_or_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from belay.client.event import ToolCall, ToolInput

    class CommandRun(TypedDict):
        """A shell call that ran: its command, whether it succeeded, its exit status, the last lines it printed.

        `tail` is the redacted end of all that it printed, "" where nothing failed and nothing was checked. `checked`
        are the steps of the command that check something, and `check` says how they ended: "passed", "failed",
        "unclear" or "doubtful" (a pipe hides it), or "" where none ran.
        """

        command: str
        ok: bool
        status: int
        output: str
        tail: str
        checked: str
        check: str

    class TodoItem(TypedDict):
        """One task of the client's task list; `status` is pending, in_progress, completed or deleted."""

        id: str
        text: str
        status: str


EDITORS = frozenset(("Edit", "Write", "NotebookEdit", "MultiEdit"))
SHELLS = frozenset(("Bash", "PowerShell"))
PLANNER = "ExitPlanMode"
READER = "Read"
MOVES = frozenset(("EnterWorktree", "ExitWorktree"))
"""Tools with which the client moves a session to another work tree."""
OUTPUT_CHARS = 300
_BRIEF = 3
"""Words of a chosen option up to which its description is kept with it."""
LOOKED = 64 * 1024

_SAVED, _SAVED_AT = "<persisted-output>", "saved to: "
"""A response over 30,000 characters of a command that ended with 0: the file with all of it, and its first 2 KB."""
_ERROR = "<tool_use_error>"
_EXIT = "Exit code "
_REJECTED = "The user doesn't want to proceed with this tool use."
_FEEDBACK = "the user said:"
_NOTE = "Note: The user's next message may contain a correction or preference."
_CLARIFY = "The user wants to clarify these questions."
_NOTES = "User notes:"
_ANSWERED = "Your questions have been answered:"
_UNFINISHED = (
    "running in background with ID",
    "[Request interrupted by user",
    "Command timed out after",
    "Re-issue your command",
)
"""What the client says of a command that has not come to its end."""
_HELD_BACK = (_ERROR, _REJECTED, "PreToolUse:", "Belay refused this call once.", "Belay asks you")
_REFUSED = (
    "Belay does not let a secret be written",
    "is Belay's own record, which only Belay writes",
    "Belay looks for secrets in at most 256 KB at once",
    "Belay reads at most 256 KB of one",
    "would delete Belay's records",
)
"""Begin, or are within, what a hook's refusal leaves as a response: one version of the client adds nothing before."""
_PLAIN = frozenset(
    (
        "ls cat sed grep rg find head tail wc git gh pwd echo cd which sort uniq jq awk cut tr tree stat file du df ps "
        "date sleep mkdir touch cp mv rm chmod diff printf export curl basename dirname realpath readlink less true"
    ).split()
)
"""Commands that look at files, move them, or talk to git and servers."""
_CUTS = str.maketrans(dict.fromkeys(";|&()`", "\n"))


def response_text(call: ToolCall) -> str:
    """Return a call's response as text."""
    if isinstance(call.response, list):
        return "\n".join(str(part.get("text", "")) for part in rows_of(call.response))
    return text_or_empty(call.response)


def took_effect(call: ToolCall) -> bool:
    """Whether a call was refused neither by the client nor by the person."""
    text = response_text(call)
    if text.startswith(_HELD_BACK):
        return False
    return not any(refusal in text[:OUTPUT_CHARS] for refusal in _REFUSED)


def find_edits(calls: list[ToolCall]) -> list[ToolCall]:
    """Return the calls that changed a file."""
    return [call for call in calls if call.name in EDITORS and took_effect(call)]


def find_commands(calls: list[ToolCall], root: str = "", saved: str = "") -> list[CommandRun]:
    """Return each shell call that ran in a project; an exit code other than 0, or a failed check, is no success.

    `saved` is `Event.saved_outputs`.
    """
    return [
        _describe_run(call, root, saved)
        for call in calls
        if call.name in SHELLS and isinstance(call.given.get("command"), str) and took_effect(call)
    ]


def _describe_run(call: ToolCall, root: str, saved: str) -> CommandRun:
    text = response_text(call)
    if text.startswith(_SAVED) and not is_plain(call.command):
        text = _read_saved(text, saved)
    status = _find_status(text)
    printed = text.partition("\n")[2] if status else text
    start = printed[:OUTPUT_CHARS]
    is_over = call.given.get("run_in_background") is not True and not any(text in start for text in _UNFINISHED)
    check = checked = ""
    if is_over and not is_plain(call.command):
        from belay.client import checks  # most commands only look, and every hook would pay for it

        check, checked = checks.judge_run(call.command, status, printed, root)
    tail = _redact_end(text) if status or check else ""
    return {
        "command": call.command,
        "ok": not status and check != "failed",
        "status": status,
        "output": _last_lines(tail),
        "tail": tail.partition("\n")[2] if tail.startswith(_EXIT) else tail,
        "checked": checked,
        "check": check,
    }


def _read_saved(text: str, folder: str) -> str:
    """Return the end of an output that the client saved in its folder of the session; a response names the file.

    The response of a command is any text: another file that it names is not read.
    """
    path = text.partition(_SAVED_AT)[2].partition("\n")[0].strip()
    name = path[len(folder) :]
    if not folder or not path.startswith(folder) or "/" in name or not name.endswith(".txt") or os.path.islink(path):
        return text
    return files.tail(path, LOOKED).decode("utf-8", "replace") or text


def is_plain(command: str) -> bool:
    """Whether each step of a command line, however it is cut, is one of those that look at files or move them."""
    return all(part.split(None, 1)[0] in _PLAIN for part in command.translate(_CUTS).split("\n") if part.strip())


def _find_status(text: str) -> int:
    """Return the exit status that the client names, 0 where it names none."""
    number = text[len(_EXIT) :].split("\n", 1)[0].strip() if text.startswith(_EXIT) else "0"
    return int(number) if number.isascii() and number.isdecimal() and len(number) < OUTPUT_CHARS else 0


def _redact_end(text: str) -> str:
    from belay.safety.redaction import redact_tail

    return redact_tail(text, max(0, len(text) - LOOKED), LOOKED)


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(_EXIT)]
    return " | ".join(lines[-3:])[-OUTPUT_CHARS:]


def find_answers(calls: list[ToolCall]) -> list[tuple[str, str]]:
    """Return (question, chosen answer) of every answered question."""
    answers = []
    for call in calls:
        text = response_text(call)
        if call.name == "AskUserQuestion" and text.startswith(_ANSWERED):
            text = text[len(_ANSWERED) :]
            rows = rows_of(call.given.get("questions"))
            questions = [first_text(row, "question") for row in rows]
            pairs = _split_by_questions(text, [name for name in questions if name]) or _split_by_marks(text)
            answers += [(question, describe_choice(rows, question, chosen)) for question, chosen in pairs]
    return answers


def describe_choice(questions: list[Any], question: str, chosen: str) -> str:
    """Return a chosen option; one of few words with its description: "Both (menu and toolbar)"."""
    asked: list[Any] = [row for row in questions if first_text(row, "question") == question]
    if len(chosen.split()) > _BRIEF:
        return chosen
    for option in rows_of(asked[0].get("options")) if asked else ():
        told = first_text(option, "description").strip().rstrip(".")
        if first_text(option, "label").strip() == chosen.strip() and 0 < len(told) <= OUTPUT_CHARS // 2:
            return f"{chosen.strip()} ({told})"
    return chosen


def _split_by_questions(text: str, questions: list[str]) -> list[tuple[str, str]]:
    """Return the pairs by the questions that were asked: each answer ends where the next question begins."""
    places = sorted((text.find(f'"{question}"="'), question) for question in questions)
    places = [place for place in places if place[0] >= 0]
    if not places:
        return []
    ends = [start - len('", ') for start, _ in places[1:]] + [max(text.rfind('". '), 0) or text.rfind('"')]
    starts = [start + len(question) + len('""="') for start, question in places]
    return [(question, text[start:end]) for (_, question), start, end in zip(places, starts, ends, strict=True)]


def _split_by_marks(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `"question"="answer", …`; what follows a quotation mark shows whether it is a closing one."""
    pairs = []
    for part in text.strip().split('"="')[1:]:
        question = text.partition('"="')[0].rpartition(', "')[2].strip().lstrip('"')
        rest = text.partition('"="')[2]
        end = min((at for at in (rest.find('", "'), rest.find('". ')) if at >= 0), default=rest.rfind('"'))
        pairs.append((question, rest[:end] if end >= 0 else part))
        text = rest[max(end, 0) :]
    return pairs


def find_rejections(calls: list[ToolCall]) -> list[tuple[str, str]]:
    """Return (tool, feedback) of every call that the person rejected with words."""
    rejections = []
    for call in calls:
        text = response_text(call)
        if text.startswith(_REJECTED) and _FEEDBACK in text:
            feedback = _keep_own_words(text.partition(_FEEDBACK)[2].strip())
            if feedback:
                rejections.append((call.name, feedback))
    return rejections


def _keep_own_words(feedback: str) -> str:
    """Return what the person wrote of a rejection's feedback, without what the client adds before and after.

    Both versions of the client that are supported add the note; a question that is to be clarified comes back as the
    client's own text, in which only the lines `User notes:` are the person's.
    """
    if feedback.startswith(_CLARIFY):
        notes = [line.partition(_NOTES)[2].strip() for line in feedback.splitlines() if _NOTES in line]
        return " ".join(filter(None, notes))
    return feedback.partition(_NOTE)[0].strip()


def find_plans(calls: list[ToolCall]) -> list[tuple[str, str]]:
    """Return (plan, what became of it: approved or rejected) of every plan that was put up for approval."""
    plans = []
    for call in calls:
        text = response_text(call)
        if call.name == PLANNER and text and not text.startswith(_ERROR):
            plans.append((call.plan, "rejected" if text.startswith(_REJECTED) else "approved"))
    return plans


def update_todos(calls: list[ToolCall], known: list[TodoItem]) -> list[TodoItem] | None:
    """Return the todo list after the calls, or None where no call concerned it."""
    items, touched = known, False
    for call in calls:
        step = _TODO_STEPS.get(call.name)
        if step and call.given and took_effect(call):
            items = step(items, call.given, response_text(call))
            touched = True
    return items if touched else None


def _replace_todos(items: list[TodoItem], given: ToolInput, _: str) -> list[TodoItem]:
    rows = rows_of(given.get("todos"))
    return [_item(str(n), row.get("content"), row.get("status")) for n, row in enumerate(rows, 1)]


def _add_todo(items: list[TodoItem], given: ToolInput, text: str) -> list[TodoItem]:
    number = text.partition("#")[2].split(" ", 1)[0].strip(":.") or str(len(items) + 1)
    return [*items, _item(number, given.get("subject"), "pending")]


def _change_todo(items: list[TodoItem], given: ToolInput, _: str) -> list[TodoItem]:
    wanted = str(given.get("taskId", ""))
    changed = []
    for item in items:
        if item["id"] == wanted:
            item = _item(wanted, given.get("subject") or item["text"], given.get("status") or item["status"])
        if item["status"] != "deleted":
            changed.append(item)
    return changed


def _item(number: str, text: object, status: object) -> TodoItem:
    return {"id": number, "text": str(text or ""), "status": str(status or "pending")}


_TODO_STEPS = {"TodoWrite": _replace_todos, "TaskCreate": _add_todo, "TaskUpdate": _change_todo}
