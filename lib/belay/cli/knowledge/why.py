"""`workshop why`: what was decided about something, with its reason and what it replaced."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base, read, rows
from belay.cli.output import Result
from belay.core.plain_text import printable
from belay.knowledge.entries import entries, history
from belay.knowledge.search import search
from belay.knowledge.store.database import Missing
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.memory.remember import tiers
from belay.repository import vetting
from belay.repository.survey import places

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.search.search import Hit
    from belay.knowledge.store.store import Store

DECISIONS, BESIDE = 3, 4
SESSIONS = 6
"""Rows of the Session Log that answer for the last sessions."""


@output.command("why", examples='workshop why auth\nworkshop why "postgres instead of sqlite" -n 1')
@click.option(
    "-n", "--limit", "limit", type=click.IntRange(1), default=DECISIONS, show_default=True, help="Decisions shown."
)
@click.argument("query", nargs=-1, required=True)
def command(query: tuple[str, ...], limit: int) -> Result:
    """Tell why something is as it is. Decisions with reason and history; then what else is known of it."""
    asked = " ".join(query)
    if not asked.strip():
        raise click.UsageError(f'about what? {output.program()} why "what it concerns"')
    section = _read_section(asked)
    try:
        with base.open_base() as store:
            lines = _lines(store, asked, limit)
            beside = _others(store, asked)
    except Missing:
        if not section:
            raise
        lines, beside = [], []
    data = {
        "query": asked,
        "memory": section,
        "decisions": [
            {**rows.make_row(line[0]), "history": [rows.make_row(one) for one in line[1:]]} for line in lines
        ],
        "beside": [_hit(hit) for hit in beside],
    }
    if not lines and not beside and not section:
        return Result(data, f"Nothing is recorded about “{printable(asked)}”.", 1)
    told = _format_lines(lines) or ([] if section else [f"No decision is recorded about “{printable(asked)}”."])
    shown = ["MEMORY.md:", *(f"  {printable(row)}" for row in section)] if section else []
    return output.make_result(data, ["\n".join([*shown, *([""] if shown and told else []), *told]), *_beside(beside)])


def _read_section(asked: str) -> list[str]:
    """Return the rows of the memory's section that the words ask for: the last sessions, known issues, key files …"""
    name, project = tiers.find_asked_section(asked), base.project()
    if not name or project is None:
        return []
    facts = read_facts(page.parse(vetting.read_trusted(project, os.environ, ["MEMORY.md"])[0].get("MEMORY.md", "")))
    if name == "files":
        facts["files"] = [row for row in facts["files"] if places.stands(project.root, row["path"])]
    rows = tiers.format_lines(facts, name)
    return rows[-SESSIONS:][::-1] if name == "log" else rows


def _lines(store: Store, asked: str, limit: int) -> list[list[Entry]]:
    """Return the lines of decisions that were found, each once: the one that holds, then those before it."""
    hits = search.search(store, asked, k=limit * 4, types=("decision",)).results
    found: dict[str, list[Entry]] = {}
    for entry in entries.load_by_numbers(store.connection, [hit.num for hit in hits if hit.type == "decision"]):
        line = history.load_chain(store, entry)
        found.setdefault(line[0].id, line)
    return list(found.values())[:limit]


def _others(store: Store, asked: str) -> list[Hit]:
    """Return what else is known: entries of other kinds, and sections of the project's documents."""
    found = search.search(store, asked, k=2 * BESIDE).results
    return [hit for hit in found if hit.type != "decision"][:BESIDE]


def _format_lines(lines: list[list[Entry]]) -> list[str]:
    told: list[str] = []
    for entry, *before in lines:
        state = "" if entry.status == entries.ACTIVE else f" [{entry.status}]"
        told += ["", f"{printable(entry.id)}  {printable(entry.content)}{state}"]
        told += [f"  {name:<7} {value}" for name, value in read.format_facts(entry).items() if value]
        told += [f"  before  {_brief(one)}" for one in before]
    return told[1:]


def _brief(entry: Entry) -> str:
    days = " to ".join(dict.fromkeys((entry.created[:10], entry.updated[:10])))
    return terminal.cut(f"{printable(entry.id)}  {days}  {printable(entry.line)}", terminal.width() - 10)


def _beside(hits: list[Hit]) -> list[terminal.Part]:
    table = [(hit.id or f"{printable(hit.path)}:{hit.start}", hit.type, printable(hit.snippet)) for hit in hits]
    return ["\nAlso known:", terminal.Table(table, indent=2)] if hits else []


def _hit(hit: Hit) -> dict[str, object]:
    return {
        "id": hit.id,
        "type": hit.type,
        "path": hit.path,
        "start": hit.start,
        "end": hit.end,
        "score": hit.score,
        "snippet": hit.snippet,
    }
