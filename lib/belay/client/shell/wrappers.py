"""Commands that run another command: `env`, `npx`, `uv run`, `docker compose exec` and their kind, taken off.

A row gives the options that take a value, so that the value is not taken for the command, and how many more words come
before the command. The options are those of the tools' own help pages.
"""

from __future__ import annotations

from belay.client.shell.tables import table
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    Words = tuple[str, ...]


class Wrapper(NamedTuple):
    """The options with a value of a command that runs another, the words before that one, the options with a folder."""

    valued: frozenset[str]
    skipped: int = 0
    folders: frozenset[str] = frozenset()


def read_options(text: str) -> Wrapper:
    """Return the options of a row like `-u --user @--dir +1`: "@" marks a folder, "+1" one more word to pass."""
    words = text.split()
    folders = frozenset(word[1:] for word in words if word[:1] == "@")
    valued = frozenset(word for word in words if word[:1] == "-") | folders
    return Wrapper(valued, sum(int(word[1:]) for word in words if word[:1] == "+"), folders)


WRAPPERS = {
    name: read_options(" ".join(options))
    for names, options in table(
        """
        command, builtin, nohup, setsid, unbuffer, chronic, noglob, cross-env, cross-env-shell, sail, fvm:
        poetry run, pipenv run, bundle exec, rbenv exec, pyenv exec, nodenv exec, asdf exec:
        time: -f -o --format --output
        env: -u --unset @-C @--chdir
        exec: -a
        timeout, gtimeout: -k -s --kill-after --signal +1
        nice: -n --adjustment
        ionice: -c -n -p
        taskset: +1
        stdbuf: -i -o -e
        caffeinate: -t -w
        xvfb-run: -s -n -e -f -p -w --server-args --server-num --error-file --auth-file --wait
        dbus-run-session: --config-file
        sudo, doas: -u -g -h -p --user --group @-D @--chdir
        xargs: -n -P -I -L -d -s -a -E
        dotenv: -e -f -c -v
        dotenvx run, env-cmd: -f -e -r
        doppler run: -p -c --project --config
        op run: --env-file
        infisical run: --env --path
        aws-vault exec, direnv exec, nvm exec: +1
        npx, bunx, pnpx, npm exec, npm x, pnpm exec, pnpm dlx, yarn exec, yarn dlx, bun x: -p --package @-w \
        @--workspace \
        @--prefix @-C @--filter @-F @--dir @--cwd
        uv run, uvx, uv tool run: --with --with-editable --with-requirements --extra --group --only-group --no-group \
        --python -p --env-file --index --default-index --index-url --extra-index-url --from @--project @--directory \
        @--package
        pipx run: --spec --python
        conda run, mamba run, micromamba run: -n --name -p --prefix @--cwd
        fnm exec: --using
        volta run: --node
        docker exec, docker run, docker compose exec, docker compose run, podman exec, podman run: -e --env \
        --env-file -u \
        --user -w --workdir -v --volume -p --publish --name --network --mount --platform --index --entrypoint -m \
        --memory \
        --cpus --add-host --hostname -l --label --label-file --shm-size --gpus +1
        kubectl exec: -n -c +1
        ddev exec: -s -d
        coverage run: --source --rcfile --data-file --omit --include --context
        """
    ).items()
    for name in names.split(", ")
}
_BEFORE_SUBCOMMAND = {
    "docker": read_options("-H --host -c --context"),
    "docker compose": read_options("-f --file -p --project-name --profile --env-file --project-directory"),
    "uv": read_options("@--directory @--project"),
    "npm": read_options("@--prefix @-w @--workspace"),
    "pnpm": read_options("@-C @--dir @--filter @-F"),
    "yarn": read_options("@--cwd"),
    "bun": read_options("@--cwd @--filter @-F"),
}
"""Options between the name of a command and its subcommand."""
_ALIASES = {"docker-compose": ("docker", "compose"), "rtx": ("mise",)}
_NONE = read_options("")
_ENDINGS = (".exe", ".cmd", ".bat", ".phar")


def base(word: str) -> str:
    """Return the name of a command: without its folder, its ending, and the version after "@"."""
    name = word.rstrip("/").rsplit("/", 1)[-1]
    name = name.partition("@")[0] or name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name


