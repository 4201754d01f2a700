"""What is known about a goal before work on it begins: dead ends, antipatterns, corrections as rules, findings.

By the bounds of recall at a prompt (docs/recall.md): what does not clearly concern the goal is not named.
"""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from belay.context.recall import recall
from belay.core import kinds
from belay.core.plain_text import one_line, shown
from belay.core.text.tokens import estimate
from belay.core.tuples import NamedTuple
from belay.knowledge.entries import recallable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.knowledge.entries.hook_reader import RecalledEntry
    from belay.knowledge.entries.standards import Standard
    from belay.session.session import Session
    from belay.session.state_types import State

MISTAKE, CORRECTION = "mistake", "correction"
ORDER = (kinds.DEADEND, kinds.ANTIPATTERN, MISTAKE, kinds.FINDING)
CORRECTIONS = 2
"""Open corrections of the session that are named, the newest: they come before anything else."""


class KnownLine(NamedTuple):
    """One line on what is known: its kind, the id of its entry or capture, its words for Claude."""

    kind: str
    id: str
    text: str


def find_lines(session: Session, texts: Iterable[str], rules: Mapping[str, Standard], most: int) -> list[KnownLine]:
    """Return at most so many lines on what some texts are about: the first of each kind, then the second of each.

    `rules`: the corrections that became rules, by the ids of their entries.
    """
    groups: dict[str, list[KnownLine]] = {kind: [] for kind in ORDER}
    found = {row.id: row for text in texts for row in recall.find_entries(session, text)}
    for row in found.values():
        line = _make_line(row, rules.get(row.id))
        if line.kind in groups:
            groups[line.kind].append(line)
    ranked = [line for line in chain(*zip_longest(*groups.values())) if line]
    corrections = list_corrections(session.state)
    chosen = [*corrections, *ranked][:most]
    return sorted(chosen, key=lambda line: ORDER.index(line.kind) if line.kind in ORDER else -1)


def _make_line(row: RecalledEntry, rule: Standard | None) -> KnownLine:
    if rule is None:
        return KnownLine(row.type, row.id, recallable.format_line(row))
    return KnownLine(MISTAKE, row.id, f"Corrected before: {shown(rule.line, recallable.LINE_CHARS)}")


def list_corrections(state: State) -> list[KnownLine]:
    """Return a line for each of the newest open corrections of a session that stand in no memory file yet.

    The first line says how many more there are: an open preflight stands for all of them (docs/sentinel.md).
    """
    rows = [one for one in state["captures"].values() if kinds.CORRECTION in one["classes"] and not one.get("filed")]
    shown_rows, more = rows[-CORRECTIONS:], len(rows) - CORRECTIONS
    lines = [
        KnownLine(CORRECTION, row["id"], f"Open correction {row['id']}: {one_line(row['text'], recallable.LINE_CHARS)}")
        for row in shown_rows
    ]
    if more > 0:
        lines[0] = lines[0]._replace(text=f"{lines[0].text} (and {more} more: `belay buffer`)")
    return lines


def record_lines(session: Session, lines: Iterable[KnownLine]) -> None:
    """Record which entries were told, so that no prompt brings them again and their use is counted."""
    told = {line.id: estimate(line.text + "\n") for line in lines if line.kind in ORDER}
    if told:
        session.log("recalled", rows=[], entries=told)
