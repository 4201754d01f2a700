"""A knowledge base and its copy for other machines: what is new goes there, what was forgotten goes there too.

The local base is the source: what comes back is merged as an import, by id (`exchange.merge`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from belay.core import signatures
from belay.knowledge.entries.entries import FORGOTTEN
from belay.knowledge.exchange import export
from belay.knowledge.search import sections
from belay.knowledge.sync import points
from belay.knowledge.sync.points import EIDETIC, MEMORY, Point

if TYPE_CHECKING:
    from belay.knowledge.store.store import Store
    from belay.knowledge.sync.remote import Remote


class Plan(NamedTuple):
    """What a sync would do: points to send, points to take away with their collections, points that are the same."""

    send: list[Point]
    drop: dict[str, str]
    same: int


def make_plan(store: Store, project: str, known: dict[str, tuple[str, str, str]]) -> Plan:
    """Compare the base with what the server holds.

    Taken away is what this user sent and has no more, and whatever is forgotten here; what others sent stays.
    """
    by = signatures.sign_name(store.environ, "shared store")
    rows = export.load_rows(store)
    forgotten = {points.make_point_id(project, name) for name, row in rows.items() if row.get("status") == FORGOTTEN}
    all_points = [points.make_entry_point(project, row, by) for row in rows.values() if row.get("status") != FORGOTTEN]
    all_points += [points.make_section_point(project, one, by) for one in sections.load_sections(store.connection)]
    own = {point.id: point for point in all_points}
    send = [one for one in own.values() if known.get(one.id, ("", "", ""))[:2] != (one.collection, one.payload["hash"])]
    drop = {
        name: where for name, (where, _, sender) in known.items()
        if name in forgotten or (sender == by and name not in own) or (name in own and own[name].collection != where)
    }  # fmt: skip
    return Plan(send, drop, len(own) - len(send))


def push(remote: Remote, plan: Plan) -> None:
    """Carry a plan out; doing it again changes nothing."""
    remote.ready()
    remote.drop(plan.drop)
    remote.send(plan.send)


def load_lines(remote: Remote) -> bytes:
    """Return what the server holds as knowledge.jsonl, to be checked and merged like any other."""
    return "".join(json.dumps(row) + "\n" for row in remote.rows((MEMORY, EIDETIC))).encode()
