"""What a batch of tool calls came to: edits, failed and mended commands, answers, rejections, todos (HOST §2.3).

Values in, values out; a tool_response is text, or a list of text parts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Call = dict[str, Any]

EDITORS = frozenset(("Edit", "Write", "NotebookEdit", "MultiEdit"))
SHELLS = frozenset(("Bash", "PowerShell"))
OUTPUT_CHARS = 300

_ERROR = "<tool_use_error>"
_EXIT = "Exit code "
_REJECTED = "The user doesn't want to proceed with this tool use."
_FEEDBACK = "the user said:"
_ANSWERED = "Your questions have been answered:"
_TEST_WORDS = ("test", "pytest", "jest", "vitest", "tox", "nox", "cargo check", "tsc", "lint", "mypy", "ruff", "build", "make")


def response(call: Call) -> str:
    """Return a call's response as text."""
    found = call.get("tool_response")
    if isinstance(found, list):
        return "\n".join(str(part.get("text", "")) for part in found if isinstance(part, dict))
    return found if isinstance(found, str) else ""


def took_effect(call: Call) -> bool:
    """Whether a call was neither refused by the client nor by the person."""
    text = response(call)
    return not text.startswith((_ERROR, _REJECTED)) and "hook error" not in text[:80]


def edited(calls: list[Call]) -> list[Call]:
    """Return the calls that changed a file."""
    return [call for call in calls if call.get("tool_name") in EDITORS and took_effect(call)]


def commands(calls: list[Call]) -> list[dict[str, Any]]:
    """Return (command, ok, output) of each shell call that ran; an exit code other than 0 is a failure."""
    found = []
    for call in calls:
        given = call.get("tool_input")
        command = given.get("command") if isinstance(given, dict) else None
        if call.get("tool_name") in SHELLS and isinstance(command, str) and took_effect(call):
            text = response(call)
            found.append({"command": command, "ok": not text.startswith(_EXIT), "output": _last_lines(text)})
    return found


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(_EXIT)]
    return " | ".join(lines[-3:])[-OUTPUT_CHARS:]


def is_check(command: str) -> bool:
    """Whether a command looks like tests, a build or a linter, whose success is worth a line."""
    lower = command.lower()
    return any(word in lower for word in _TEST_WORDS)


def answers(calls: list[Call]) -> list[tuple[str, str]]:
    """Return (question, chosen) of every answered question."""
    found = []
    for call in calls:
        text = response(call)
        if call.get("tool_name") == "AskUserQuestion" and text.startswith(_ANSWERED):
            found += _pairs(text[len(_ANSWERED) :])
    return found


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `"question"="answer", …`; a quotation mark inside is told from the closing one by what follows."""
    pairs = []
    for part in text.strip().split('"="')[1:]:
        question = text.partition('"="')[0].rpartition(', "')[2].strip().lstrip('"')
        rest = text.partition('"="')[2]
        end = min((at for at in (rest.find('", "'), rest.find('". ')) if at >= 0), default=rest.rfind('"'))
        pairs.append((question, rest[:end] if end >= 0 else part))
        text = rest[max(end, 0) :]
    return pairs


def rejections(calls: list[Call]) -> list[tuple[str, str]]:
    """Return (tool, feedback) of every call that the person turned down with words."""
    found = []
    for call in calls:
        text = response(call)
        if text.startswith(_REJECTED) and _FEEDBACK in text:
            feedback = text.partition(_FEEDBACK)[2].strip()
            if feedback:
                found.append((str(call.get("tool_name", "")), feedback))
    return found


def todos(calls: list[Call], known: list[dict[str, str]]) -> list[dict[str, str]] | None:
    """Return the todo list after the calls ({id, text, status}), or None where no call concerned it."""
    items, touched = [dict(item) for item in known], False
    for call in calls:
        step = _TODO_STEPS.get(str(call.get("tool_name")))
        given = call.get("tool_input")
        if step and isinstance(given, dict) and took_effect(call):
            items = step(items, given, response(call))
            touched = True
    return items if touched else None


def _written(items: list[dict[str, str]], given: dict[str, Any], _: str) -> list[dict[str, str]]:
    rows = given.get("todos")
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [_item(str(n), row.get("content"), row.get("status")) for n, row in enumerate(rows, 1)]


def _created(items: list[dict[str, str]], given: dict[str, Any], text: str) -> list[dict[str, str]]:
    number = text.partition("#")[2].split(" ", 1)[0].strip(":.") or str(len(items) + 1)
    return [*items, _item(number, given.get("subject"), "pending")]


def _updated(items: list[dict[str, str]], given: dict[str, Any], _: str) -> list[dict[str, str]]:
    wanted = str(given.get("taskId", ""))
    changed = []
    for item in items:
        if item["id"] == wanted:
            item = _item(wanted, given.get("subject") or item["text"], given.get("status") or item["status"])
        if item["status"] != "deleted":
            changed.append(item)
    return changed


def _item(number: str, text: object, status: object) -> dict[str, str]:
    return {"id": number, "text": str(text or ""), "status": str(status or "pending")}


_TODO_STEPS = {"TodoWrite": _written, "TaskCreate": _created, "TaskUpdate": _updated}
