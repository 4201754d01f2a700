"""`workshop preferences`, `state`, `summary` and `info`: short views of the entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base, goal, rows
from belay.cli.output import Result
from belay.core import clock, kinds
from belay.core.constants import VERSION
from belay.core.plain_text import count, printable
from belay.knowledge.entries import entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

DAYS, NEWEST = 7, 5
days_option = click.option(
    "-d", "--days", type=click.IntRange(1, 36500), default=DAYS, show_default=True, help="So many days back."
)


@output.command("preferences", examples="workshop preferences")
def preferences() -> Result:
    """Show all preferences, by category. A preference's first tag is its category."""
    with base.open_base() as store:
        found = entries.list_entries(store.connection, (kinds.PREFERENCE,), limit=-1)
    data = {"what": kinds.PLURALS[kinds.PREFERENCE], "entries": [rows.make_row(one) for one in found]}
    return output.make_result(data, make_preference_parts(found) or ["There are no preferences yet."])


def make_preference_parts(found: Sequence[Entry]) -> list[terminal.Part]:
    """Return preferences under the names of their categories; those without one come last."""
    names = sorted({one.tags[0] for one in found if one.tags}, key=str.casefold)
    parts: list[terminal.Part] = []
    for name in [*names, ""]:
        some = [one for one in found if (one.tags[0] if one.tags else "") == name]
        if some:
            parts += [_make_heading(name, bool(names)), rows.make_table(some, typed=False, indent=2)]
    return [part for part in parts if part]


def _make_heading(name: str, is_named: bool) -> str:
    if not name:
        return "Without a category:" if is_named else "Preferences:"
    return f"{printable(name).replace('_', ' ').capitalize()}:"


@output.command("state", examples="workshop state")
def state() -> Result:
    """Show what is open: goals, next steps, blockers."""
    with base.open_base() as store:
        goals, steps, blockers = load_state(store)
    data = {"goals": _rows(goals), "next_steps": _rows(steps), "blockers": _rows(blockers)}
    return output.make_result(
        data, make_state_parts(goals, steps, blockers) or ["No goal, next step or blocker is open."]
    )


def load_state(store: Store) -> tuple[list[Entry], list[Entry], list[Entry]]:
    """Return the open goals, the open next steps, and the notes of what blocks."""
    found = goal.load_goals(store)
    notes = entries.list_entries(store.connection, (kinds.NOTE,), limit=-1)
    blockers = [one for one in notes if kinds.BLOCKER in one.tags]
    return [one for one in found if not goal.is_step(one)], [one for one in found if goal.is_step(one)], blockers


def make_state_parts(goals: Sequence[Entry], steps: Sequence[Entry], blockers: Sequence[Entry]) -> list[terminal.Part]:
    """Return what is open under three headings, those left out that have nothing."""
    titled = {"Goals:": goals, "Next steps:": steps, "Blockers:": blockers}
    return [
        part
        for title, found in titled.items()
        if found
        for part in (title, rows.make_table(found, typed=False, indent=2))
    ]


def _rows(found: Sequence[Entry]) -> list[dict[str, object]]:
    return [rows.make_row(one) for one in found]


def load_recorded(store: Store, days: int) -> list[Entry]:
    """Return the active entries that were made in the last so many days, the newest first."""
    since = clock.days_before(clock.now(), days)
    found = entries.list_entries(store.connection, limit=-1, since=since)
    return sorted((one for one in found if one.created >= since), key=lambda one: one.created, reverse=True)


@output.command("summary", examples="workshop summary\nworkshop summary -d 30")
@days_option
def summary(days: int) -> Result:
    """Count what was recorded lately. The newest entries are shown."""
    with base.open_base() as store:
        found = load_recorded(store, days)
    types = {kind: number for kind in kinds.ENTRY_TYPES if (number := sum(one.type == kind for one in found))}
    data = {"days": days, "total": len(found), "types": types, "entries": _rows(found[:NEWEST])}
    span = f"the last {count(days, 'day')}"
    if not found:
        return Result(data, f"Nothing was recorded in {span}.")
    table = [(kinds.entry_words(kind)[1], str(number)) for kind, number in types.items()]
    head = f"{count(len(found), 'entry', 'entries')} of {span}:"
    return output.make_result(
        data, [head, terminal.Table(table, indent=2), "\nThe newest:", rows.make_table(found[:NEWEST], indent=2)]
    )


@output.command("info", examples="workshop info")
def info() -> Result:
    """Show the database and how much is in it. `stats` counts more."""
    place = base.place()
    with base.open_base() as store:
        number = len(entries.list_entries(store.connection, limit=-1))
        goals, steps, _ = load_state(store)
    data = {
        "version": VERSION, "path": place.path, "rule": place.rule,
        "entries": number, "goals": len(goals), "next_steps": len(steps),
    }  # fmt: skip
    table = [
        ("Version", f"{VERSION} (Belay)"),
        ("Database", printable(place.path)),
        ("Entries", f"{number} active"),
        ("Goals", f"{len(goals)} open"),
        ("Next steps", f"{len(steps)} open"),
    ]
    return output.make_result(data, [terminal.Table(table)])
