"""What the output of a check shows: that the check never ran, or that it found something."""

from __future__ import annotations

LINES = 12
"""Lines at each end of an output that are read."""
_NEVER_RAN = (
    "command not found", "no such command", "unknown command", "is not recognized as", "missing script",
    "no_script", "no rule to make target", "does not contain recipe", "no such recipe", "no task named",
    "no tasks named", "could not determine executable to run", "failed to spawn", "no version is set for command",
    "npx canceled", "cannot find main module", "go.mod file not found", "no go files in", "exclude all go files in",
    "directory not found", "matched no packages", "cannot connect to the docker daemon",
    "no configuration file provided", "no such service", "not installed", "is not running",
    "could not find `cargo.toml`", "file or directory not found", "no tests ran", "no tests found",
    "no test files found", "could not read package.json", "no_importer_manifest", "unrecognized arguments",
    "unknown option", "unknown argument", "unknown flag", "flag provided but not defined", "unexpected argument",
    "couldn't find an eslint.config",
)  # fmt: skip
"""Words, in small letters, with which shells, package managers and runners say that there was nothing to run."""
_SETUP = frozenset("cd pushd source mkdir touch rm cp mv ln chmod sed cat".split())
_REFUSALS = ("no such file", "not a directory", "cannot ", "permission denied", "file exists", "option")
_STATUSES = frozenset((124, 126, 127, 130, 137, 143))
"""Exit statuses of a command that was not found, could not start, was interrupted, killed, or ran out of time."""
_FOUND = ("fail", "error", "panic:", "not ok", "problem", "issue", "traceback", "✗", "✖", "×")
SUMMARY_LINES = 5
_FAILED_LINES = frozenset(("fail", "build failed", "[info] build failure", "test run failed.", "** build failed **"))
_FAILED_STARTS = (
    "fail\t", "test result: failed", "error: could not compile", "build failed in", "build failed with", "make: *** [",
    "err_pnpm_recursive_run_first_fail", "** test failed **", "failed!  - failed:",
)  # fmt: skip
"""With which Go, cargo, make, Gradle, Maven, pnpm, Xcode and .NET end a run that found something."""
_NONE_FOUND = ("0 fail", "0 error", "0 problem", "0 issue", "no error", "no issue", "no problem", "no fail")


def has_run(status: int, text: str) -> bool:
    """Whether an exit status other than 0 is a check's own answer, by the status and by what was printed."""
    if status in _STATUSES:
        return False
    lines = [line.strip().lower() for line in text.splitlines() if line.strip()]
    if any(phrase in line for line in lines[:LINES] + lines[-LINES:] for phrase in _NEVER_RAN):
        return False
    return not lines or not (_is_missing_module(lines[0]) or _is_of_setup(lines[0]))


def _is_missing_module(line: str) -> bool:
    """Whether Python says that there is no module for its `-m`; in a traceback the name is in quotes."""
    before, mark, name = line.partition(": no module named ")
    return bool(mark) and "python" in before and "'" not in name


def _is_of_setup(line: str) -> bool:
    """Whether a small command before the check failed: `bash: line 1: cd: web: No such file or directory`."""
    names = [part.strip() for part in line.split(":")[:3]]
    if line.startswith("fatal: "):
        return True  # git
    return not _SETUP.isdisjoint(names) and any(phrase in line for phrase in _REFUSALS)


def shows_failure(text: str) -> bool:
    """Whether the last lines of an output speak of failures or name places in files; it says nothing for sure.

    Where Go's tests say that they passed, places are those of their logs.
    """
    lines = [line.strip().lower() for line in text.splitlines() if line.strip()][-LINES:]
    has_passed = any(line == "pass" or line.startswith(("ok \t", "ok  \t")) for line in lines)
    return any(_speaks_of_failure(line) or (not has_passed and _names_place(line)) for line in lines)


def proves_failure(text: str) -> bool:
    """Whether an output ends as a runner's does that found something: `2 failed, 3 passed in 0.1s`, `FAIL`."""
    lines = [line.strip().lower() for line in text.splitlines() if line.strip()][-SUMMARY_LINES:]
    return any(line in _FAILED_LINES or line.startswith(_FAILED_STARTS) or _counts_failures(line) for line in lines)


def _counts_failures(line: str) -> bool:
    """Whether a line is a runner's count of what it found, and the count is not 0."""
    words = line.strip("=✖ ").replace(",", "").replace("(", "").replace(")", "").split()
    places = [at for at, word in enumerate(words[:-1]) if word.isdecimal() and len(word) < 10]
    counts = {words[at + 1]: int(words[at]) for at in places}
    if words[:1] == ["found"]:  # mypy, ruff, tsc
        return len(words) > 2 and words[1] != "0" and words[2].startswith("error")
    if words[:1] in (["tests:"], ["tests"], ["test"]):  # jest, vitest: Tests  1 failed | 3 passed
        return counts.get("failed", 0) > 0
    if "problems" in counts or "problem" in counts:  # eslint, stylelint
        return line.startswith("✖") and max(counts.get("errors", 0), counts.get("error", 0)) > 0
    if "examples" in counts:  # rspec
        return max(counts.get("failures", 0), counts.get("failure", 0)) > 0
    if " in " in line and words[:1] and words[0].isdecimal():  # pytest
        return max(counts.get(name, 0) for name in ("failed", "error", "errors")) > 0
    return len(words) == 2 and words[1] == "issues:" and words[0] not in ("0", "issues:")  # golangci-lint


def _speaks_of_failure(line: str) -> bool:
    for phrase in _NONE_FOUND:
        line = line if line.partition(phrase)[0][-1:].isdigit() else line.replace(phrase, "")
    return any(word in line for word in _FOUND)


def _names_place(line: str) -> bool:
    """Whether a line begins with a place in a file, as compilers and linters print it: `src/a.c:12:`."""
    path, _, rest = line.partition(":")
    return "." in path and " " not in path and rest.partition(":")[0].isdigit()
