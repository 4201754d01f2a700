"""Git's subcommands: which only read, and the options that make the others read or write. By git's manual."""

from __future__ import annotations

from belay.client.shell.tables import table
from belay.client.shell.wrappers import pass_options, read_options
from belay.sentinel.verdict import acts, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.sentinel.verdict import Verdict

    Words = tuple[str, ...]

_READS = frozenset(
    "status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file "
    "name-rev merge-base cherry count-objects var version whatchanged diff-tree diff-index diff-files for-each-ref "
    "show-ref show-branch check-ignore check-attr check-ref-format check-mailmap verify-commit verify-tag verify-pack "
    "fsck help range-diff column stripspace patch-id request-pull get-tar-commit-id last-modified".split()
)
_WRITES_WITH = table(
    """
    log: --output --ext-diff
    ls-remote: --upload-pack --exec
    diff: --output --ext-diff
    show: --output --ext-diff
    whatchanged: --output --ext-diff
    diff-tree: --output --ext-diff
    grep: -O --open-files-in-pager
    fsck: --lost-found
    shortlog: --output
    range-diff: --output
    """
)
"""Subcommand that reads → the options with which it writes or starts another program."""
_READS_WITH = table(
    """
    fetch: --dry-run
    push: --dry-run -n
    add: --dry-run -n
    clean: --dry-run -n
    rm: --dry-run -n
    mv: --dry-run -n
    commit: --dry-run
    apply: --check --stat --numstat --summary
    prune: --dry-run -n
    merge-file: -p --stdout
    format-patch: --stdout
    """
)
"""Subcommand that writes → the options with which it only says what it would do, or prints."""
_SECOND = table(
    """
    stash: list show
    worktree: list
    remote: show get-url
    submodule: status summary
    notes: list show
    bisect: log view visualize terms
    lfs: ls-files status env
    bundle: verify list-heads
    sparse-checkout: list
    rerere: status diff
    flow: version
    replace: -l --list
    svn: log info
    """
)
"""Subcommand → its own subcommands that read."""
_SHOWN_ALONE = frozenset(("notes", "replace"))
"""Subcommands that list when they are given nothing."""
_LISTING = {
    "branch": frozenset(
        "-a --all -r --remotes -v -vv --verbose -l --list --show-current --contains --no-contains --merged --no-merged "
        "--sort --format --points-at --column --no-column --color --no-color -i --ignore-case --abbrev --no-abbrev "
        "-q --quiet -av -avv -rv -va".split()
    ),
    "tag": frozenset(
        "-l --list -n --contains --no-contains --merged --no-merged --sort --format --points-at --column -v --verify "
        "-i --ignore-case --color".split()
    ),
}
_TAKES_NAMES = frozenset(
    "-l --list --contains --no-contains --merged --no-merged --sort --format --points-at -v --verify -n".split()
)
"""Options of `branch` and `tag` after which a name is a pattern or a commit to compare with, no new name."""
_CONFIG_READS = frozenset(
    "--get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool --show-origin-only".split()
)
_CONFIG_WRITES = frozenset(
    "--add --unset --unset-all --replace-all --rename-section --remove-section --edit -e set unset edit "
    "rename-section remove-section".split()
)
_CONFIG_SCOPES = frozenset(
    "--global --local --system --worktree -z --null --show-origin --show-scope --name-only --includes".split()
)
_BEFORE = read_options("-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env")
_HARMLESS = (
    "color.", "core.quotepath=", "core.pager=cat", "core.pager=", "pager.", "safe.directory=", "diff.renames",
    "diff.renamelimit=", "diff.algorithm=", "diff.context=", "log.", "column.", "advice.", "user.", "core.autocrlf=",
    "core.abbrev=", "i18n.", "status.", "blame.", "core.longpaths=", "core.fsmonitor=false", "diff.mnemonicprefix",
    "core.precomposeunicode", "grep.", "submodule.recurse=", "format.pretty=",
)  # fmt: skip
"""Settings given with -c that start no program."""


