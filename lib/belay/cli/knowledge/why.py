"""`workshop why`: what was decided about something, with its reason and what it replaced; else what search finds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base, read, rows, search_results, shared_results
from belay.cli.knowledge.shared_results import Options
from belay.cli.output import Result
from belay.core import kinds
from belay.core.errors import BadCall
from belay.core.plain_text import printable
from belay.knowledge.entries import entries, history
from belay.knowledge.search import search
from belay.knowledge.store.database import Missing
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.memory.remember import tiers
from belay.repository import row_vetting
from belay.repository.manifests import alternatives
from belay.repository.survey import places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.search.search import Hit
    from belay.knowledge.store.store import Store
    from belay.knowledge.sync.shared_search import Search, Shared
    from belay.repository.manifests.alternatives import Mention

DECISIONS, BESIDE = 3, 4
KNOWN = 5
"""Entries of all types, the best ones, that an answer is made of; documents come behind them."""
CLEARLY = 1.1
"""How much better than the best decision something else must answer to come first: who asks why asks for a decision."""
SESSIONS = 6
"""Rows of the Session Log that answer for the last sessions."""


@output.command("why", examples='workshop why auth\nworkshop why "postgres instead of sqlite" -n 1')
@click.option(
    "-n", "--limit", "limit", type=click.IntRange(1), default=DECISIONS, show_default=True, help="Decisions shown."
)
@click.option("--shared", is_flag=True, help="Ask the shared memory of the setting `qdrant` too.")
@click.option("--project", "projects", multiple=True, help="With --shared: only of a project; repeatable.")
@click.option("--person", "persons", multiple=True, help="With --shared: only what a person sent; repeatable.")
@click.option("-t", "--type", "types", multiple=True, help="With --shared: only entries of a type; repeatable.")
@click.option("--since", default="", help="With --shared: not before a date (2026-05-31) or so long ago (14d, 2w, 3m).")
@click.argument("query", nargs=-1, required=True)
def command(query: tuple[str, ...], limit: int, types: tuple[str, ...], since: str, **shared: Any) -> Result:
    """Tell why something is as it is. Decisions with reason and history; then what else is known of it.

    What answers better than any decision comes first. Where nothing is decided about a product, the decision for
    another one that does the same job answers: SQLite, where Postgres was asked for.
    """
    asked = " ".join(query)
    if not asked.strip():
        raise click.UsageError(f'about what? {output.program()} why "what it concerns"')
    far = _begin_shared(Options(**shared), asked, types, since)
    section = _read_section(asked)
    try:
        with base.open_base() as store:
            best = search.search(store, asked, k=KNOWN, types=kinds.ENTRY_TYPES).results
            lines = _lines(store, asked, limit, best)
            first, beside = _others(store, asked, best)
            changed = read.find_changed(line[0] for line in lines)
            told = [*_format_first(store, first), *_format_lines(lines, changed)]
    except Missing:
        if not section and far is None:
            raise
        lines, first, beside, told, changed = [], None, [], [], {}
    data: dict[str, object] = {
        "query": asked,
        "memory": section,
        "decisions": [
            {
                **rows.make_row(line[0]),
                "history": [rows.make_row(one) for one in line[1:]],
                "since": changed.get(line[0].id, ""),
            }
            for line in lines
        ],
        "first": _hit(first) if first else None,
        "beside": [_hit(hit) for hit in beside],
    }
    elsewhere = _finish_shared(far, lines, beside)
    data |= shared_results.data(elsewhere)
    if not lines and not beside and not section:
        nothing = f"Nothing is recorded {'here ' if far else ''}about “{printable(asked)}”."
        told = [nothing, *shared_results.lines(elsewhere)]
        return Result(data, "\n".join(told), 0 if elsewhere and elsewhere.hits else 1)
    shown = ["MEMORY.md:", *(f"  {printable(row)}" for row in section)] if section else []
    parts = ["\n".join([*shown, *([""] if shown and told else []), *told]), *_beside(beside[bool(first) :])]
    return output.make_result(data, [*parts, *_shared(elsewhere)])


def _begin_shared(options: Options, asked: str, types: Sequence[str], since: str) -> Search | None:
    if not options.shared and (types or since):
        raise BadCall("--type and --since", "are of the shared memory here", "add --shared")
    wanted = [search_results.parse_type(one) for one in types] or kinds.ENTRY_TYPES
    return shared_results.begin(options, asked, KNOWN, wanted, since)


def _finish_shared(far: Search | None, lines: list[list[Entry]], beside: list[Hit]) -> Shared | None:
    """Return what the shared memory knows besides, decisions first: who asks why asks for a decision."""
    local = [*(rows.make_row(entry) for line in lines for entry in line), *map(_hit, beside)]
    found = shared_results.finish(far, local)
    return found and found._replace(hits=sorted(found.hits, key=lambda hit: hit.type != kinds.DECISION))


def _shared(elsewhere: Shared | None) -> list[terminal.Part]:
    return ["\n".join(["", *shared_results.lines(elsewhere)])] if elsewhere else []


def _read_section(asked: str) -> list[str]:
    """Return the rows of the memory's section that the words ask for: the last sessions, known issues, key files …"""
    name, project = tiers.find_asked_section(asked), base.project()
    if not name or project is None:
        return []
    known = row_vetting.read_known(project, os.environ, ["MEMORY.md"]).texts
    facts = read_facts(page.parse(known.get("MEMORY.md", "")))
    if name == "files":
        facts["files"] = [row for row in facts["files"] if places.stands(project.root, row["path"])]
    rows = tiers.format_lines(facts, name)
    return rows[-SESSIONS:][::-1] if name == "log" else rows


