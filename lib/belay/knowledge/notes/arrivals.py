"""Entries that came with git notes: this user's own are taken in, those of others wait until they are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from belay.core import clock
from belay.knowledge.entries import states
from belay.knowledge.entries.entries import FORGOTTEN
from belay.knowledge.exchange import export, incoming, json_rows
from belay.knowledge.notes import entry_lines
from belay.knowledge.store import database_file
from belay.knowledge.store.database import Missing
from belay.knowledge.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.exchange.incoming import Plan
    from belay.knowledge.exchange.json_rows import Row
    from belay.knowledge.notes.entry_lines import Line

NOBODY = "somebody else"
NEW, CHANGED, TAKEN_BACK = "new", "changed", "taken back"


class Arrival(NamedTuple):
    """An entry of another person that waits: how the base would have it, its line, and what it changes."""

    row: Row
    line: Line
    what: str


def load_rows(project: Project, environ: Mapping[str, str]) -> dict[str, Row]:
    """Return the rows of a project's base, {} where there is none. Raises BelayError."""
    if not database_file.has_data(project.workshop):
        return {}
    try:
        with Store(project.workshop, environ) as store:
            return export.load_rows(store)
    except Missing:
        return {}


def find_waiting(mine: Mapping[str, Row], lines: Sequence[Line]) -> list[Arrival]:
    """Return the entries of others that say what a base does not, the newest first.

    Where two people gave one id to two texts, both are there, the older one under an id of its own.
    """
    foreign = [line for line in lines if not line.own]
    plan = _select_news(mine, incoming.plan_rows(mine, [line.row for line in foreign]))
    latest, others = entry_lines.find_latest(foreign), dict(plan.both)
    found = []
    for row in (*plan.new, *plan.changed):
        line = latest[others.get(str(row["id"]), str(row["id"]))]
        what = NEW if row["id"] not in mine else TAKEN_BACK if row.get("status") == FORGOTTEN else CHANGED
        found.append(Arrival(_label(row, line), line, what))
    return sorted(found, key=lambda one: (str(one.row.get("updated", "")), str(one.row["id"])), reverse=True)


def _select_news(mine: Mapping[str, Row], plan: Plan) -> Plan:
    """Return a plan without rows that only count or come from elsewhere."""
    changed = [row for row in plan.changed if entry_lines.is_news(row, mine.get(str(row["id"])))]
    return plan._replace(changed=changed)


def _label(row: Row, line: Line) -> Row:
    """Return a row with the person who wrote it as its source."""
    source = str(row.get("source", ""))
    if states.is_person(source):
        return row
    return cast("Row", {**row, "source": states.PERSON + (line.who or NOBODY)})


def accept(store: Store, waiting: Iterable[Arrival]) -> int:
    """Take entries of others into the base, each labelled with its person; return how many."""
    rows = [one.row for one in waiting]
    mine = export.load_rows(store)
    new = [row for row in rows if str(row["id"]) not in mine]
    changed = [row for row in rows if str(row["id"]) in mine]
    incoming.apply_plan(store, incoming.Plan(new, changed, 0, [], [], []))
    return len(rows)


def take_own(store: Store, lines: Sequence[Line]) -> int:
    """Take this user's own entries into the base, where it does not have them as they are; return how many."""
    mine = export.load_rows(store)
    checked = [json_rows.check_row(dict(line.row), clock.now()) for line in lines if line.own]  # by today's rules
    plan = _select_news(mine, incoming.plan_rows(mine, [row for row in checked if not isinstance(row, str)]))
    incoming.apply_plan(store, plan, foreign=False)
    return len(plan.new) + len(plan.changed)


def select(waiting: Sequence[Arrival], ids: Collection[str]) -> tuple[list[Arrival], list[str]]:
    """Return the waiting entries of some ids, and the ids of which none waits."""
    names = {one.upper() for one in ids}
    chosen = [one for one in waiting if str(one.row["id"]) in names]
    return chosen, sorted(names - {str(one.row["id"]) for one in chosen})
