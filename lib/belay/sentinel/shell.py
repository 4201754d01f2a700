"""Whether a shell command line only reads: every simple command in it, its redirections, what runs inside it."""

from __future__ import annotations

from belay.client.shell import runners, steps, tasks, tokens
from belay.client.shell.wrappers import base, is_assignment, pass_options, read_options, unwrap
from belay.sentinel import readers, subcommands
from belay.sentinel.verdict import acts, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.client.shell.check import Check
    from belay.client.shell.steps import Step
    from belay.client.shell.tokens import Reading
    from belay.sentinel.verdict import Verdict

    Words = tuple[str, ...]

MOST = 32_000
"""Characters of a line that are read; a longer one counts as acting."""
_EMBEDDING = (
    "sed", "gsed", "awk", "gawk", "mawk", "nawk", "sqlite", "psql", "mysql", "mariadb", "duckdb", "clickhouse-client",
    "python", "pypy", "py", "node", "bun", "deno",
)  # fmt: skip
"""What names of programs begin with that may be given a program of their own as text."""
_DEEPEST = 5
_SHELLS = frozenset("sh bash zsh dash ksh ash".split())
_NOWHERE = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "nul", "NUL", "$null", "-"))
_FEEDERS = ("xargs", "parallel")
_MINDFUL = frozenset(
    "find curl wget tar make date sort rg fd fdfind xxd uniq hostname tee yq mount awk python3".split()
)
"""Programs that take orders to write among their last words."""
_ENVIRONMENT = (
    "activate", ".env", ".envrc", ".bashrc", ".zshrc", ".profile", ".bash_profile", "nvm.sh", "cargo/env", "asdf.sh",
)  # fmt: skip
"""Ends of scripts that only set variables of the shell that sources them."""
_ALONE = frozenset("env time nice timeout exec xargs command builtin nohup stdbuf ionice".split())
"""Programs that run another one, and alone change nothing."""
_RUNNING = frozenset(
    "LD_PRELOAD DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND "
    "GIT_PROXY_COMMAND GIT_ASKPASS PYTHONSTARTUP NODE_OPTIONS PERL5OPT RUBYOPT".split()
)
"""Variables that make a program run something else."""
_PAGERS = ("PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER")
_HARMLESS_PAGERS = ("", "cat", "less", "more")
_CHECKS = {"test": "runs tests", "lint": "runs a linter", "types": "checks types", "format": "checks the format"}
_UPDATING = frozenset(
    "-u -update --update --updateSnapshot --update-snapshots --snapshot-update --update-snapshot --inline-snapshot "
    "--force-regen -o --output-file --outputFile --output -coverprofile --junitxml --junit-xml -cpuprofile "
    "-memprofile".split()
)
"""Options with which a check writes files of the project."""
_TARGET_OPTIONS = read_options("-C --directory -f --file --makefile -j -d --justfile --working-directory")
_UNREAD = acts("the line is too long or too deep to be read")


def classify_command(command: str, depth: int = 0) -> Verdict:
    """Return the verdict on a command line: noetic if each of its parts is."""
    if len(command) > MOST or depth > _DEEPEST:
        return _UNREAD
    beside = tokens.read(command)
    if not beside.is_whole:
        return _UNREAD
    verdicts = []
    for words in _list_runs(steps.parse(command)):
        verdicts.append(_classify_run(words, beside, depth))
        if verdicts[-1].acts:
            return verdicts[-1]
    written = next((target for target in beside.written if not _leads_nowhere(target)), "")
    if written:
        return acts(f"writes {_cut(written)}")
    for text in (*beside.inner, *(_list_inner(beside.documents))):
        inside = classify_command(text, depth + 1)
        if inside.acts:
            return inside
    if len(verdicts) == 1:
        return verdicts[0]
    return reads("each of its commands only reads" if verdicts else "runs nothing")


def _leads_nowhere(target: str) -> bool:
    return target in _NOWHERE or target.isdigit()


def _list_runs(step: Step) -> Iterator[Words]:
    """Yield the words of the simple commands; a chain of `&&` is deeper than Python may call itself."""
    waiting = [step]
    while waiting:
        part = waiting.pop()
        if part.words:
            yield part.words
        waiting += reversed(part.parts)


def _list_inner(documents: tuple[str, ...]) -> Iterator[str]:
    """Yield the commands that a shell runs while it reads a here-document, quoted or not."""
    for document in documents:
        if "$(" in document or "`" in document:
            yield from tokens.read('"' + document.replace("\\", "").replace('"', "") + '"').inner


def _classify_run(words: Words, beside: Reading, depth: int) -> Verdict:
    if base(words[0]) == "command" and words[1:2] and words[1] in ("-v", "-V"):
        return reads("command -v looks a program up")
    if any(" ".join(words).startswith(start) for start in readers.NEW_CONTAINERS):
        return acts("starts a container")
    inner = unwrap(words)[0]
    before = words[: len(words) - len(inner)]
    wrong = next((word for word in before if is_assignment(word) and _runs_something(word)), "")
    if wrong:
        return acts(f"sets {wrong.partition('=')[0]}")
    if not inner:
        is_harmless = not before or is_assignment(before[-1]) or base(before[0]) in _ALONE
        return reads("sets variables or shows them") if is_harmless else acts(f"{_cut(before[0])} is given no command")
    if any(base(word) in _FEEDERS for word in before) and _minds_fed_words(inner):
        return acts(f"{_cut(inner[0])} is given words that nobody sees")
    return _classify_simple(inner, words, beside, depth)


