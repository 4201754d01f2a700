"""The question before entries are forgotten that nobody named one by one."""

from __future__ import annotations

import click

from belay.cli.output import Result

option = click.option("--yes", is_flag=True, help="Do not ask.")


def ask(question: str, yes: bool = False) -> bool:
    """Ask on stderr whether to do something; what is piped in answers too, and no answer is a no."""
    if yes:
        return True
    try:
        return click.confirm(question, default=False, err=True)
    except click.Abort:
        click.echo(err=True)
        return False


def refused() -> Result:
    """Return the answer after a no."""
    return Result({"changed": []}, "Nothing was forgotten. --yes does it without a question.", 1)
