"""A knowledge base and its copy for other machines: what is new goes there, what was forgotten goes there too.

The local base is the source: what comes back is merged as an import, by id (`exchange.merge`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.entries.entries import FORGOTTEN
from belay.knowledge.exchange import export
from belay.knowledge.search import sections
from belay.knowledge.sync import points
from belay.knowledge.sync.points import Draft, Point, Sender

if TYPE_CHECKING:
    from belay.knowledge.store.store import Store
    from belay.knowledge.sync.remote import Known, Remote


class Plan(NamedTuple):
    """What a sync would do: points to send, ids of points to take away, points that are the same."""

    send: list[Point]
    drop: list[str]
    same: int


def make_plan(store: Store, sender: Sender, known: dict[str, Known]) -> Plan:
    """Compare the base with what the server holds of this project.

    Taken away is what this user sent and has no more, and whatever is forgotten here; what others sent stays.
    """
    rows = export.load_rows(store)
    project = sender.project
    forgotten = {points.make_point_id(project, name) for name, row in rows.items() if row.get("status") == FORGOTTEN}
    drafts = [points.draft_entry(sender, row) for row in rows.values() if row.get("status") != FORGOTTEN]
    drafts += [points.draft_section(sender, one) for one in sections.load_sections(store.connection)]
    own = {draft.id: draft for draft in drafts}
    made = (_make_news(draft, known.get(draft.id), sender) for draft in own.values())
    send = [point for point in made if point]
    by = sender.by
    drop = [name for name, there in known.items() if name in forgotten or (there.by == by and name not in own)]
    return Plan(send, drop, len(own) - len(send))


def _make_news(draft: Draft, there: Known | None, sender: Sender) -> Point | None:
    """Return the point that the server lacks, has with another content, or without a vector where we have one.

    Tables of word pieces differ between versions: which of two is there does not matter, or two people would send
    the same point in turn for ever.
    """
    if there is None or there.hash != draft.hash:
        return draft.make()
    if there.table or not sender.usable_encoder:
        return None
    point = draft.make()
    return point if point.payload["table"] else None


def push(remote: Remote, plan: Plan) -> None:
    """Carry a plan out; doing it again changes nothing."""
    remote.ready()
    remote.drop(plan.drop)
    remote.send(plan.send)


def load_lines(remote: Remote) -> bytes:
    """Return what the server holds as knowledge.jsonl, to be checked and merged like any other."""
    return "".join(json.dumps(row) + "\n" for row in remote.rows()).encode()
