"""The checks that a shell command line runs: tests, linters, type checkers, builds, formatters; and what its exit says.

A check that is piped into `tail`, followed by `; echo done` or by `|| true` does not decide the exit status of its
line: then an exit of 0 does not mean that it passed. Pure: only the words of the command line are read.
"""

from __future__ import annotations

from belay.client.shell import outputs
from belay.client.shell.check import Check as Check
from belay.client.shell.coverage import covers as covers
from belay.client.shell.lines import CheckedLine as CheckedLine
from belay.client.shell.lines import read_line as read_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

PASSED, FAILED = "passed", "failed"
UNCLEAR, DOUBTFUL = "unclear", "doubtful"
"""The exit status tells nothing: unclear where what was printed speaks of no failure, else doubtful."""


def find_checks(command: str, root: str = "") -> list[Check]:
    """Return the checks that a command line runs, in order."""
    return list(read_line(command, root).checks)


def main_check(command: str, root: str = "") -> Check | None:
    """Return the check that failed if the line exits with another number than 0; None where that tells nothing."""
    return next(reversed(read_line(command, root).failed), None)


def hides_exit(command: str) -> bool:
    """Whether a line runs checks and its exit status tells of none of them how it ended."""
    line = read_line(command)
    return bool(line.checks) and not line.passed and not line.failed


def clears(failing: str, passed: Iterable[str], root: str = "") -> bool:
    """Whether command lines that succeeded make up for one that failed: every check of it passed, or a wider one.

    A pipe after the later check does not count against it: its output was seen. A step that only repairs (a formatter
    before the tests) need not be repeated.
    """
    line = read_line(failing, root)
    failed = line.failed or line.checks
    needed = [check for check in failed if not check.fixes] or failed
    later = [check for command in passed for check in read_line(command, root).checks]
    return bool(needed) and all(any(covers(check, old) for check in later) for old in needed)


def describe(checks: Iterable[Check]) -> str:
    """Return the steps of checks as one command line: `cd web && npm test`."""
    folder, parts = "", list[str]()
    for check in checks:
        if check.text in parts:
            continue
        if check.start != folder:
            parts.append(f"cd {check.start or '-'}")
            folder = check.start
        parts.append(check.text)
    return " && ".join(parts)


def judge(command: str, is_ok: bool) -> str:
    """Return what the exit of a command line says of its checks: passed, failed, unclear, "" where it ran none."""
    line = read_line(command)
    if not line.checks:
        return ""
    named = line.passed if is_ok else line.failed
    return (PASSED if is_ok else FAILED) if named else UNCLEAR


def judge_run(command: str, status: int, printed: str, root: str = "") -> tuple[str, str]:
    """Return how the checks of a command line ended that was run, as `judge` does, and their steps as one line.

    What was printed tells a check that failed from one that never ran; and behind a pipe, where the last lines are
    those of a runner that found something, it tells that the check failed.
    """
    line = read_line(command, root)
    if status:
        is_answer = bool(line.failed) and outputs.has_run(status, printed)
        return (FAILED, describe(line.failed)) if is_answer else ("", "")
    if not line.checks or not outputs.has_run(0, printed):
        return "", ""
    if set(line.checks) <= set(line.passed):
        return PASSED, describe(line.passed)
    if line.is_alone and outputs.proves_failure(printed):
        return FAILED, describe(line.checks)
    return DOUBTFUL if outputs.shows_failure(printed) else UNCLEAR, describe(line.checks)


def outcome(record: Mapping[str, Any]) -> str:
    """Return how the checks of a recorded command ended, as `judge` says; older records have only command and `ok`."""
    known = record.get("check")
    return known if isinstance(known, str) else judge(str(record.get("command", "")), bool(record.get("ok", True)))


def is_fixed(failure: Mapping[str, Any], later: Iterable[Mapping[str, Any]]) -> bool:
    """Whether later records of commands make up for a failed check; one whose exit hid behind a pipe counts too."""
    fine = [row for row in later if row["time"] >= failure["time"] and outcome(row) in (PASSED, UNCLEAR)]
    return clears(failure["command"], [row["command"] for row in fine if row.get("ok", True)])
