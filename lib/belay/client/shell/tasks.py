"""Checks by the name that a project gave them: npm scripts, targets of make, tasks of mise, Gradle, Maven, others."""

from __future__ import annotations

from belay.client.shell import scopes, targets, tools
from belay.client.shell.check import Check
from belay.client.shell.tables import table
from belay.client.shell.wrappers import base, is_assignment, pass_options, read_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.shell.wrappers import Wrapper

    Words = tuple[str, ...]

TARGET_TOOLS = frozenset("make gmake just task rake invoke inv ant gulp grunt mage fastlane tuist lage".split())
_ONE_TARGET = frozenset(("just", "mage", "fastlane"))
"""Of these, the words after the first are arguments."""
_RUNS = table(
    """
    npm: run run-script
    pnpm: run run-script
    yarn: run
    bun: run
    mise: run r
    pdm: run
    pixi: run
    rye: run
    hatch: run
    devbox: run
    composer: run-script run
    deno: task
    lerna: run
    melos: run
    turbo: run
    poe:
    """
)
"""Task runners, and the subcommands after which a task is named."""
_MANAGERS = frozenset(("npm", "pnpm", "yarn", "bun"))
_WITHOUT_RUN = frozenset(("pnpm", "yarn", "bun", "composer", "turbo", "mise", "poe"))
"""Task runners that take the name of a task as their subcommand too."""
_ENVIRONMENTS = frozenset(("pdm", "pixi", "rye", "hatch", "devbox"))
"""Task runners that run any other command after `run`."""
_NESTED = frozenset("turbo nx lerna lage gulp grunt moon dotenv cross-env env-cmd".split())
"""Tools that package managers run, and which run tasks or tools themselves."""
_OWN_COMMANDS = frozenset(
    (
        "install i ci add remove rm up update upgrade why list ls outdated audit publish pack link unlink store create "
        "init import rebuild prune config env fetch patch deploy licenses setup start dev dlx exec x info view version "
        "cache login logout use trust doctor plugins search set settings watch tasks reshim dump-autoload "
        "require global "
        "validate prepare root bin get help completion generate self-update show fund dedupe node build"
    ).split()
)
"""Subcommands of package managers and of mise that are no tasks; `build` is one in pnpm and yarn."""
_OPTIONS = read_options(
    "-p -e --environment -o -f --file --loglevel --concurrency --workspace-concurrency --justfile --taskfile -t "
    "--reporter --project @--prefix @-w @--workspace @-C @--dir @--filter @-F @--cwd @--directory @-d "
    "@--working-dir @--scope"
)
_NO_VALUE = {"pnpm": frozenset(("-w",)), "turbo": frozenset(("-F",))}
_PHASES = table(
    """
    test: test verify integration-test
    build: package install compile test-compile
    """
)


def find(words: Words) -> list[Check]:
    """Return the checks that a task runner is asked for by name."""
    name = base(words[0])
    if not tools.NEVER.isdisjoint(words[1:]):
        return []
    if name in TARGET_TOOLS:
        return _find_targets(name, words)
    if name in _RUNS:
        return _find_tasks(name, *pass_runner(words))
    finder = _FINDERS.get(name)
    return finder(words) if finder else []


def _make_check(tool: str, name: str, args: Words = (), folder: str = "") -> list[Check]:
    kind, fixes = targets.classify(name)
    if not kind:
        return []
    own = "npm" if tool in _MANAGERS else _ALIASES.get(tool, tool)
    args = tuple(arg for arg in args if arg != "--")
    fixes = fixes or not tools.REPAIRING.isdisjoint(args)
    return [Check(f"{own} {name}", kind, scopes.read_scope(f"{own} {name}", args), folder, fixes)]


_ALIASES = {"gmake": "make", "inv": "invoke"}


def _find_targets(name: str, words: Words) -> list[Check]:
    """Return the targets of make and its kind; make alone builds."""
    if not {"-n", "--just-print", "-l", "-T", "-p"}.isdisjoint(words):
        return []
    folder, names, at = "", [], 1
    while at < len(words):
        at, named = pass_options(words, at, _OPTIONS)
        folder = named or folder
        names += [word for word in words[at : at + 1] if not is_assignment(word) and not word.isdigit()]
        at += 1
    if not names and name in ("make", "gmake", "ant"):
        return [Check(_ALIASES.get(name, name), "build", (), folder)]
    names = names[:1] if name in _ONE_TARGET else names
    return [check for target in names for check in _make_check(name, target, (), folder)]


def takes_commands(words: Words) -> bool:
    """Whether a task runner runs any command of the project's environment, or is asked for another task runner."""
    name = base(words[0])
    return name in _ENVIRONMENTS or (name in _MANAGERS and not _NESTED.isdisjoint(words[1:6]))


def may_name_a_tool(words: Words) -> bool:
    """Whether the word after a package manager may be a tool of the project: `pnpm vitest run`, `yarn run tsc`."""
    name = base(words[0])
    return name in ("pnpm", "yarn", "bun") and words[1:2] not in (("test",), ("build",))


