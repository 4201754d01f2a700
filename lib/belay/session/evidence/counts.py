"""How many tests passed and failed, or errors were found, by the last lines that a check printed. Pure.

Each form is that of a runner's own summary; a number in any other line is no count.
"""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class Counts(TypedDict, total=False):
        """What a summary says; a number it does not give is missing."""

        passed: int
        failed: int
        errors: int
        warnings: int
        skipped: int


LINES = 400
"""Lines at the end of an output that are read: cargo prints a summary for each of its binaries."""
_NEAR = 8
"""Lines over which one summary may go: mocha, bun and node print a line for each number."""
_NAMES: dict[str, str] = {
    word: name
    for name, words in {
        "passed": "passed pass passing",
        "failed": "failed fail failing failure failures",
        "errors": "error errors",
        "warnings": "warning warnings",
        "skipped": "skipped skip skips ignored pending",
    }.items()
    for word in words.split()
}
_SEPARATORS = str.maketrans(dict.fromkeys(",;|()=", " "))
_MARKS = "=-─✖✗✘✔ℹ#[] \t"

_Numbers = dict[str, int]


def count_results(printed: str) -> Counts:
    """Return the counts of the last summary in an output, {} where there is none."""
    found: list[tuple[int, str, _Numbers]] = []
    for at, line in enumerate(printed.splitlines()[-LINES:]):
        form, numbers = _read_line(line)
        if form:
            found.append((at, form, numbers))
    if not found:
        return {}
    last, form, total = found.pop()
    total = {**total}
    for at, other, numbers in reversed(found):
        if other == form == "cargo":  # one summary for each binary
            total = {name: total.get(name, 0) + numbers.get(name, 0) for name in {*total, *numbers}}
        elif last - at <= _NEAR and (other == form in _SPREAD or (form, other) == ("unittest", "ran")):
            total = {**numbers, **total}
    return _close(form, total)


def _close(form: str, total: _Numbers) -> Counts:
    """Return the counts without what only helps to compute them: all tests, less those that did not pass."""
    every = total.pop("all", None)
    if every is not None and "passed" not in total:
        others = sum(total.get(name, 0) for name in ("failed", "errors", "skipped"))
        total["passed"] = max(0, every - others)
    return total  # type: ignore[return-value]


_SPREAD = ("lines", "marked", "unittest")
"""Summaries of several lines."""


def _read_line(raw: str) -> tuple[str, _Numbers]:
    """Return (form of the summary, its numbers) of a line; ("", {}) for any other line."""
    low = raw.strip().lower()
    if low.startswith("["):  # Maven
        low = low.partition("] ")[2]
    line = low.strip(_MARKS)
    words = line.translate(_SEPARATORS).split()
    if len(words) < 2:
        return "", {}
    form = _match_start(low, words) or _match_word(words) or _match_number(low, line, words)
    if not form:
        return "", {}
    if form == "ctest":
        failed, every = int(words[words.index("failed") - 2]), int(words[-1])
        return form, {"failed": failed, "passed": every - failed}
    numbers = _behind(words) if form in _NAMED else _before(words)
    at = _ALL.get(form)
    if at is not None and words[at].strip(".").isdecimal():
        numbers["all"] = int(words[at].strip("."))
    return form, numbers


_NAMED = frozenset(("maven", "phpunit", "dotnet", "unittest", "marked"))
"""Forms in which a number is behind its name."""
_ALL = {"maven": 2, "phpunit": 1, "rspec": 0, "minitest": 0, "gradle": 0, "ran": 1}
"""Form → which word is the number of all tests."""
_STARTS = {
    "test result: ": "cargo", "failed! ": "dotnet", "passed! ": "dotnet", "ok | ": "deno", "failed | ": "deno",
    "failed (": "unittest", "# ": "marked", "ℹ ": "marked",
}  # fmt: skip


def _match_start(low: str, words: list[str]) -> str:
    """Return the form that a line's first characters show: of cargo, .NET, Deno, unittest, PHPUnit, node and TAP."""
    form = next((form for start, form in _STARTS.items() if low.startswith(start)), "")
    if low.startswith("ok ("):
        form = "phpunit" if "assertions" in words else "unittest"
    if form == "marked" and (len(words) != 2 or words[0] not in _NAMES or not _is_number(words[1])):
        return ""
    return form


def _match_word(words: list[str]) -> str:
    """Return the form that a line's first word shows: of Maven, PHPUnit, jest, vitest, unittest, ruff, mypy and tsc."""
    first, second = words[:2]
    if first == "tests" and second == "run:" and len(words) > 2:
        return "maven"
    if first in ("tests:", "tests") and _is_number(second):
        return "phpunit" if "assertions:" in words else "jest"
    if first == "ran" and _is_number(second) and words[2:4] in (["tests", "in"], ["test", "in"]):
        return "ran"
    return "found" if first == "found" and _is_number(second) and "".join(words[2:3])[:5] == "error" else ""


_COUNTED = {
    "examples": "rspec", "example": "rspec", "problems": "eslint", "problem": "eslint", "passing": "lines",
    "failing": "lines", "pending": "lines", "pass": "lines", "fail": "lines", "skip": "lines",
}  # fmt: skip
"""The word behind a line's first number → the form: of RSpec, ESLint, mocha and bun."""


def _match_number(low: str, line: str, words: list[str]) -> str:
    """Return the form of a line that begins with a number: also of Minitest, Gradle, Pyright, pytest and CTest."""
    if words[0].endswith("%") and "tests failed out of" in line and _is_number(words[-1]):
        return "ctest"
    if not _is_number(words[0]):
        return ""
    form = _COUNTED.get(words[1], "")
    if form == "rspec" and {"failure", "failures"}.isdisjoint(words):
        return ""
    if form == "eslint" or (form == "lines" and len(words) > 3):
        return form if low.startswith("✖ ") else ""
    if not form and "assertions" in words:
        return "minitest"
    if not form and words[1] in ("tests", "test") and words[2:3] == ["completed"]:
        return "gradle"
    if not form and words[1] in ("errors", "error") and "".join(words[3:4]).startswith("warning") and len(words) > 4:
        return "pyright"
    return form or ("pytest" if words[1] in _NAMES and line.partition(" in ")[2][:1].isdigit() else "")


def _before(words: list[str]) -> _Numbers:
    """Return the numbers that are before their names: `3 failed`."""
    found: _Numbers = {}
    for number, word in pairwise(words):
        name = _NAMES.get(word.strip(".:!"))
        if name and _is_number(number):
            found[name] = int(number)
    return found


def _behind(words: list[str]) -> _Numbers:
    """Return the numbers that are behind their names: `Failures: 1`, `pass 5`."""
    found: _Numbers = {}
    for word, number in pairwise(words):
        name = _NAMES.get(word.strip(".:!-"))
        if name and _is_number(number.strip(".")):
            found[name] = int(number.strip("."))
    return found


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 10
