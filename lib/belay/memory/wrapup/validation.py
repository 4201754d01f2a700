"""Check a wrap-up document before it is saved (seed 003: rules for excellent memory)."""

from __future__ import annotations

from collections.abc import Iterable

from belay.core.paths import Project
from belay.memory import next_step_target
from belay.memory.wrapup.document import Parsed
from belay.memory.wrapup.form import Document, Problem

UNCHECKED = " (names no existing file, symbol or command)"


def find_problems(parsed: Parsed, project: Project, commands: Iterable[str] = ()) -> list[Problem]:
    """Return everything that keeps a document from being saved, by line."""
    document, lines = parsed.document, parsed.lines
    problems = list(parsed.problems)
    if not document["summary"]:
        problems.append(
            Problem(
                lines.get("summary", 1),
                "`summary` is missing",
                "say in one sentence what this session came to",
            )
        )
    problems += _check_next_step(document, lines, project, commands)
    problems += [
        problem for at in range(len(document["decisions"])) for problem in _check_decision(document, lines, at)
    ]
    return sorted(problems)


def _check_next_step(
    document: Document, lines: dict[str, int], project: Project, commands: Iterable[str]
) -> list[Problem]:
    line, text = lines.get("next", 1), document["next"]
    if not text:
        if document["status"].lower() == "done" and not document["active"]:
            return []
        return [Problem(line, "`next step` is missing", "name the file, symbol or command to start with")]
    if next_step_target.find_target(text, project, commands):
        return []
    mend = "name one in backticks (`src/app.py:12`, `rotateToken()`, `make test`), or use --force"
    return [Problem(line, "`next step` names no existing file, symbol or command", mend, forcible=True)]


def _check_decision(document: Document, lines: dict[str, int], at: int) -> list[Problem]:
    row, line = document["decisions"][at], lines.get(f"decisions.{at}", 1)
    if not row["decision"]:
        return [Problem(line, "a decision does not say what was decided", "add `decision: …`")]
    if row["reason"]:
        return []
    what = f"decision `{row['decision'][:60]}` has no reason"
    return [Problem(line, what, "add `reason: …` under it, or use --force", forcible=True)]


def mark_forced(document: Document, problems: list[Problem]) -> Document:
    """Return the document with a next step that --force kept marked as such."""
    unsure = any("next step" in problem.what for problem in problems)
    return {**document, "next": document["next"] + (UNCHECKED if unsure else "")}
