"""`workshop delete`, `clean` and `clear`: entries are forgotten, recorded, and brought back on request."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.knowledge import base, change, consent
from belay.cli.output import Result
from belay.cli.workshop import lists
from belay.core import clock, kinds
from belay.core.errors import BadCall, BadInput
from belay.core.plain_text import count, shown
from belay.knowledge.entries import entries, forgetting, ids, insights

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

ASKED = 50
"""Entries that `clean` asks about at most."""
TEXT_CHARS = 100
_UNITS = {"d": 1, "day": 1, "days": 1, "w": 7, "week": 7, "weeks": 7, "m": 30, "month": 30, "months": 30}
"""Days of each unit; a month is counted as 30 days."""
_type = click.option("-t", "--type", "kind", type=click.Choice(kinds.ENTRY_TYPES), help="Only entries of a type.")


@output.command("delete", examples="workshop delete K-ABCDEF\nworkshop delete last")
@consent.option
@click.argument("entry_id", metavar="ID")
def delete(entry_id: str, yes: bool) -> Result:
    """Forget one entry, or the `last` one. `forget --undo ID` brings it back."""
    with base.open_base() as store:
        is_last = entry_id.lower() == forgetting.LAST
        found = _find_last(store) if is_last else ids.find_entry(store, entry_id)
        asks = is_last or sys.stdin.isatty()
        if asks and not consent.ask(f"Forget {found.type} {found.id} “{shown(found.content, TEXT_CHARS)}”?", yes):
            return consent.refused()
        return change.forget_entries(store, [found])


def _find_last(store: Store) -> Entry:
    found = sorted(_list_own(store, None), key=lambda one: (one.created, one.num))
    if not found:
        raise BadInput(forgetting.LAST, "names nothing", "no entry is recorded")
    return found[-1]


def _list_own(store: Store, kind: str | None) -> list[Entry]:
    """Return the active entries, of a type or of all; rules go with their lines in their files."""
    found = entries.list_entries(store.connection, (kind,) if kind else (), limit=-1)
    return [one for one in found if not one.id.startswith(insights.HEAD)]


@output.command("clean", examples="workshop clean\nworkshop clean -t note -d 30")
@_type
@lists.days_option
def clean(kind: str | None, days: int) -> Result:
    """Ask about each entry of the last days. Those that you say yes to are forgotten."""
    with base.open_base() as store:
        own = {one.id for one in _list_own(store, kind)}
        found = [one for one in lists.load_recorded(store, days) if one.id in own]
        if not found:
            return Result({"changed": []}, f"Nothing was recorded in the last {count(days, 'day')}.")
        chosen = _choose(found[:ASKED])
        result = change.forget_entries(store, chosen) if chosen else Result({"changed": []}, "Nothing was forgotten.")
    left = len(found) - ASKED
    more = f"\n{count(left, 'older entry', 'older entries')} were not asked about." if left > 0 else ""
    return result._replace(text=result.text + more)


def _choose(found: list[Entry]) -> list[Entry]:
    """Ask about one entry after the other; the end of the input, or Ctrl-C, ends the questions."""
    chosen = []
    for number, one in enumerate(found, 1):
        click.echo(f"{number} of {len(found)}: {one.type} {one.id} “{shown(one.content, TEXT_CHARS)}”", err=True)
        try:
            if click.confirm("  Forget it?", default=False, err=True):
                chosen.append(one)
        except click.Abort:
            click.echo(err=True)
            break
    return chosen


@output.command(
    "clear",
    examples="""
    workshop clear 2026-01-31
    workshop clear "30 days ago" -t note
    workshop forget --undo last
    """,
)
@_type
@consent.option
@click.argument("before", metavar="DATE", nargs=-1, required=True)
def clear(before: tuple[str, ...], kind: str | None, yes: bool) -> Result:
    """Forget the entries made before a date, or so long ago. `forget --undo last` brings them back."""
    until = parse_time(" ".join(before))
    with base.open_base() as store:
        found = [one for one in _list_own(store, kind) if one.created < until]
        what = f" {kind}" if kind else ""
        if not found:
            return Result({"changed": []}, f"There is no{what or ' entry'} from before {until[:10]}.")
        said = count(len(found), f"{kind or 'entry'}", kinds.PLURALS[kind] if kind else "entries")
        if not consent.ask(f"Forget {said} from before {until[:10]}?", yes):
            return consent.refused()
        return change.forget_entries(store, found)


def parse_time(given: str) -> str:
    """Return a UTC time of the form of the journal's, or a date: `2026-01-31`, `30 days ago`, `2w`; else BadCall."""
    words = given.lower().split()
    if len(words) == 3 and words[2] == "ago":
        number, unit = words[:2]
    else:
        number, unit = given.strip()[:-1], given.strip()[-1:]
    if unit in _UNITS and number.isdecimal() and int(number) * _UNITS[unit] < 365 * 100:
        return clock.days_before(clock.now(), int(number) * _UNITS[unit])
    try:
        return date.fromisoformat(given.strip()).isoformat()
    except ValueError:
        raise BadCall(shown(given, 40), "is not a date", "write 2026-01-31, or “30 days ago”") from None
