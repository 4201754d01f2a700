"""`belay`, also called `workshop`: a table of commands, each loaded when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from belay.core.constants import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

KNOWLEDGE = "Knowledge"
SECTIONS = {
    "Session": {
        "status": "status:command",
        "budget": "budget:command",
        "buffer": "buffer:command",
        "capture": "capture:command",
        "ack": "capture:ack",
        "review": "review:command",
        "continue": "continuation:command",
        "wrap-up": "wrapup:command",
        "journal": "journal:command",
        "triggers": "triggers:command",
    },
    "Memory": {
        "memory": "memory:command",
        "remember": "remember:command",
        "diff": "diff:command",
        "health": "health:command",
        "lint": "lint:command",
        "compress": "compress:command",
        "branch": "branch:command",
        "distill": "distill:command",
        "promote": "promote:command",
        "playbook": "playbook:command",
        "handoff": "handoff:command",
        "rebuild": "rebuild:command",
        "cleanup": "cleanup:command",
    },
    KNOWLEDGE: {
        "decision": "entry:decision",
        "gotcha": "entry:gotcha",
        "goal": "entry:goal",
        "note": "entry:note",
        "antipattern": "entry:antipattern",
        "preference": "entry:preference",
        "finding": "entry:finding",
        "unknown": "entry:unknown",
        "deadend": "entry:deadend",
        "search": "search:command",
        "why": "why:command",
        "read": "read:read",
        "recent": "read:recent",
        "show": "read:show",
        "context": "context:command",
        "resolve": "change:resolve",
        "supersede": "change:supersede",
        "edit": "change:edit",
        "forget": "change:forget",
        "stats": "stats:command",
        "init": "init:command",
        "index": "index:command",
        "import": "import_:command",
        "export": "export:command",
        "vectors": "vectors:command",
        "sync": "sync:command",
    },
    "Set-up": {
        "setup": "setup:command",
        "doctor": "doctor:command",
        "demo": "demo:command",
        "statusline": "statusline:command",
        "trust": "trust:command",
        "redact": "redact:command",
        "uninstall": "uninstall:command",
    },
}  # type: dict[str, dict[str, str]]
"""Heading in --help → command name → module and attribute below belay.cli."""
COMMANDS = {name: place for commands in SECTIONS.values() for name, place in commands.items()}
ALIASES = {"next": "entry:next_"}
"""What earlier tools called it; not in --help."""
TAKE_DB = frozenset((*SECTIONS[KNOWLEDGE], *ALIASES, "rebuild"))
"""Commands that open the knowledge base, and so take --db."""


def _named(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Keep which database was named, for `belay.cli.base`."""
    if value == "":
        raise click.BadParameter("it names no file", ctx)
    if value is not None:
        ctx.find_root().meta["belay.db"] = os.path.abspath(value)


def _db() -> click.Option:
    return click.Option(
        ["--db"],
        metavar="FILE",
        expose_value=False,
        callback=_named,
        help="A database of your choice in place of the project's.",
    )


def _with_db(command: click.Command) -> click.Command:
    """Let a command, and those below it, take --db too."""
    below = list(command.commands.values()) if isinstance(command, click.Group) else []
    for one in (command, *below):
        if not any("--db" in param.opts for param in one.params):
            one.params.append(_db())
    return command


class Lazy(click.Group):
    """A group that imports a command's module only when that command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name) or ALIASES.get(cmd_name)
        if place is None:
            return None
        module, attribute = place.split(":")
        found: click.Command = getattr(importlib.import_module(f"belay.cli.{module}"), attribute)
        if cmd_name in TAKE_DB:
            return _with_db(found)
        if "belay.db" in ctx.meta:
            raise click.UsageError(f"{cmd_name} opens no knowledge base, so it takes no --db", ctx)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = KNOWLEDGE if ctx.find_root().info_name == "workshop" else ""
        for heading in sorted(SECTIONS, key=lambda name: name != first):
            rows = list(self._rows(ctx, SECTIONS[heading], formatter.width))
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def _rows(self, ctx: click.Context, names: dict[str, str], width: int) -> Iterator[tuple[str, str]]:
        longest = max(map(len, COMMANDS))
        for name in names:
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                yield name.ljust(longest), command.get_short_help_str(width - 6 - longest)


@click.command("belay", cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]}, params=[_db()])
@click.version_option(VERSION, message="%(prog)s, version %(version)s")
def belay() -> None:
    """Memory for Claude Code that survives compaction, /clear, crashes and closed terminals."""


def main() -> None:
    """Run the command line under the name it was called by; a closed pipe or Ctrl-C ends it quietly."""
    try:
        belay(prog_name=os.environ.pop("BELAY_AS", "belay"))
    except KeyboardInterrupt:
        sys.exit(130)
