"""`workshop stats`: what the knowledge base holds, what of it helped, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.cli import output, terminal
from belay.cli.knowledge import base, rows
from belay.cli.output import Result
from belay.core.plain_text import count, printable
from belay.knowledge.entries import entries, stats

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.entries.stats import Stats

MANY = 100
_LISTS = ("oldest_never", "useful", "unused", "costly")
_STATES = (entries.HEARD, entries.DONE, entries.SUPERSEDED, entries.FORGOTTEN)


@output.command("stats", examples="workshop stats\nworkshop stats --json")
def command() -> Result:
    """Count what is known, what of it helped, and what it costs. Never a guess: counters of recall and use."""
    with base.open_base() as store:
        found, path = stats.count_all(store), store.opened
    return output.make_result(_data(found, path), _parts(found, path))


def _data(found: Stats, path: str) -> dict[str, object]:
    lists = {name: [rows.make_row(one) for one in getattr(found, name)] for name in _LISTS}
    return {"path": path, **found._asdict(), **lists, "space": found.space._asdict()}


def _parts(found: Stats, path: str) -> list[terminal.Part]:
    space = found.space
    table = [
        ("Database", f"{printable(path)}, {_bytes(space.database)}{_each(found)}"),
        ("Ledger", _bytes(space.ledger)),
        ("Documents", _documents(found)),
        ("Entries", f"{found.active} that hold"),
        *((f"  {kind}", _states(states)) for kind, states in found.types.items()),
        ("Recalled", f"{found.active - found.never} of {found.active}, {count(found.tokens, 'token')} spent"),
    ]
    never = rows.make_table(found.oldest_never, indent=2)
    lists = {
        "Most useful": _used(found.useful),
        "Recalled and never used": _used(found.unused),
        "Most tokens": _used(found.costly),
        "Never recalled, the oldest": never,
    }
    titled = (part for title, listed in lists.items() if listed.rows for part in (f"\n{title}:", listed))
    return [terminal.Table(table), *titled]


def _each(found: Stats) -> str:
    """Return what an entry or section takes; of a few the empty database is most of it."""
    return f" ({_bytes(found.space.each)} an entry or section)" if found.active + found.sections >= MANY else ""


def _documents(found: Stats) -> str:
    if not found.indexed:
        return f"none indexed (`{output.program()} index` does it)"
    vectors = f", {count(found.vectors, 'vector')}" if found.vectors else ""
    without = f", {found.left_out} left out (`{output.program()} read files` says why)" if found.left_out else ""
    number = f"{found.documents} in {count(found.sections, 'section')}"
    return f"{number}{vectors}{without}; last run: {rows.format_age(found.indexed)}"


def _states(states: dict[str, int]) -> str:
    also = [f"{states[name]} {name}" for name in _STATES if states.get(name)]
    return ", ".join([str(states.get(entries.ACTIVE, 0)), *also])


def _used(some: list[Entry]) -> terminal.Table:
    """Return one row an entry, with what its recalls came to."""
    table = [
        (
            one.id,
            f"recalled {one.recalled}",
            f"used {one.used}",
            f"helpful {one.helpful}" if one.helpful else "",
            f"harmful {one.harmful}" if one.harmful else "",
            count(one.tokens, "token"),
            printable(one.content),
        )
        for one in some
    ]
    return terminal.Table(table, indent=2)


def _bytes(number: int) -> str:
    for unit in ("B", "KB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if number >= 10 or unit == "B" else f"{number:.1f} {unit}"
        number /= 1000  # type: ignore[assignment]
    return f"{number:.1f} GB"
