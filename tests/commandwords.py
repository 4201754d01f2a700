"""`belay …` as pages name it, held against the command line itself."""

import re
import shlex

import click

from belay.cli.command_table import ALIASES, COMMANDS
from belay.cli.main import belay

SPAN = re.compile(r"`([^`\n]+)`")
STARTS = re.compile(r"\$? ?\S*(?:belay|workshop)\b")
"""A line of a code block that is a call; any other line is what one printed."""
CALL = re.compile(r"(?:^|[\s(])(?:belay|workshop) ((?:-C \S+ )?[a-z].*)")


def list_calls(text):
    """Return the words behind `belay` of every call in code spans and code blocks of a page."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```|^    (\S[^\n]*)$", text, re.M | re.S)
    lines = [line for block in blocks for line in "\n".join(block).splitlines() if STARTS.match(line)]
    spans = SPAN.findall(re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    plain = (
        part.replace('"${CLAUDE_PLUGIN_ROOT}/bin/belay"', "belay").replace("bin/belay", "belay")
        for part in [*spans, *lines]
    )
    return [match[1] for part in plain for match in [CALL.search(part.replace("\\|", "|"))] if match]


def find_mistake(call):
    """Return what of a call the command line does not know, "" where it knows all."""
    try:
        words = shlex.split(re.split(r" <<|  +| [|<>] |; ", call)[0], comments=True)
    except ValueError:
        words = call.split()
    command = belay
    context = click.Context(belay, info_name="belay")
    while words and isinstance(command, click.Group):
        if (
            words[0] not in (*COMMANDS, *ALIASES)
            if command is belay
            else command.get_command(context, words[0]) is None
        ):
            return "" if not re.fullmatch(r"[a-z-]+", words[0]) and command is not belay else words[0]
        command = command.get_command(context, words.pop(0))
    known = {opt for param in command.params for opt in (*param.opts, *param.secondary_opts)} | {"--help", "-h"}
    named = [word.partition("=")[0] for word in words if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", word)]
    return next((f"{command.name} {word}" for word in named if word not in known), "")
