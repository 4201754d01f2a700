"""What the checks of a command line are, and what its exit status tells of each of them.

A shell's ways of hiding an exit are followed: pipes, `;`, `||`, `!`, loops, shells inside shells.
"""

from __future__ import annotations

from belay.client.shell import runners, steps
from belay.client.shell.check import Check
from belay.client.shell.paths import join
from belay.client.shell.wrappers import base, is_assignment, unwrap
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.shell.steps import Step

    Words = tuple[str, ...]

_SAFE = frozenset(
    (
        "cd pushd popd export source . set unset echo printf true : pwd mkdir touch rm cp mv ln chmod sleep cat "
        "ls head "
        "tail wc sort uniq date sed awk tee clear alias unalias shopt ulimit trap umask local declare readonly "
        "cut tr nl"
    ).split()
)
"""Commands that hardly ever fail: the exit status of a line that has nothing else beside a check is the check's."""
_LOOKS = frozenset("status diff log show branch add rev-parse".split())
_TESTS = frozenset("--exit-code --quiet --no-index --check -q".split())
"""Options with which git answers by its exit status."""
_FILTERS = frozenset(
    "head tail grep egrep rg sed awk tee cat sort uniq wc cut tr nl echo printf true : jq less sleep".split()
)
"""Commands that only show what a check printed, or say something."""
_KEPT = frozenset("pop apply list show drop clear branch --keep-index".split())
"""Words of `git stash` with which the work stays, or comes back; else what follows checks the state before it."""
_STATUSES = frozenset(("$?", "${PIPESTATUS[0]}", "${pipestatus[1]}"))
_SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
_DEEPEST = 5
"""Shells inside each other: `bash -c "bash -c …"`."""


class CheckedLine(NamedTuple):
    """The checks of a command line, in order; those that passed if it exits with 0; those of which one failed if not.

    `failed` is empty where another command, such as an install or a commit, may be what failed. `is_alone`: beside the
    checks there are only filters and messages, so that what is printed is theirs and of the work as it is.
    """

    checks: tuple[Check, ...]
    passed: tuple[Check, ...]
    failed: tuple[Check, ...]
    is_alone: bool


def read_line(command: str, root: str = "") -> CheckedLine:
    """Return what a command line checks; folders below `root` (an absolute path) are given from there."""
    reader = _Reader(root.rstrip("/"))
    end = reader.read(steps.parse(command))
    return CheckedLine(tuple(reader.found), end.passed, () if end.others else end.failed, reader.alone)


def list_commands(command: str) -> list[Words]:
    """Return the words of every simple command of a line, those of shells inside it included, without wrappers."""
    reader = _Reader("")
    reader.read(steps.parse(command))
    return reader.commands


class _End(NamedTuple):
    """What the exit of a step tells: which checks passed at 0, of which one failed otherwise.

    `others`: something else may have failed; `never`: it cannot exit with 0.
    """

    passed: tuple[Check, ...] = ()
    failed: tuple[Check, ...] = ()
    others: bool = True
    never: bool = False


_SAFE_END = _End((), (), False)


