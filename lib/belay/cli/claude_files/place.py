"""`belay place`: which memory file a learning belongs to, and why; nothing is written."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output
from belay.cli.output import Result
from belay.core.constants import FILE_BYTES
from belay.core.errors import BadInput
from belay.core.plain_text import printable, shown
from belay.places import hierarchy
from belay.places.placing import placing

if TYPE_CHECKING:
    from belay.places.placing.placing import Choice, Placement

MOST = 100
"""Learnings of one call."""
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


class Other(TypedDict):
    """Another file that a learning could go to."""

    file: str
    why: str


class PlaceRow(TypedDict):
    """Where one learning belongs: `line` and `heading` are those it fits under, 0 and "" where there is none."""

    path: str
    line: int
    heading: str
    why: str
    text: str
    exists: bool
    others: list[Other]


class Place(TypedDict):
    """`belay place`: the first learning's file at the top, every learning in `results`."""

    file: str
    why: str
    others: list[Other]
    results: list[PlaceRow]


@output.command(
    "place",
    examples="""
    belay place "Sessions expire after 7 days of inactivity"
    belay place --json < learning.txt
    """,
)
@click.argument("text", nargs=-1)
def command(text: tuple[str, ...]) -> Result:
    """Say which memory file a learning belongs to, and why. Nothing is written.

    Without TEXT it is read from stdin: one learning, or one for each item where every line is a list item.
    """
    learnings = split_learnings(" ".join(text) or _read_stdin())
    if not learnings:
        raise click.UsageError("the learning is empty: say what was learned")
    found = hierarchy.read(output.here().root)
    rows = [placing.place(found, learning) for learning in learnings[:MOST]]
    results = [_row(row) for row in rows]
    first = results[0]
    data: Place = {"file": first["path"], "why": first["why"], "others": first["others"], "results": results}
    return Result(data, "\n\n".join(map(_format, rows)))


def split_learnings(text: str) -> list[str]:
    """Return the learnings of a text: one, or one an item where every line is an item of a list."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(_ITEM.match(line) for line in lines):
        return [_ITEM.sub("", line).strip() for line in lines]
    whole = " ".join(" ".join(lines).split())
    return [_ITEM.sub("", whole)] if whole else []


def _read_stdin() -> str:
    if sys.stdin.isatty():
        raise BadInput("place", "reads a learning from its arguments or stdin", 'belay place "what was learned"')
    return sys.stdin.buffer.read(FILE_BYTES).decode("utf-8", "replace")


def _row(found: Placement) -> PlaceRow:
    choice = found.choice
    others: list[Other] = [{"file": other.file, "why": other.why} for other in found.others]
    return {
        "path": choice.file, "line": choice.line, "heading": choice.heading, "why": choice.why, "text": found.text,
        "exists": choice.exists, "others": others,
    }  # fmt: skip


def _format(found: Placement) -> str:
    choice = found.choice
    lines = [f"{shown(found.text)}", f"  → {_format_place(choice)}", f"    because it is {choice.why}"]
    if choice.why.startswith(("names", "speaks", "it ")):
        lines[-1] = f"    because it {choice.why.removeprefix('it ')}"
    lines += [f"  else: {printable(other.file)} ({other.why})" for other in found.others[:2]]
    return "\n".join(lines)


def _format_place(choice: Choice) -> str:
    name = printable(choice.file)
    if not choice.exists:
        folder = choice.file.rpartition("/")[0]
        return f"{name}, which is not there yet: belay memory-init {printable(folder) or '.'}"
    return f"{name}:{choice.line} under “{shown(choice.heading)}”" if choice.line else name