def pass_runner(words: Words) -> tuple[Words, str]:
    """Return the name and the arguments of the task that a task runner is asked for, and its folder; () for none."""
    name = base(words[0])
    row = _OPTIONS._replace(valued=_OPTIONS.valued - _NO_VALUE.get(name, frozenset()))
    at, folder = pass_options(words, 1, row)
    if words[at : at + 1] == ("workspace",):
        folder, at = "".join(words[at + 1 : at + 2]), at + 2
    elif words[at : at + 1] == ("workspaces",):
        at += 1 + (words[at + 1 : at + 2] == ("foreach",))
        at, _ = pass_options(words, at, row)
    has_run = at < len(words) and words[at] in _RUNS[name]
    if has_run:
        at, later = pass_options(words, at + 1, row)
        folder = later or folder
    rest = words[at:]
    is_file = name in _MANAGERS and ("/" in rest[0] or "." in rest[0]) if rest else True
    if is_file or not (has_run or _is_task(name, rest[0])):
        return (), folder
    return rest, _find_late_folder(rest, row) or folder


def _is_task(name: str, task: str) -> bool:
    if name == "npm":
        return task in ("test", "t", "tst")
    if task == "build":
        return name in ("pnpm", "yarn", "turbo", "mise", "poe")
    return name in _WITHOUT_RUN and task not in _OWN_COMMANDS and "/" not in task and "." not in task


def _find_late_folder(rest: Words, row: Wrapper) -> str:
    """Return the package that an option after the name of a script gives: `npm test -w web`."""
    before = rest[: rest.index("--")] if "--" in rest else rest
    for at, word in enumerate(before):
        if at and word.partition("=")[0] in row.folders:
            return pass_options(before, at, row)[1]
    return ""


def _find_tasks(name: str, rest: Words, folder: str) -> list[Check]:
    if not rest:
        return []
    if name == "turbo":
        return [check for task in rest if task[:1] != "-" for check in _make_check(name, task, (), folder)]
    if ":::" in rest:  # mise runs several tasks
        at = rest.index(":::")
        return _find_tasks(name, rest[:at], folder) + _find_tasks(name, rest[at + 1 :], folder)
    task = (
        "test"
        if name == "npm" and rest[0] in ("t", "tst")
        else rest[0].rpartition(":")[2]
        if name == "hatch"
        else rest[0]
    )
    return _make_check(name, task, _drop_folders(rest[1:]), folder)


def _drop_folders(args: Words) -> Words:
    """Return arguments without options that name a package."""
    folders = ("--workspace", "--filter", "--prefix", "--scope", "--cwd", "-w", "-F")
    kept = []
    at = 0
    while at < len(args):
        option, mark, _ = args[at].partition("=")
        at += 2 if option in folders and not mark else 1
        kept += [] if option in folders else [args[at - 1]]
    return tuple(kept)


def _find_nx(words: Words) -> list[Check]:
    """Return what nx runs: `nx test web`, `nx run web:test`, `nx run-many -t lint test`."""
    names = [word for word in words[1:] if word[:1] != "-"]
    command, project = (*names, "", "")[:2]
    if command in ("run-many", "affected"):
        return [check for name in _find_named(words[2:]) for check in _make_check("nx", name)]
    if command == "run":
        project, _, command = project.partition(":")
    return _make_check("nx", command, (), project)


def _find_named(args: Words) -> list[str]:
    """Return the targets that nx's `-t`, `--target` and `--targets` name."""
    names: list[str] = []
    taking = False
    for arg in args:
        option, mark, value = arg.partition("=")
        if arg[:1] == "-":
            taking = option in ("-t", "--target", "--targets")
            names += value.split(",") if taking and mark else []
        elif taking:
            names += arg.split(",")
    return names


def _find_gradle(words: Words) -> list[Check]:
    """Return the tasks of Gradle that check: `:app:testDebug`, `spotlessApply`; `--tests` narrows them."""
    scope = tuple(word for word in scopes.read_scope("gradle", words[1:]) if word[:1] == "-")
    found = []
    excluded = {at + 1 for at, word in enumerate(words) if word in ("-x", "--exclude-task", "--tests")}
    for word in (word for at, word in enumerate(words) if at and at not in excluded):
        project, _, name = word.rpartition(":")
        kind, fixes = targets.classify(name.replace("Debug", "").replace("Release", ""))
        if kind and word[:1] != "-" and "." not in word and "*" not in word:
            folder = project.strip(":").replace(":", "/")
            found.append(Check(f"gradle {name}", kind, scope, folder, fixes))
    return found


def _find_maven(words: Words) -> list[Check]:
    """Return the phases and goals that a Maven command asks for; `-Dtest=` and `-pl` narrow them."""
    scope = tuple(word for word in scopes.read_scope("mvn", words[1:]) if word[:1] == "-")
    found = []
    for word in words[1:]:
        kinds = [kind for kind, phases in _PHASES.items() if word in phases]
        kind, fixes = (kinds[0], False) if kinds else targets.classify(word) if ":" in word else ("", False)
        found += [Check(f"mvn {word}", kind, scope, "", fixes)] if kind and word[:1] != "-" else []
    return found


_FINDERS = {
    "nx": _find_nx, "gradle": _find_gradle, "gradlew": _find_gradle, "mvn": _find_maven, "mvnw": _find_maven,
}  # fmt: skip
