"""What the output of a check shows: that the check never ran, or that it found something."""

from __future__ import annotations

LINES = 12
"""Lines at each end of an output that are read."""
_NEVER_RAN = (
    "command not found", "no such command", "unknown command", "is not recognized as", "missing script", "no_script",
    "no rule to make target", "does not contain recipe", "no such recipe", "no task named", "no tasks named",
    "could not determine executable to run", "failed to spawn", "no version is set for command", "npx canceled",
    "cannot find main module", "go.mod file not found", "no go files in", "directory not found", "matched no packages",
    "cannot connect to the docker daemon", "no configuration file provided", "no such service", "is not running",
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
    return not _SETUP.isdisjoint(names) and any(phrase in line for phrase in _REFUSALS)


def shows_failure(text: str) -> bool:
    """Whether the last lines of an output speak of failures or name places in files; it says nothing for sure."""
    for line in [line.strip().lower() for line in text.splitlines() if line.strip()][-LINES:]:
        for phrase in _NONE_FOUND:
            line = line.replace(phrase, "") if not line.partition(phrase)[0][-1:].isdigit() else line
        if any(word in line for word in _FOUND) or _names_place(line):
            return True
    return False


def _names_place(line: str) -> bool:
    """Whether a line begins with a place in a file, as compilers and linters print it: `src/a.c:12:`."""
    path, _, rest = line.partition(":")
    return "." in path and " " not in path and rest.partition(":")[0].isdigit()
