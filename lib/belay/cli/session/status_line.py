"""`belay statusline`: the line itself, and the wrapper around a line that the user has."""

from __future__ import annotations

import os
import sys

import click

from belay.cli import output
from belay.client import status_line_wrapper
from belay.client.status_input import parse_status
from belay.context import status_line
from belay.core.errors import BadInput


@output.command("statusline", examples="belay statusline --install\nbelay statusline --uninstall")
@click.option("--install", is_flag=True, help="Add Belay's line to the client's status line; yours stays.")
@click.option("--uninstall", is_flag=True, help="Put the status line back as it was.")
def command(install: bool, uninstall: bool) -> output.Result:
    """Print a status line: context, branch, captures, health. Reads the client's status JSON on stdin."""
    if install and uninstall:
        raise click.UsageError("--install and --uninstall exclude each other")
    if install or uninstall:
        return _wrap(install)
    if sys.stdin.isatty():
        raise BadInput("stdin", "is a terminal", "let the client call it: belay statusline --install")
    status = parse_status(sys.stdin.buffer.read())
    status_line.save_mirror(status, os.environ)
    known = status_line.gather_fields(status, os.environ)
    return output.Result(known, status_line.render_line(known))


def _wrap(install: bool) -> output.Result:
    change = status_line_wrapper.install if install else status_line_wrapper.uninstall
    try:
        lines = change(os.environ)
    except OSError as error:
        raise BadInput(str(error.filename), error.strerror or "cannot be written", "check its permissions") from error
    return output.Result({"installed": install, "done": lines}, "\n".join(lines))
