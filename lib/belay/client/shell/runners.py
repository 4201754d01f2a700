"""What one simple command checks: its runner, kind, scope and folder."""

from __future__ import annotations

from belay.client.shell import scopes, targets, tasks, tools
from belay.client.shell.check import Check
from belay.client.shell.paths import join
from belay.client.shell.quoting import quote
from belay.client.shell.wrappers import base, pass_options, read_options, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    Words = tuple[str, ...]

_BEFORE_SUBCOMMAND = read_options(
    "@-C @--cwd @--chdir @-chdir -c --config --manifest-path --color --import -r --require --loader --env-file"
)
_SHELLS = frozenset(("bash", "sh", "zsh"))
_VERBS = ("run", "check", "analyse", "analyze")
"""Subcommands of tools that check with or without them: `ty check`, `phpstan analyse`."""
_SYSTEM = ("/usr/", "/bin/", "/opt/", "/etc/", "/tmp/", "/var/", "$TMPDIR/")


def find(words: Words, folder: str = "") -> list[Check]:
    """Return the checks of one simple command that starts in a folder; most commands have none."""
    inner, named = unwrap(words)
    if not inner:
        return []
    text = " ".join(map(quote, words))
    checks = _find_checks(inner)
    place = join(folder, named)
    return [check._replace(folder=join(place, check.folder), text=text, start=folder) for check in checks]


def _find_checks(words: Words) -> list[Check]:
    check = _find_tool(words)
    if check:
        return [check]
    if tasks.takes_commands(words):
        rest, folder = tasks.pass_runner(words)
        found = find(rest) if rest else []
        if found:
            return [check if check.folder else check._replace(folder=folder) for check in found]
    return tasks.find(words) or _find_script(words)


def _find_tool(words: Words) -> Check | None:
    """Return the check of a tool that the tables know."""
    rest, folder = tasks.pass_runner(words) if tasks.may_name_a_tool(words) else (words, "")
    name, at, place = _match(rest) if rest else ("", 0, "")
    kind = tools.COMMANDS.get(name) or tools.TOOLS.get(name)
    if not kind or name in tasks.TARGET_TOOLS or not _does_check(name, rest[at:]):
        return None
    runner = tools.ALIASES.get(name, name)
    args = (*rest[1 : at - 1], *rest[at:]) if name.startswith("xcodebuild") else rest[at:]
    scope = scopes.read_scope(runner, _drop_subcommands(name, args))
    return Check(runner, kind, scope, join(folder, place), _repairs(name, rest[at:]))


def _match(words: Words) -> tuple[str, int, str]:
    """Return the name of a tool with its subcommand, where its arguments begin, and the folder named between them."""
    name = base(words[0])
    if "node_modules/" in words[0]:
        name = name.removesuffix(".js").removesuffix(".mjs").removesuffix(".cjs")
    at, folder = 1, ""
    while at < len(words):
        for length in (2, 1):
            full = " ".join((name, *words[at : at + length]))
            if full in tools.COMMANDS:
                return full, at + length, folder
        if words[at][:1] == "-":
            at, found = pass_options(words[: at + 2], at, _BEFORE_SUBCOMMAND)
            folder = found or folder
        elif words[at][:1] == "+" or name == "xcodebuild":  # a toolchain of cargo; actions of xcodebuild come last
            at += 1
        else:
            break
    return name, 1, ""


def _does_check(name: str, args: Words) -> bool:
    """Whether a tool checks with these arguments; with others it prints, waits, or does something else."""
    options = {arg.partition("=")[0] for arg in args}
    if not tools.NEVER.isdisjoint(args) or not options.isdisjoint(tools.OWN_NEVER.get(name, ())):
        return False
    needed = tools.ONLY_WITH.get(name)
    return not needed or not options.isdisjoint(needed)


def _repairs(name: str, args: Words) -> bool:
    """Whether a tool rewrites what it finds."""
    asking = tools.REPAIRS_UNLESS.get(name)
    if asking and set(asking).isdisjoint(args):
        return True
    own = tools.OWN_REPAIRING.get(name, ())
    return any(arg in own or arg.partition("=")[0] in tools.REPAIRING for arg in args)


def _drop_subcommands(name: str, args: Words) -> Words:
    """Return arguments without the words that only say what a tool does."""
    needed = tools.ONLY_WITH.get(name, ()) + tools.OWN_REPAIRING.get(name, ()) + tools.REPAIRS_UNLESS.get(name, ())
    dropped = {"--", *needed, *(_VERBS if name in tools.TOOLS else ())}
    return tuple(arg for arg in args if arg not in dropped)


def _find_script(words: Words) -> list[Check]:
    """Return the check of the project's own shell script that a name like `scripts/run-tests.sh` says it is."""
    by_shell = base(words[0]) in _SHELLS and len(words) > 1
    path, args = (words[1], words[2:]) if by_shell else (words[0], words[1:])
    name = path.rsplit("/", 1)[-1]
    is_own = (by_shell or "/" in path) and not path.startswith(_SYSTEM)
    if path[:1] == "-" or not is_own or "." in name.removesuffix(".sh") or not tools.NEVER.isdisjoint(args):
        return []
    kind, fixes = targets.classify(name.removesuffix(".sh"))
    path = path.removeprefix("./")
    return [Check(path, kind, scopes.read_scope(path, args), "", fixes)] if kind else []
