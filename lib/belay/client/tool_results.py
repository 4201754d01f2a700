"""What a batch of tool calls came to: edits, failed and mended commands, answers, rejections, todos (HOST §2.3).

Values in, values out; a tool_response is text, or a list of text parts.
"""

from __future__ import annotations

from belay.core.plain_text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Call = dict[str, Any]

EDITORS = frozenset(("Edit", "Write", "NotebookEdit", "MultiEdit"))
SHELLS = frozenset(("Bash", "PowerShell"))
OUTPUT_CHARS = 300
LOOKED = 64 * 1024

_ERROR = "<tool_use_error>"
_EXIT = "Exit code "
_REJECTED = "The user doesn't want to proceed with this tool use."
_FEEDBACK = "the user said:"
_ANSWERED = "Your questions have been answered:"
_REFUSED = ("Belay does not let a secret be written", "is Belay's own record, which only Belay writes")
_CHECKS = frozenset(
    (
        "test tests unittest pytest jest vitest rspec phpunit tox nox check tsc lint eslint clippy mypy ruff "
        "build make"
    ).split()
)


def response(call: Call) -> str:
    """Return a call's response as text."""
    found = call.get("tool_response")
    if isinstance(found, list):
        return "\n".join(str(part.get("text", "")) for part in found if isinstance(part, dict))
    return found if isinstance(found, str) else ""


def took_effect(call: Call) -> bool:
    """Whether a call was neither refused by the client nor by the person."""
    text = response(call)
    if text.startswith((_ERROR, _REJECTED, "PreToolUse:")):
        return False
    return not any(words in text[:OUTPUT_CHARS] for words in _REFUSED)


def edited(calls: list[Call]) -> list[Call]:
    """Return the calls that changed a file."""
    return [call for call in calls if _name(call) in EDITORS and took_effect(call)]


def commands(calls: list[Call]) -> list[dict[str, Any]]:
    """Return (command, ok, output) of each shell call that ran; an exit code other than 0 is a failure."""
    found = []
    for call in calls:
        given = call.get("tool_input")
        command = given.get("command") if isinstance(given, dict) else None
        if _name(call) in SHELLS and isinstance(command, str) and took_effect(call):
            text = response(call)
            ok = not _failed(text)
            output = "" if ok and not is_check(command) else _last_lines(text)
            found.append({"command": command, "ok": ok, "output": output})
    return found


def _name(call: Call) -> str:
    return str(call.get("tool_name", ""))


def _failed(text: str) -> bool:
    number = text[len(_EXIT) :].split("\n", 1)[0].strip() if text.startswith(_EXIT) else "0"
    return number.isdecimal() and bool(number.strip("0"))


def _last_lines(text: str) -> str:
    from belay.safety.redaction import (
        last,  # before the lines are cut: half a secret is no longer known as one
    )

    text = last(text, max(0, len(text) - LOOKED), LOOKED)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(_EXIT)]
    return " | ".join(lines[-3:])[-OUTPUT_CHARS:]


def is_check(command: str) -> bool:
    """Whether a command looks like tests, a build or a linter, whose success is worth a line.

    Git names folders of tests and has messages about them, and checks nothing.
    """
    told = _unquoted(command) if "git" in command.split() else command
    steps = [words(step).split() for step in told.replace(";", "&&").split("&&")]
    return any(not _CHECKS.isdisjoint(step) for step in steps if step and step[0] != "git")


def _unquoted(command: str) -> str:
    """Return a command without what stands in quotes: a message may hold whole sentences."""
    return " ".join(" ".join(command.split('"')[::2]).split("'")[::2])


def passes(command: str, failing: str) -> bool:
    """Whether a command that succeeded makes up for the one that failed: the same, or the same check otherwise run.

    A pipe or an alternative hides how the check itself ended.
    """
    return command == failing or (
        "|" not in command and is_check(command) and _bare(command) == _bare(failing)
    )


def _bare(command: str) -> str:
    """Return the last step of a command, without what its output goes to and what follows where it fails."""
    step = command.split("||")[0].split("|")[0].rstrip("; \n").replace("2>&1", "").replace(";", "&&")
    return " ".join(step.split("&&")[-1].split())


def answers(calls: list[Call]) -> list[tuple[str, str]]:
    """Return (question, chosen) of every answered question."""
    found = []
    for call in calls:
        text = response(call)
        if _name(call) == "AskUserQuestion" and text.startswith(_ANSWERED):
            found += _chosen(text[len(_ANSWERED) :], _questions(call)) or _pairs(text[len(_ANSWERED) :])
    return found


def _questions(call: Call) -> list[str]:
    given = call.get("tool_input")
    rows = given.get("questions") if isinstance(given, dict) else None
    rows = [row.get("question") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row for row in rows if isinstance(row, str) and row]


def _chosen(text: str, questions: list[str]) -> list[tuple[str, str]]:
    """Return the pairs by the questions that were asked: each answer ends where the next question begins."""
    places = sorted((text.find(f'"{question}"="'), question) for question in questions)
    places = [place for place in places if place[0] >= 0]
    if not places:
        return []
    ends = [start - len('", ') for start, _ in places[1:]] + [max(text.rfind('". '), 0) or text.rfind('"')]
    starts = [start + len(question) + len('""="') for start, question in places]
    return [
        (question, text[start:end]) for (_, question), start, end in zip(places, starts, ends, strict=True)
    ]


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `"question"="answer", …`; a mark inside is told from the closing one by what follows."""
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
                found.append((_name(call), feedback))
    return found


def todos(calls: list[Call], known: list[dict[str, str]]) -> list[dict[str, str]] | None:
    """Return the todo list after the calls ({id, text, status}), or None where no call concerned it."""
    items, touched = [dict(item) for item in known], False
    for call in calls:
        step = _TODO_STEPS.get(_name(call))
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