def _runs_something(word: str) -> bool:
    name, _, value = word.partition("=")
    return name in _RUNNING or (name in _PAGERS and value.split(" ")[0] not in _HARMLESS_PAGERS)


def _minds_fed_words(words: Words) -> bool:
    """Whether words that a command is fed besides its own may make it act."""
    name = base(words[0])
    return name in _MINDFUL or (len(words) == 1 and name not in readers.PLAIN)


def _is_shell(words: Words) -> bool:
    return base(words[0]) in _SHELLS


def _classify_simple(words: Words, typed: Words, beside: Reading, depth: int) -> Verdict:
    name, args = base(words[0]), words[1:]
    if any(mark in name for mark in "$`*?{"):
        return acts("the program's name is not known before it runs")
    if _asks_for_help(name, args):
        return reads(f"{_cut(name)} shows its help or version")
    if _is_shell(words) or name in ("eval", "source", ".", "trap", "ssh"):
        return _classify_script(name, args, beside, depth)
    if name == "find":
        return _classify_find(args, beside, depth)
    check = _classify_check(typed)
    if check:
        return check
    return (
        _classify_snippet(name, args, beside.documents)
        or readers.classify(name, args)
        or subcommands.classify(name, args)
        or readers.classify_unknown(_cut(name), args)
    )


def _classify_snippet(name: str, args: Words, documents: Words) -> Verdict | None:
    if not name.startswith(_EMBEDDING):
        return None
    from belay.sentinel import snippets  # compiles ten regular expressions

    return snippets.classify(name, args, documents)


def _asks_for_help(name: str, args: Words) -> bool:
    if name in _SHELLS or name in _FEEDERS:
        return args == ("--version",)
    return args[-1:] == ("--help",) or args in (("--version",), ("-V",), ("-v",), ("version",), ("help",), ("-h",))


def _classify_script(name: str, args: Words, beside: Reading, depth: int) -> Verdict:
    """Judge what runs a text or a file of commands."""
    if name in ("source", "."):
        is_known = args and args[0].endswith(_ENVIRONMENT)
        return reads("sets variables of the shell") if is_known else acts("runs a script")
    if name == "trap":
        return classify_command(args[0], depth + 1) if args[:1] not in ((), ("-",)) else reads("shows traps")
    if name == "eval":
        return classify_command(" ".join(args), depth + 1) if "$" not in " ".join(args) else acts("runs a text")
    if name == "ssh":
        return _classify_ssh(args, depth)
    if "-n" in args and not any(arg.startswith("-") and "c" in arg for arg in args):
        return reads("checks a script's syntax")
    at = next((at for at, arg in enumerate(args) if arg[:1] == "-" and arg[:2] != "--" and arg.endswith("c")), -1)
    if at >= 0 and at + 1 < len(args) and not any(mark in args[at + 1] for mark in ("$0", "$@", "$*", "$1")):
        return classify_command(args[at + 1], depth + 1)
    check = _classify_check((name, *args))
    return check or acts("runs a script")


def _classify_ssh(args: Words, depth: int) -> Verdict:
    valued = frozenset("-p -i -l -o -F -J -b -c -m".split())
    at = 0
    while at < len(args) and args[at][:1] == "-":
        at += 2 if args[at] in valued else 1
    remote = args[at + 1 :]
    is_plain = bool(remote) and not any(arg.startswith(("-L", "-R", "-D", "-oProxy")) for arg in args[:at])
    return classify_command(" ".join(remote), depth + 1) if is_plain else acts("opens a connection")


def _classify_find(args: Words, beside: Reading, depth: int) -> Verdict:
    for at, arg in enumerate(args):
        if arg == "-delete" or arg.startswith(("-fprint", "-fls")):
            return acts(f"find {arg} changes files")
        if arg in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((place for place in range(at, len(args)) if args[place] in (";", "+")), len(args))
            inner = args[at + 1 : end]
            verdict = _classify_run(inner, beside, depth + 1) if inner else acts("find runs a command")
            if verdict.acts:
                return verdict
    return reads("find only looks")


def _classify_check(words: Words) -> Verdict | None:
    """Judge a test run, linter, type checker or formatter; a build makes files, and a repair changes them."""
    found = runners.find(words)
    if found and _does_more(unwrap(words)[0], found):
        return acts(f"{_cut(found[0].runner)} may write files")
    for check in found:
        runner = _cut(check.runner)
        if check.fixes or (check.kind not in _CHECKS and check.runner != "cargo check"):
            return acts(f"{runner} {'changes files' if check.fixes else 'builds'}")
        if any(word.partition("=")[0] in _UPDATING for word in words[1:]):
            return acts(f"{runner} writes files")
        return reads(f"{runner} {_CHECKS.get(check.kind, 'compiles without a result')}")
    return None


def _does_more(words: Words, found: list[Check]) -> bool:
    """Whether a check writes by itself: tsc emits, hooks of pre-commit repair, make runs other targets too."""
    name = base(words[0])
    if name == "tsc":
        return "--noEmit" not in words
    return name == "pre-commit" or _has_more_targets(words, found)


def _has_more_targets(words: Words, found: list[Check]) -> bool:
    """Whether make, just and their kind run targets besides the checks."""
    if base(words[0]) not in tasks.TARGET_TOOLS:
        return False
    at, names = 1, 0
    while at < len(words):
        at, _ = pass_options(words, at, _TARGET_OPTIONS)
        names += at < len(words) and not is_assignment(words[at])
        at += 1
    return names > len(found)


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
