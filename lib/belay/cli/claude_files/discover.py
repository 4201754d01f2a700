"""`belay discover`: the memory that matters for a path or a task, in the order of reading; or the map of all of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core import kinds
from belay.core.errors import BadInput, mend_foreign
from belay.core.plain_text import block, count, printable, shown
from belay.core.text import tokens
from belay.knowledge.search import search
from belay.knowledge.store.database import Missing
from belay.memory import memory_files
from belay.places import hierarchy
from belay.places.discovery import discovery, memory_map, pieces
from belay.places.discovery.pieces import Piece
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.discovery.memory_map import MapRow

ENTRIES = 5
"""Entries of the knowledge base that are looked at."""


class DiscoveryRow(TypedDict):
    """One statement: where it stands, why it matters, its words, and what they take."""

    path: str
    line: int
    level: str
    heading: str
    why: str
    text: str
    tokens: int


class Discovered(TypedDict):
    """`belay discover`: `tokens` of the rows, `available` of all that was found, `features` of a task with why."""

    results: list[DiscoveryRow]
    budget: int
    tokens: int
    available: int
    features: list[dict[str, str]]


@output.command(
    "discover",
    examples="""
    belay discover src/features/auth/login.ts
    belay discover --task "retry failed invoices" --budget 3000
    belay discover --map
    """,
)
@click.argument("path", required=False, default="")
@click.option("--task", default="", metavar="TEXT", help="What is to be done; its features are found by its words.")
@click.option(
    "--budget", default=pieces.TOKENS, show_default=True, type=click.IntRange(50, 200_000), help="Tokens at most."
)
@click.option("--map", "as_map", is_flag=True, help="All memory files as a tree, with size, age and what is wrong.")
def command(path: str, task: str, budget: int, as_map: bool) -> Result:
    """Show the memory that matters for a path or a task. Each statement with its place and why; nothing is written.

    Without both: for the current folder.
    """
    project = output.here()
    found = hierarchy.read(project.root)
    if as_map:
        tree = memory_map.read_map(project, found)
        return Result({"results": [row._asdict() for row in tree]}, "\n".join(map(_format_map, tree)))
    if task and path:
        raise click.UsageError("a path or a task, not both")
    name = "" if task else _find_name(project, path)
    subject = discovery.read_task(found, task) if task else discovery.read_path(found, name)
    entries = _find_entries(task or name)
    answer = discovery.discover(project, os.environ, found, subject, entries, budget)
    rows = [_make_row(project, piece) for piece in answer.pieces]
    data: Discovered = {
        "results": rows, "budget": budget, "tokens": sum(row["tokens"] for row in rows), "available": answer.available,
        "features": [{"path": target, "why": why} for target, why in answer.targets.items()] if task else [],
    }  # fmt: skip
    return Result(data, "\n".join(_format(data)))


def _find_name(project: Project, path: str) -> str:
    """Return a path from the root, "" for the root itself; it need not exist."""
    full = os.path.realpath(path or os.getcwd())
    if full != project.root and not full.startswith(project.root + os.sep):
        raise BadInput(path, "is outside of the project", "give a path inside it")
    return "" if full == project.root else project.relative(full)


def _find_entries(asked: str) -> list[Piece]:
    """Return the entries of the knowledge base for a task or a path; [] without a base."""
    if not asked:
        return []
    try:
        with base.open_base() as store:
            hits = search.search(store, asked, k=ENTRIES, types=kinds.ENTRY_TYPES).results
            rows = [(store.get(hit.id), hit) for hit in hits]
    except Missing:
        return []
    return [
        Piece(f"knowledge:{hit.id}", 1, "entry", hit.type, f"{hit.type} in the knowledge base", entry.content,
              tokens.estimate(entry.content) + 1, 2.5 - at / 10)
        for at, (entry, hit) in enumerate(rows)
    ]  # fmt: skip


def _make_row(project: Project, piece: Piece) -> DiscoveryRow:
    """Return a piece as a row; the words of a file that nobody accepted stay out where Claude asks."""
    is_file = piece.level not in ("entry", "document")
    hidden = is_file and memory_files.is_hidden(project, os.environ, project.at(piece.path))
    return {
        "path": piece.path, "line": piece.line, "level": piece.level, "heading": piece.heading, "why": piece.why,
        "text": "" if hidden else redact(piece.text), "tokens": piece.tokens,
    }  # fmt: skip


def _format(data: Discovered) -> list[str]:
    lines = [f"{shown(row['path'])}: {row['why']}" for row in data["features"]]
    lines += ["The words of the task lead to no feature."] if not data["features"] and not data["results"] else []
    before = ("", "")
    for row in data["results"]:
        if row["path"] != before[0]:
            lines += ["", f"{printable(row['path'])} ({row['why'].partition('; ')[0]})"]
        if row["heading"] and (row["path"], row["heading"]) != before:
            lines.append(f"  {printable(row['heading'])}")
        text = row["text"] or f"(its words are shown once it is accepted; {mend_foreign(shown(row['path']))})"
        first, *more = block(text).split("\n")
        lines += [f"    {row['line']:>4}  {first}", *(f"          {line}" for line in more)]
        before = (row["path"], row["heading"])
    left = data["available"] - data["tokens"]
    lines += (
        ["", f"{data['tokens']} of {data['available']} tokens; more: --budget {data['available']}"] if left > 0 else []
    )
    return lines


def _format_map(row: MapRow) -> str:
    indent = "  " * row.depth
    parts = [count(row.tokens, "token"), count(row.lines, "line"), row.changed and f"changed {row.changed}"]
    health = f"{count(row.findings, 'finding')}: {', '.join(row.kinds)}" if row.findings else "nothing wrong"
    owner = f"{row.owner}, not read" if row.owner else health
    return f"{indent}{printable(row.path)}  {', '.join(filter(None, parts))}, {owner}"
