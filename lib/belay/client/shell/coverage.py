"""Whether one check that passed says that another one passes now too."""

from __future__ import annotations

from belay.client.shell import paths, scopes, targets, tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.shell.check import Check

_MAIN = {
    "test": "test tests",
    "lint": "lint",
    "types": "typecheck types",
    "build": "build compile",
    "format": "format fmt",
}
"""Names of a project's tasks that stand for all of a kind."""
_WIDE = frozenset(("ci", "all", "full"))
"""Words that make a task wider: `test:ci` runs what `test` runs."""
_PARTS = frozenset(("lint", "types", "format", "build"))
"""Kinds whose `lint:css` is a part of `lint`; of tests, `test:e2e` usually is not one of `test`."""


def covers(passed: Check, failed: Check) -> bool:
    """Whether a check that passed makes up for one that failed: same or broader runner, equal or wider scope.

    Options that change how a check runs or prints do not matter, nor whether it repairs: a linter that has fixed what
    it found and exits with 0 passes.
    """
    return _covers_runner(passed, failed) and _covers_scope(passed, failed)


def _covers_runner(passed: Check, failed: Check) -> bool:
    broader = tools.BROADER.get(failed.runner, ())
    if passed.runner == failed.runner or passed.runner in broader:
        return True
    old, new = _split(failed.runner), _split(passed.runner)
    if any(_stands_for_all(new, passed, _make_alike(failed, runner)) for runner in broader):
        return True
    if old and new:
        return old[0] == new[0] and _covers_name(new[1], old[1], failed.kind)
    return _stands_for_all(new, passed, failed) or _stands_for_all(old, failed, passed)


def _make_alike(check: Check, runner: str) -> Check:
    return check._replace(runner=runner, kind=tools.COMMANDS.get(runner) or tools.TOOLS.get(runner, ""))


def _split(runner: str) -> tuple[str, str] | None:
    """Return the task runner and the task's name of "npm lint:css"; None for a tool such as "go test"."""
    if runner in tools.COMMANDS or runner in tools.TOOLS or " " not in runner:
        return None
    tool, _, name = runner.partition(" ")
    return tool, name


def _covers_name(new: str, old: str, kind: str) -> bool:
    """Whether a task of a project covers another by their names: `lint:fix` covers `lint`, `lint` covers `lint:css`."""
    wide, narrow = targets.stem(new), targets.stem(old)
    if wide == narrow or tuple(word for word in wide if word not in _WIDE) == narrow:
        return True
    return kind in _PARTS and len(wide) == 1 and wide == narrow[: len(wide)]


def _stands_for_all(task: tuple[str, str] | None, named: Check, tool: Check) -> bool:
    """Whether a task such as `npm test` is how a project calls a tool such as jest for everything.

    The tool's own run need not cover everything where the task passed; where the task failed, `covers` asks for that.
    """
    if not task or named.kind != tool.kind or _split(tool.runner) or task[1] not in _MAIN.get(named.kind, "").split():
        return False
    return task[0] not in ("npm", "turbo", "nx") or tool.runner.partition(" ")[0] in tools.JAVASCRIPT


def _covers_scope(passed: Check, failed: Check) -> bool:
    if not _selectors(passed) <= _selectors(failed):
        return False
    areas = _areas(passed)
    return all(any(_lies_in(inner, outer) for outer in areas) for inner in _areas(failed))


def _selectors(check: Check) -> set[str]:
    return {word for word in check.scope if word[:1] == "-"}


def _areas(check: Check) -> list[tuple[str, bool]]:
    """Return (path, whether with what lies below) of what a check covers."""
    named = [word for word in check.scope if word[:1] != "-"]
    if not named:
        return [(check.folder, True)]
    is_exact = check.runner in scopes.EXACT
    return [(paths.join(check.folder, _strip(word)), not is_exact or word.endswith("...")) for word in named]


def _strip(word: str) -> str:
    return word.removesuffix("...").rstrip("/")


def _lies_in(inner: tuple[str, bool], outer: tuple[str, bool]) -> bool:
    (path, is_deep), (top, is_wide) = inner, outer
    if is_wide:
        return not top or paths.is_same(path, top) or paths.is_below(path, top)
    return not is_deep and paths.is_same(path, top)
