"""Verbs of Workshop 2 that Belay does not have: each names in one line what to call instead, and exits with 2."""

from __future__ import annotations

import click

from belay.cli import output
from belay.cli.output import Result
from belay.core.errors import BadCall

_INSTEAD = {
    "web": "there is no page to open: `workshop read`, `show` and `edit` read and change entries",
    "debug": "`belay doctor` says which database is used and why",
}
"""Verb → what to call."""


def _make(name: str) -> click.Command:
    def point(_: tuple[str, ...]) -> Result:
        raise BadCall(f"workshop {name}", "is not in Belay", _INSTEAD[name])

    point.__doc__ = f"Not in Belay; says what to call instead of `{name}`."
    made = output.command(name)(click.argument("_", nargs=-1, type=click.UNPROCESSED)(point))
    made.context_settings["ignore_unknown_options"] = True
    return made


web, debug = map(_make, _INSTEAD)
