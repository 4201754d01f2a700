"""One check that a command line runs, as a value."""

from __future__ import annotations

from belay.core.tuples import NamedTuple


class Check(NamedTuple):
    """One check that a command line runs.

    `runner` is its name without wrappers ("go test", "npm lint" for the script of that name by any package manager);
    `kind` is test, lint, types, build or format; `scope` the paths and selectors ("-k refund") that narrow it, () for
    everything; `folder` where it runs, "" for where the command line starts; `fixes` whether it repairs what it finds;
    `text` the step as it was typed, without redirections; `start` the folder that a `cd` before it led to.
    """

    runner: str
    kind: str
    scope: tuple[str, ...] = ()
    folder: str = ""
    fixes: bool = False
    text: str = ""
    start: str = ""