def is_assignment(word: str) -> bool:
    """Whether a word sets an environment variable for the command after it."""
    name, mark, _ = word.partition("=")
    return bool(mark) and name.removesuffix("+").replace("_", "a").isalnum() and not name[:1].isdigit()


def pass_options(words: Words, at: int, row: Wrapper) -> tuple[int, str]:
    """Return the place of the first word from `at` on that is no option, and the folder that the options name."""
    folder = ""
    while at < len(words) and words[at][:1] == "-":
        option, mark, value = words[at].partition("=")
        if option == "--":
            return at + 1, folder
        if option in row.valued and not mark:
            at += 1
            value = words[at] if at < len(words) else ""
        if option in row.folders and value:
            folder = clean_package(value)
        at += 1
    return at, folder


def clean_package(name: str) -> str:
    """Return the folder that a filter of packages names: of "@team/web..." it is "web"."""
    name = name.strip("{}^!").removesuffix("...").removeprefix("...")
    return name.partition("/")[2] if name[:1] == "@" else name


def unwrap(words: Words) -> tuple[Words, str]:
    """Return the command that is run in the end, and the folder or package that a wrapper names for it, "" for none."""
    folder = ""
    while words:
        words = words[_count_assignments(words, 0) :]
        words = (*_ALIASES.get(base(words[0]), words[:1]), *words[1:]) if words else words
        at, named = _passread_options(words) if words else (0, "")
        if not at:
            break
        folder, words = named or folder, words[at:]
    return words, folder


def _count_assignments(words: Words, at: int) -> int:
    while at < len(words) and is_assignment(words[at]):
        at += 1
    return at


def _passread_options(words: Words) -> tuple[int, str]:
    """Return how many words of a wrapper stand before the command, and the folder it names; 0 where there is none."""
    name = base(words[0])
    if name in _SPECIAL or name.startswith("python"):
        return _SPECIAL.get(name, _pass_python)(words), ""
    first, named = 0, ""
    if name not in WRAPPERS:
        first, named = pass_options(words, 1, _BEFORE_SUBCOMMAND.get(name, _NONE))
        name = " ".join((name, *words[first : first + 1]))
        if name in ("docker compose", "uv tool"):
            first, _ = pass_options(words, first + 1, _BEFORE_SUBCOMMAND.get(name, _NONE))
            name = " ".join((name, *words[first : first + 1]))
    row = WRAPPERS.get(name)
    if not row:
        return 0, ""
    at, folder = pass_options(words, first + 1, row)
    if row.skipped:
        at, _ = pass_options(words, at + row.skipped, row)
    return _count_assignments(words, at), folder or named


def _pass_python(words: Words) -> int:
    """Return the place of the module after `-m`, or of Django's manage.py; 0 for any other script."""
    at, _ = pass_options(words, 1, read_options("-W -X -c"))
    if "-m" in words[1:at]:
        return words.index("-m") + 1
    return at if words[at : at + 1] and base(words[at]) == "manage.py" else 0


def _pass_node(words: Words) -> int:
    """Return the place of a script that is a package's own command; 0 for any other."""
    at, _ = pass_options(words, 1, read_options("-r --require --import --loader --env-file"))
    return at if words[at : at + 1] and "node_modules/" in words[at] else 0


def _pass_go(words: Words) -> int:
    """Return the place of a tool that `go run` or `go tool` fetches or builds; 0 for the project's own programs."""
    if words[1:2] == ("tool",):
        return 2
    domain = words[2].partition("/")[0] if words[1:2] == ("run",) and len(words) > 2 else ""
    return 2 if "." in domain.strip(".") else 0


def _pass_mise(words: Words) -> int:
    """Return the place after `mise exec … --`; its tasks are targets, no wrappers."""
    return words.index("--") + 1 if words[1:2] in (("exec",), ("x",)) and "--" in words else 0


def _pass_php(words: Words) -> int:
    """Return the place of Laravel's artisan or of a package's command; 0 for any other script."""
    at, _ = pass_options(words, 1, read_options("-d -c"))
    script = words[at] if at < len(words) else ""
    is_tool = base(script) in ("artisan", "phpunit", "pest") or "vendor/" in script or script.endswith(".phar")
    return at if is_tool else 0


_SPECIAL = {"php": _pass_php, "py": _pass_python, "node": _pass_node, "go": _pass_go, "mise": _pass_mise}
