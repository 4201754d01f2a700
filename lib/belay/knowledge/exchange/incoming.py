"""knowledge.jsonl into the base: merged by id with the rows of the base; each change goes through the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from belay.core import clock
from belay.knowledge.entries.entries import FORGOTTEN
from belay.knowledge.exchange import export, json_rows, merge
from belay.knowledge.store import ledger

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.knowledge.exchange.json_rows import ParsedRows, Row
    from belay.knowledge.store.records import MergedRecord
    from belay.knowledge.store.store import Store


class Plan(NamedTuple):
    """What an import of rows would change: rows that are new, that differ from those of the base, and the rest."""

    new: list[Row]
    changed: list[Row]
    same: int
    both: list[tuple[str, str]]
    dropped: list[str]
    refused: list[tuple[int, str]]


def plan_import(store: Store, name: str, data: bytes) -> Plan:
    """Return what the file `name` would change; BadInput where git left a conflict in it."""
    parsed: ParsedRows = json_rows.parse_rows(name, data, clock.now())
    return plan_rows(export.load_rows(store), parsed.rows, parsed.refused)


def plan_rows(mine: Mapping[str, Row], given: Sequence[Row], refused: Sequence[tuple[int, str]] = ()) -> Plan:
    """Return what some rows would change in a base that has the rows `mine`."""
    merged = merge.merge_rows(mine, given)
    names = {str(row["id"]) for row in given} | {own for own, _ in merged.both}
    rows = {name: merged.rows[name] for name in sorted(names)}
    new = [row for name, row in rows.items() if name not in mine and row.get("status") != FORGOTTEN]
    changed = [row for name, row in rows.items() if name in mine and row != mine[name]]
    return Plan(new, changed, len(rows) - len(new) - len(changed), merged.both, merged.dropped, [*refused])


def describe_dropped(plan: Plan, where: str) -> list[str]:
    """Return a line for each entry whose two reasons are too long for one."""
    text = "has two reasons, too long for one entry: the newer is kept, the other is in"
    return [f"{name} {text} {where} or in the ledger." for name in plan.dropped]


def apply_plan(store: Store, plan: Plan, *, foreign: bool = True) -> None:
    """Write a plan into the ledger and fold it; what is new in it is `foreign`, or came back."""
    records = [_make_record(row, foreign=foreign) for row in plan.new]
    records += [_make_record(_forget(store, row) if row.get("status") == FORGOTTEN else row) for row in plan.changed]
    ledger.append_many(store.ledger, store.environ, records)
    store.fold()


def _make_record(row: Row, *, foreign: bool = False) -> MergedRecord:
    stamp = {"kind": "entry-put", "session": "", "of_session": row.get("session", "")}
    record = cast("MergedRecord", {**row, **stamp})
    if foreign:
        record["foreign"] = True
    return record


def _forget(store: Store, row: Row) -> Row:
    """Return the base's row as forgotten: the row of such an entry has no text of its own."""
    stored = store.get(str(row["id"]))
    return {**json_rows.make_row(stored._replace(status="active")), **row}
