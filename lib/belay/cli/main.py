"""`belay`: a table of commands, each loaded when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from belay.constants import VERSION

COMMANDS = {
    "ack": "capture:ack",
    "branch": "branch:command",
    "budget": "budget:command",
    "buffer": "buffer:command",
    "capture": "capture:command",
    "cleanup": "cleanup:command",
    "compress": "compress:command",
    "continue": "continuation:command",
    "demo": "demo:command",
    "diff": "diff:command",
    "distill": "distill:command",
    "doctor": "doctor:command",
    "handoff": "handoff:command",
    "health": "health:command",
    "journal": "journal:command",
    "lint": "lint:command",
    "memory": "memory:command",
    "promote": "promote:command",
    "rebuild": "rebuild:command",
    "redact": "redact:command",
    "remember": "remember:command",
    "setup": "setup:command",
    "status": "status:command",
    "statusline": "statusline:command",
    "triggers": "triggers:command",
    "trust": "trust:command",
    "uninstall": "uninstall:command",
    "wrap-up": "wrapup:command",
}
"""Command name → module and attribute below belay.cli."""


class Lazy(click.Group):
    """A group that imports a command's module only when that command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(":")
        found: click.Command = getattr(importlib.import_module(f"belay.cli.{module}"), attribute)
        return found


@click.command("belay", cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="belay")
def belay() -> None:
    """Memory for Claude Code that survives compaction, /clear, crashes and closed terminals."""


def main() -> None:
    """Run the command line; a closed pipe or Ctrl-C ends it quietly."""
    try:
        belay(prog_name="belay")
    except KeyboardInterrupt:
        sys.exit(130)