def classify(args: Words) -> Verdict:
    """Return the verdict on the words after `git`."""
    at, _ = pass_options(args, 0, _BEFORE)
    wrong = next((value for value in _list_settings(args[:at]) if not _is_harmless(value)), "")
    if wrong:
        return acts(f"git -c {wrong.partition('=')[0][:60]} may start another program")
    if any(arg.startswith("--exec-path=") for arg in args[:at]) or any("ext::" in arg for arg in args):
        return acts("git may start another program")
    if at >= len(args):
        return reads("git shows its help")
    name, rest = args[at], args[at + 1 :]
    if _judge(name, rest):
        return reads(f"git {name} only reads")
    return acts(f"git {name[:40]} may change something")


def _list_settings(args: Words) -> list[str]:
    given = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in ("-c", "--config-env")]
    return given + [arg.partition("=")[2] for arg in args if arg.startswith("--config-env=")]


def _is_harmless(value: str) -> bool:
    name = value.lower()
    is_pager = name.startswith(("pager.", "core.pager=")) and value.partition("=")[2] not in (
        "",
        "cat",
        "false",
        "less",
    )
    return name.startswith(_HARMLESS) and not is_pager


def _judge(name: str, rest: Words) -> bool:
    """Whether a subcommand with these words only reads."""
    own = _SPECIAL.get(name)
    if own:
        return own(rest)
    if name in _READS:
        return not _has(rest, _WRITES_WITH.get(name, ()))
    if name in _LISTING:
        return _only_lists(name, rest)
    if name in _SECOND:
        return (not rest and name in _SHOWN_ALONE) or (bool(rest) and rest[0] in _SECOND[name])
    return _has(rest, _READS_WITH.get(name, ()))


def _has(rest: Words, options: tuple[str, ...]) -> bool:
    for arg in rest:
        if arg == "--":
            break
        if arg.partition("=")[0] in options:
            return True
        is_letters = arg[:1] == "-" and arg[1:2] not in ("-", "") and arg[1:].isalpha()
        if is_letters and any(len(one) == 2 and one[1] in arg[1:] for one in options):
            return True
    return False


def _only_lists(name: str, rest: Words) -> bool:
    options = [arg.partition("=")[0] for arg in rest if arg[:1] == "-"]
    known = all(option in _LISTING[name] or (name == "tag" and option[:2] == "-n") for option in options)
    names = [arg for arg in rest if arg[:1] != "-"]
    return known and (not names or any(option in _TAKES_NAMES or option[:2] == "-n" for option in options))


def _judge_config(rest: Words) -> bool:
    words = [arg for arg in rest if arg not in _CONFIG_SCOPES]
    if not _CONFIG_WRITES.isdisjoint(words[:2]):
        return False
    if words[:1] in (["get"], ["list"]) or not _CONFIG_READS.isdisjoint(words):
        return True
    return len([arg for arg in words if arg[:1] != "-"]) <= 1


def _judge_remote(rest: Words) -> bool:
    words = [arg for arg in rest if arg not in ("-v", "--verbose")]
    return not words or words[0] in _SECOND["remote"]


def _judge_submodule(rest: Words) -> bool:
    words = [arg for arg in rest if arg != "--quiet"]
    return not words or words[0] in _SECOND["submodule"]


def _judge_reflog(rest: Words) -> bool:
    return not rest or rest[0] not in ("expire", "delete", "drop", "write")


def _judge_symbolic_ref(rest: Words) -> bool:
    return len([arg for arg in rest if arg[:1] != "-"]) == 1 and not _has(rest, ("-d", "--delete"))


def _judge_archive(rest: Words) -> bool:
    return not _has(rest, ("-o", "--output", "--remote", "--exec"))


def _judge_hash_object(rest: Words) -> bool:
    return not _has(rest, ("-w",))


_SPECIAL = {
    "config": _judge_config, "remote": _judge_remote, "submodule": _judge_submodule, "reflog": _judge_reflog,
    "symbolic-ref": _judge_symbolic_ref, "archive": _judge_archive, "hash-object": _judge_hash_object,
}  # fmt: skip