class _Reader:
    """Goes through the steps of a line with the state that a shell has: the folder, its options, saved statuses."""

    __slots__ = (
        "alone",
        "away",
        "before",
        "commands",
        "depth",
        "folder",
        "first",
        "found",
        "last",
        "pipefail",
        "root",
        "saved",
        "strict",
    )

    def __init__(self, root: str) -> None:
        self.root, self.folder, self.before, self.depth = root, "", "", 0
        self.found: list[Check] = []
        self.commands: list[Words] = []
        self.strict = self.pipefail = self.away = False
        self.last = self.first = _End()
        self.alone = True
        self.saved: dict[str, _End] = {}

    def read(self, step: Step) -> _End:
        return _READERS[step.kind](self, step)

    def run(self, step: Step) -> _End:
        words = step.words
        if not words:
            return _SAFE_END
        if all(is_assignment(word) for word in words):
            return self._assign(words)
        name = base(words[0])
        if name in _BUILTINS:
            return _BUILTINS[name](self, words)
        self.commands.append(unwrap(words)[0])
        inner = _find_inner(self.commands[-1])
        if inner and self.depth < _DEEPEST:
            return self._read_inner(inner)
        if name == "git" and "stash" in words:
            self.away = _KEPT.isdisjoint(words)
        checks = () if self.away else tuple(runners.find(words, self.folder))
        self.found += checks
        self.alone = self.alone and (bool(checks) or name in _FILTERS)
        is_safe = name in _SAFE or (name == "git" and _only_looks(words))
        return _End(checks, checks, False) if checks else _End(others=not is_safe)

    def _read_inner(self, command: str) -> _End:
        """Read what `bash -c` runs, in a shell of its own."""
        kept, self.depth = (self.folder, self.strict, self.pipefail), self.depth + 1
        self.strict = self.pipefail = False
        end = self.read(steps.parse(command))
        (self.folder, self.strict, self.pipefail), self.depth = kept, self.depth - 1
        return end

    def _assign(self, words: Words) -> _End:
        """Remember whose exit status a variable holds."""
        for word in words:
            name, _, value = word.partition("=")
            if value in _STATUSES:
                self.saved[name] = self._read_status(value)
        return _End(others=any("$(" in word or "`" in word for word in words))

    def change_folder(self, words: Words) -> _End:
        target = next((word for word in words[1:] if word[:1] != "-" or word == "-"), "~")
        if target == "-":
            self.folder, self.before = self.before, self.folder
        else:
            self.before = self.folder
            self.folder = self._resolve(target)
        return _SAFE_END

    def _resolve(self, target: str) -> str:
        if "rev-parse --show-toplevel" in target or target in ("$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}"):
            return ""
        path = join(self.folder, target)
        if self.root and (path == self.root or path.startswith(f"{self.root}/")):
            return path[len(self.root) + 1 :]
        return path

    def set_options(self, words: Words) -> _End:
        for at, word in enumerate(words[1:], 1):
            if word[:1] == "-" and "e" in word[1:]:
                self.strict = True
            if word == "pipefail" and words[at - 1][:1] == "-":
                self.pipefail = True
        return _SAFE_END

    def leave(self, words: Words) -> _End:
        """Return what `exit` and `return` end with: a saved status, or a number."""
        status = words[1] if len(words) > 1 else "$?"
        if status in _STATUSES:
            return self._read_status(status)
        if status[:1] == "$":
            return self.saved.get(status.strip("${}"), _End())
        return _End(others=True, never=status.strip("0") != "")

    def _read_status(self, name: str) -> _End:
        return self.last if name == "$?" else self.first

    def fail(self, _: Words) -> _End:
        return _End(others=True, never=True)

    def read_list(self, step: Step) -> _End:
        end = _SAFE_END
        for part in step.parts:
            before, was_strict = end, self.strict
            end = self.read(part)
            if was_strict and part.kind != steps.BACKGROUND:
                end = _both(before, end)
            self.last = end
            self.first = self.first if part.kind == steps.PIPE else end
        return end

    def read_and_or(self, step: Step) -> _End:
        """Read a chain of `&&` and `||` from its left end; the tree of a long one is too deep to be walked."""
        chain: list[tuple[str, Step]] = []
        while step.kind in (steps.AND, steps.OR):
            chain.append((step.kind, step.parts[1]))
            step = step.parts[0]
        end = self.read(step)
        for kind, part in reversed(chain):
            end = (_both if kind == steps.AND else _either)(end, self.read(part))
        return end

    def read_pipe(self, step: Step) -> _End:
        ends = [self._read_apart(part) for part in step.parts]
        self.first = ends[0]
        if not self.pipefail:
            return ends[-1]
        end = _SAFE_END
        for part in ends:
            end = _both(end, part)
        return end

    def _read_apart(self, step: Step) -> _End:
        """Read a step in a shell of its own: its `cd` ends with it."""
        folder, before = self.folder, self.before
        end = self.read(step)
        self.folder, self.before = folder, before
        return end

    def read_group(self, step: Step) -> _End:
        return self.read(step.parts[0])

    def read_subshell(self, step: Step) -> _End:
        return self._read_apart(step.parts[0])

    def read_unclear(self, step: Step) -> _End:
        for part in step.parts:
            self._read_apart(part)
        return _End()


def _only_looks(words: Words) -> bool:
    """Whether a git command shows or stages something, which hardly ever fails."""
    return not _LOOKS.isdisjoint(words[1:4]) and _TESTS.isdisjoint(words)


def _both(first: _End, second: _End) -> _End:
    others = first.others or second.others
    return _End(first.passed + second.passed, first.failed + second.failed, others, first.never or second.never)


def _either(first: _End, second: _End) -> _End:
    if second.never:
        return first
    last = second if second.failed and not second.others else first  # both failed
    return _End((), last.failed, last.others)


def _find_inner(words: Words) -> str:
    """Return the command line that `bash -c` and its kind are given, "" for any other command."""
    name = base(words[0]) if words else ""
    if name in _SHELLS:
        options = [at for at, word in enumerate(words) if at and word[:1] == "-" and word[:2] != "--" and "c" in word]
        return words[options[0] + 1] if options and options[0] + 1 < len(words) else ""
    if name in ("nix-shell", "vagrant", "nix"):
        marks = [at for at, word in enumerate(words) if word in ("--run", "--command", "-c")]
        return " ".join(words[marks[0] + 1 :]) if marks else ""
    return " ".join(words[1:]) if name == "eval" else ""


_BUILTINS = {
    "cd": _Reader.change_folder, "pushd": _Reader.change_folder, "set": _Reader.set_options, "exit": _Reader.leave,
    "return": _Reader.leave, "false": _Reader.fail,
}  # fmt: skip
_READERS = {
    steps.RUN: _Reader.run, steps.LIST: _Reader.read_list, steps.AND: _Reader.read_and_or,
    steps.OR: _Reader.read_and_or,
    steps.PIPE: _Reader.read_pipe, steps.GROUP: _Reader.read_group, steps.SUBSHELL: _Reader.read_subshell,
    steps.BLOCK: _Reader.read_unclear, steps.NOT: _Reader.read_unclear, steps.BACKGROUND: _Reader.read_unclear,
}  # fmt: skip
