"""--help where there is no click yet: what a command is and takes, read from its source; nothing is built for it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from belay.cli.command_table import ALIASES, COMMANDS, SECTIONS
from belay.core import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ASKED = ("-h", "--help")
_END = "This is the short help. `belay setup` sets the command line up, once: under a minute, 60 MB."


def is_asked(argv: Sequence[str]) -> bool:
    """Whether a call only asks for help."""
    words = argv[: argv.index("--")] if "--" in argv else argv
    return not argv or any(word in _ASKED for word in words)


def render(argv: Sequence[str]) -> str:
    """Return the help for a command, or the list of commands where none is named."""
    named = [word for word in argv if word in COMMANDS or word in ALIASES]
    lines = _describe(named[0]) if named else _list_commands()
    return "\n".join([*lines, "", _END])


def _list_commands() -> Iterator[str]:
    yield "Usage: belay COMMAND [OPTIONS]"
    for heading, names in SECTIONS.items():
        yield f"\n{heading}:"
        for name in names:
            yield f"  {name:12} {_summary(name).partition('. ')[0].rstrip('.')}."


def _describe(name: str) -> Iterator[str]:
    function = _find_function(name)
    yield f"Usage: belay {name} [OPTIONS]\n"
    yield f"  {_summary(name)}"
    options = list(_list_options(function)) if function else []
    if options:
        yield "\nOptions:"
        yield from options
    yield from _list_examples(function) if function else ()


def _summary(name: str) -> str:
    function = _find_function(name)
    text = (ast.get_docstring(function) or "") if function else "Record an entry of this kind."
    return " ".join(text.partition("\n\n")[0].split())


def _find_function(name: str) -> ast.FunctionDef | None:
    """Return the function behind a command, None where its module makes it in another way."""
    module, _, attribute = (COMMANDS.get(name) or ALIASES[name]).partition(":")
    path = paths.resource("lib", "belay", "cli", *module.split(".")) + ".py"
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    functions = [row for row in tree.body if isinstance(row, ast.FunctionDef) and row.decorator_list]
    return next((row for row in functions if row.name == attribute), None)


def _list_options(function: ast.FunctionDef) -> Iterator[str]:
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "click.option":
            names = [value for value in map(_read_text, call.args) if value.startswith("-")]
            yield f"  {', '.join(names):28} {_keyword(call, 'help')}".rstrip()
    yield f"  {'-h, --help':28} Show this message and exit."


def _list_examples(function: ast.FunctionDef) -> Iterator[str]:
    for call in function.decorator_list:
        lines = _keyword(call, "examples").strip().splitlines() if isinstance(call, ast.Call) else []
        if lines:
            yield "\nExamples:"
        yield from (f"  {line.strip()}" for line in lines)


def _keyword(call: ast.Call, name: str) -> str:
    return next((_read_text(word.value) for word in call.keywords if word.arg == name), "")


def _read_text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