def _lines(store: Store, asked: str, limit: int, best: list[Hit]) -> list[list[Entry]]:
    """Return the lines of decisions that were found, each once: the one that holds, then those before it.

    Decisions among the best entries answer; where none is among them, the best decisions there are.
    """
    lines = _load_lines(store, best)
    if len(best) < KNOWN or not lines or limit > DECISIONS:
        lines = _load_lines(store, search.search(store, asked, k=limit * 4, types=(kinds.DECISION,)).results)
    wanted = alternatives.find_products(asked)
    if wanted and not any(_names(entry, wanted) for line in lines for entry in line):
        others = _lines_of_alternatives(store, wanted, limit)
        known = {line[0].id for line in others}
        lines = [*others, *(line for line in lines if line[0].id not in known)]
    return lines[:limit]


def _names(entry: Entry, wanted: list[Mention]) -> bool:
    return not set(alternatives.find_products(entry.line)).isdisjoint(wanted)


def _load_lines(store: Store, hits: list[Hit]) -> list[list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries.load_by_numbers(store.connection, [hit.num for hit in hits if hit.type == "decision"]):
        line = history.load_chain(store, entry)
        found.setdefault(line[0].id, line)
    return list(found.values())


def _lines_of_alternatives(store: Store, wanted: list[Mention], limit: int) -> list[list[Entry]]:
    """Return the lines of decisions for another product that does the job of one that was asked for."""
    names = [name for one in wanted for name in alternatives.list_others(one)]
    lines = _load_lines(store, search.search(store, " ".join(names), k=limit * 4, types=("decision",)).results)
    jobs = {one.job for one in wanted}
    return [line for line in lines if jobs & {one.job for one in alternatives.find_products(line[0].content)}]


def _others(store: Store, asked: str, best: list[Hit]) -> tuple[Hit | None, list[Hit]]:
    """Return what else is known: entries of other kinds, then sections of the project's documents.

    The first of the two is what a search puts clearly before any decision, None where a decision is first.
    """
    found = search.search(store, asked, k=2 * BESIDE).results
    other = [hit for hit in found if hit.type != kinds.DECISION][:1]
    decided = max((hit.score for hit in found if hit.type == kinds.DECISION), default=0.0)
    first = other[0] if other and other[0].score > CLEARLY * decided else None
    known = [hit for hit in best if hit.type != kinds.DECISION]
    known += [hit for hit in found if hit.type != kinds.DECISION and hit.num not in {row.num for row in known}]
    beside = [*([first] if first else []), *(hit for hit in known if first is None or hit.num != first.num)]
    return first, beside[:BESIDE]


def _format_first(store: Store, first: Hit | None) -> list[str]:
    """Return what answers better than any decision, in full, with a line behind it."""
    if first is None:
        return []
    (entry,) = entries.load_by_numbers(store.connection, [first.num]) if first.id else [None]
    if entry is None:
        return [f"{printable(first.path)}:{first.start}", f"  {printable(first.snippet)}", ""]
    return [*_format_entry(entry), ""]


def _format_lines(lines: list[list[Entry]], since: dict[str, str]) -> list[str]:
    told: list[str] = []
    for entry, *before in lines:
        told += ["", *_format_entry(entry, since.get(entry.id, "")), *(f"  before  {_brief(one)}" for one in before)]
    return told[1:]


def _format_entry(entry: Entry, since: str = "") -> list[str]:
    """Return an entry as lines: what it says, how sure that is, its reason, files, origin, what changed since."""
    kind = "" if entry.type == "decision" else f"{entry.type}  "
    mark = entry.sure or ("" if entry.status == entries.ACTIVE else entry.status)
    state = f" [{printable(mark)}]" if mark else ""
    head = f"{printable(entry.id)}  {kind}{printable(entry.content)}{state}"
    facts = {**read.format_facts(entry), "since": since}
    return [head, *(f"  {name:<7} {value}" for name, value in facts.items() if value)]


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
