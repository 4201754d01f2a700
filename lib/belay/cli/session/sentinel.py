"""`belay sentinel`: whether a tool call investigates or acts."""

from __future__ import annotations

import json
import sys

import click

from belay.client.event import ToolCall
from belay.core.json_codec import fields_of
from belay.core.text.invisible import escape_invisible
from belay.sentinel import classifier

LINE_BYTES = 4_000_000
"""Bytes of one line of input; a longer one is an error of that line."""
_FORM = 'write {"id": 1, "tool_name": "Bash", "tool_input": {"command": "…"}} on each line'
_EXAMPLES = """\b
Examples:
  echo '{"id": 1, "tool_name": "Bash", "tool_input": {"command": "git status"}}' | belay sentinel classify
  belay sentinel classify < calls.jsonl"""


@click.group("sentinel", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Tell tool calls that investigate from calls that act."""


@command.command("classify", epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", is_flag=True, expose_value=False, help="The answer is JSON lines with and without it.")
def classify() -> None:
    """Read tool calls as JSON lines, print `noetic` (looks) or `praxic` (acts) and why for each.

    A line that is no tool call is named on stderr; the others are answered, and the exit code is 1.
    """
    is_wrong = False
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        row = _parse(line)
        call = ToolCall(fields_of(row))
        if row is None or not call.name:
            is_wrong = True
            click.echo(f"belay: line {number}: is no tool call; {_FORM}", err=True)
            continue
        verdict = classifier.classify(call)
        answer = {"id": row.get("id"), "class": verdict.kind, "why": verdict.why}
        text = escape_invisible(json.dumps(answer, ensure_ascii=False))
        sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.exit(int(is_wrong))


def _parse(line: bytes) -> dict[str, object] | None:
    """Return the object of a line, None where it is none."""
    try:
        row = json.loads(line.decode("utf-8", "replace")) if len(line) <= LINE_BYTES else None
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
