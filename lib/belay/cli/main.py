"""`belay`, also called `workshop`: a table of commands, each loaded when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from belay.cli.command_table import ALIASES, COMMANDS, KNOWLEDGE, SECTIONS, TAKE_DB
from belay.core import environment, lock
from belay.core.constants import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def _named(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Keep which database was named, for `belay.cli.knowledge.base`."""
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


def _in_folder(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Take the database of a folder that Workshop 2 would have named."""
    _named(ctx, param, os.path.join(value, "workshop.db") if value else value)


def _workspace() -> click.Option:
    return click.Option(["--workspace"], expose_value=False, hidden=True, callback=_in_folder)


def _enter(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Work in another folder, whatever session calls (docs/binding.md)."""
    from belay.cli import working_folder

    try:
        if value is not None:
            working_folder.leave_session(value)
    except OSError as error:
        raise click.BadParameter(f"{value}: {(error.strerror or str(error)).lower()}", ctx) from None


def _folder() -> click.Option:
    text = "Work in this folder, not in the session's project."
    return click.Option(["-C"], metavar="FOLDER", expose_value=False, is_eager=True, callback=_enter, help=text)


def _with_db(command: click.Command) -> click.Command:
    """Let a command, and those below it, take --db too."""
    below = list(command.commands.values()) if isinstance(command, click.Group) else []
    for one in (command, *below):
        if not any("--db" in param.opts for param in one.params):
            one.params.append(_db())
    return command


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except environment.TORN:
        if not environment.drop_torn():
            raise
        return importlib.import_module(name)


class Lazy(click.Group):
    """A group that imports a command's module only when that command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name) or ALIASES.get(cmd_name)
        if place is None:
            return None
        module, attribute = place.split(":")
        try:
            found: click.Command = getattr(_import(f"belay.cli.{module}"), attribute)
        except ModuleNotFoundError as error:
            from belay.cli.output import make_unavailable

            return make_unavailable(cmd_name, error)
        if cmd_name in TAKE_DB:
            return _with_db(found)
        if "belay.db" in ctx.meta:
            raise click.UsageError(f"{cmd_name} opens no knowledge base, so it takes no --db", ctx)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = KNOWLEDGE if ctx.find_root().info_name == "workshop" else ""
        sections = SECTIONS | ({"As in Workshop 2": ALIASES} if first else {})
        for heading in sorted(sections, key=lambda name: name != first):
            rows = list(self._rows(ctx, sections[heading], formatter.width))
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def _rows(self, ctx: click.Context, names: dict[str, str], width: int) -> Iterator[tuple[str, str]]:
        longest = max(map(len, (*COMMANDS, *names)))
        for name in names:
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                yield name.ljust(longest), command.get_short_help_str(width - 6 - longest)


@click.command(
    "belay", cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]}, params=[_folder(), _db(), _workspace()]
)
@click.version_option(VERSION, message="%(prog)s, version %(version)s")
def belay() -> None:
    """Memory for Claude Code that survives compaction, /clear, crashes and closed terminals."""


def main() -> None:
    """Run the command line under the name it was called by; a closed pipe or Ctrl-C ends it quietly."""
    lock.use_filelock()
    try:
        belay(prog_name=os.environ.pop("BELAY_AS", "belay"))
    except KeyboardInterrupt:
        sys.exit(130)
