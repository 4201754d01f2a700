"""What was found by a prompt or an edit, told: still true, not told before in this session, no fact twice, short.

A row is told only while the memory file that it came from still holds it, an entry only as the base has it now. What is
told stands in the journal (`recalled`), whence the usefulness of entries is counted (docs/recall.md).
"""

from __future__ import annotations

from belay import atomic, compose, terms
from belay.constants import FILE_BYTES
from belay.loading import recall
from belay.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from belay.knowledge.glance import Glance, Row
    from belay.paths import Project
    from belay.session import Session

    Told = tuple[str, str]  # what it goes by in the journal, and its line

LINES = 3
"""What an edit brings at most, and how many entries a prompt does."""
ORDER = ("gotcha", "antipattern", "decision", "preference", "deadend", "unknown", "finding", "note", "goal")
"""Types of entries, what an edit should know first before the rest."""
_FIRST = ORDER[:2]
SAME = 0.6
"""Share of informative stems in common, at least, by which two lines are one fact (docs/recall.md)."""


def prompted(session: Session, data: bytes, numbers: list[int], found: dict[int, set[str]]) -> list[str]:
    """Return what is told of the rows and entries that a prompt is about."""
    entries = _looked(session, lambda glance: _asked(glance, found)) if found else []
    return _told(session, [*_rows(session, data, numbers), *_lines(session, entries)[:LINES]])


def edited(session: Session, data: bytes, numbers: list[int], places: list[str], name: str) -> list[str]:
    """Return what is told of a file: gotchas and antipatterns, then rows of the memory, then other entries."""
    entries = _looked(session, lambda glance: _best(glance.of_paths(places), places)) if places else []
    rows = _rows(session, data, numbers)
    first = [entry for entry in entries if entry.type in _FIRST and not entry.doubtful]
    rest = [entry for entry in entries if entry not in first]
    return _told(session, [*_lines(session, first), *rows, *_lines(session, rest)], LINES, file=name)


def _looked(session: Session, look: Callable[[Glance], list[Row]]) -> list[Row]:
    """Return what a look at the base finds; whatever keeps it from that is for the log, and tells nothing."""
    from belay.knowledge import glance

    with glance.Glance(session.project.workshop, session.environ) as opened:
        rows = look(opened)
        if opened.why:
            from belay import log

            log.note(f"recall: {session.project.workshop} {opened.why}", session.environ)
        return rows


def _asked(glance: Glance, found: dict[int, set[str]]) -> list[Row]:
    """Return the entries that hold the very terms that were looked up: the index knows them by their hashes."""
    from belay.loading import lookup

    rows = [row for row in glance.of_numbers(list(found)) if not row.spent]
    return [row for row in rows if found[row.num] <= {stem for _, stem in lookup.stems(glance.terms(row))}]


def _best(rows: list[Row], places: list[str]) -> list[Row]:
    """Return the entries of a file, each once: those that never helped last, then by type, nearness, use and age."""
    order = {kind: at for at, kind in enumerate(ORDER)}
    rows.sort(key=lambda row: row.updated, reverse=True)
    rows.sort(
        key=lambda row: (
            row.doubtful,
            order.get(row.type, len(order)),
            places.index(row.files[0]),
            -(row.used + row.helpful),
        )
    )
    return list({row.id: row for row in reversed(rows)}.values())[::-1]


def _lines(session: Session, rows: list[Row]) -> list[Told]:
    """Return (id, line) of the entries that this session was not told yet."""
    from belay.knowledge import recallable

    before = set(session.state["recalled"])
    return [(row.id, recallable.line(row)) for row in rows if row.id not in before]


def _rows(session: Session, data: bytes, numbers: list[int]) -> list[Told]:
    """Return (crc, line) of rows of the memory by their numbers, those left out that were told or no longer stand."""
    if not numbers:
        return []
    from belay.loading import sealed

    values = sealed.opened(session.environ, data)
    if len(values) != 2:
        return []
    rows = [values[1]["rows"][number] for number in numbers]
    before = set(session.state["recalled"])
    fresh = [row for row in rows if recall.crc(row[0]) not in before]
    fresh = _standing(session.project, values[1]["layers"], fresh) if fresh else []
    return [(recall.crc(row[0]), row[0]) for row in fresh]


def _standing(project: Project, layers: dict[str, Any], rows: list[list[str]]) -> list[list[str]]:
    """Return the rows that the memory files still hold; the files are read only if they changed since."""
    if all(recall.stamp(project, name) == seen for name, seen in layers.items()):
        return rows
    lines = set()
    for name in layers:
        text = atomic.read(project.at(name), FILE_BYTES).decode("utf-8", "replace")
        lines |= {line.strip() for line in text.split("\n")}
    return [row for row in rows if row[1] in lines]


def _told(session: Session, found: list[Told], most: int = 0, **fields: str) -> list[str]:
    """Return as many lines as the budget holds, none that says what one before it says; note them as told."""
    kept: list[Told] = []
    costs: dict[str, int] = {}
    room = recall.TOKENS - estimate(compose.fence("")) if found else 0
    for name, line in found:
        if (most and len(kept) == most) or any(_same(line, text) for _, text in kept):
            continue
        cost = estimate(line + "\n")
        if cost <= room:
            room -= cost
            kept.append((name, line))
            costs[name] = cost
    if kept:
        rows = [name for name, line in kept if name == recall.crc(line)]
        entries = {name: cost for name, cost in costs.items() if name not in rows}
        session.log("recalled", rows=rows, entries=entries, **fields)
    return [line for _, line in kept]


def _same(one: str, other: str) -> bool:
    """Whether two lines tell the same fact; `knowledge.alike` judges finer, and costs a hook 7 ms to load."""
    pairs = (
        (one, other),
        (one.partition(": ")[2], other),
        (one.partition(": ")[2], other.partition(": ")[2]),
    )
    return any(_alike(mine, theirs) for mine, theirs in pairs if mine and theirs)


def _alike(one: str, other: str) -> bool:
    mine, theirs = set(terms.informative(one)), set(terms.informative(other))
    much = len(mine & theirs) >= SAME * len(mine | theirs)
    return much and bool(mine) and terms.fixed(one) == terms.fixed(other)
