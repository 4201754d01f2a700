"""What was found by a prompt or an edit, told: still true, not told before in this session, no fact twice, short.

A row is told only while the memory file that it came from still holds it, an entry only as the base has it now. What is
told stands in the journal (`recalled`), whence the usefulness of entries is counted (docs/recall.md).
"""

from __future__ import annotations

import os

from belay.context.recall import signed_files
from belay.core import files, kinds, plain_text, terms
from belay.core.constants import FILE_BYTES, RECALL_TOKENS
from belay.core.errors import LockTimeout
from belay.core.lock import hold
from belay.core.text import composer
from belay.core.text.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from belay.core.paths import Project
    from belay.knowledge.entries.hook_reader import HookReader, RecalledEntry
    from belay.session.session import Session

    Told = tuple[str, str]  # what it goes by in the journal, and its line
    Known = tuple[str, frozenset[str]]  # what a line says, and its stems

LINES = 3
"""What an edit brings at most, and how many entries a prompt does."""
ORDER = (
    kinds.GOTCHA, kinds.ANTIPATTERN, kinds.DECISION, kinds.PREFERENCE, kinds.DEADEND, kinds.UNKNOWN, kinds.FINDING,
    kinds.NOTE, kinds.GOAL,
)  # fmt: skip
"""Types of entries, what an edit should know first before the rest."""
_FIRST = ORDER[:2]
LOOKED_BACK = 60
"""What was told last in a session, with which a new line is compared."""
WAIT = 0.2
"""Seconds that one waits for another that tells."""
NEAR = 0.6
"""Share of informative stems in common, at least, from which two lines are compared (docs/recall.md)."""


def prompted(session: Session, data: bytes, numbers: list[int], found: dict[int, set[str]]) -> list[str]:
    """Return what is told of the rows and entries that a prompt is about."""
    entries = _looked(session, lambda glance: _asked(glance, found)) if found else []
    return _told(session, data, [*_rows(session, data, numbers), *_lines(session, entries)])


def edited(session: Session, data: bytes, numbers: list[int], places: list[str], name: str) -> list[str]:
    """Return what is told of a file: gotchas and antipatterns, then rows of the memory, then other entries."""
    entries = _looked(session, lambda glance: _best(glance.load_by_paths(places), places)) if places else []
    rows = _rows(session, data, numbers)
    first = [entry for entry in entries if entry.type in _FIRST and not entry.is_doubtful]
    rest = [entry for entry in entries if entry not in first]
    return _told(session, data, [*_lines(session, first), *rows, *_lines(session, rest)], LINES, file=name)


def _looked(session: Session, look: Callable[[HookReader], list[RecalledEntry]]) -> list[RecalledEntry]:
    """Return what a look at the base finds; whatever keeps it from that is for the log, and tells nothing."""
    from belay.knowledge.entries import hook_reader as glance

    with glance.HookReader(session.project.workshop, session.environ) as opened:
        rows = look(opened)
        if opened.why:
            from belay.safety import log

            log.log_note(f"recall: {session.project.workshop} {opened.why}", session.environ)
        return rows


def _asked(glance: HookReader, found: dict[int, set[str]]) -> list[RecalledEntry]:
    """Return the entries that hold the very terms that were looked up: the index knows them by their hashes."""
    from belay.context.recall import lookup

    rows = [row for row in glance.load_by_numbers(list(found)) if not row.spent]
    return [row for row in rows if found[row.num] <= {stem for _, stem in lookup.stems(glance.terms(row))}]


def _best(rows: list[RecalledEntry], places: list[str]) -> list[RecalledEntry]:
    """Return the entries of a file, each once: those that never helped last, then by type, nearness, use and age."""
    order = {kind: at for at, kind in enumerate(ORDER)}
    rows.sort(key=lambda row: row.updated, reverse=True)
    rows.sort(
        key=lambda row: (
            row.is_doubtful,
            order.get(row.type, len(order)),
            places.index(row.files[0]),
            -(row.used + row.helpful),
        )
    )
    return list({row.id: row for row in reversed(rows)}.values())[::-1]


def _lines(session: Session, rows: list[RecalledEntry]) -> list[Told]:
    """Return (id, line) of the entries that this session was not told yet."""
    from belay.knowledge.entries import recallable

    before = set(session.state["recalled"])
    return [(row.id, recallable.format_line(row)) for row in rows if row.id not in before]


def _rows(session: Session, data: bytes, numbers: list[int]) -> list[Told]:
    """Return (crc, line) of rows of the memory by their numbers, those left out that were told or no longer stand."""
    if not numbers:
        return []
    values = signed_files.opened(session.environ, data)
    if len(values) != 2:
        return []
    rows = [values[1]["rows"][number] for number in numbers]
    before = set(session.state["recalled"])
    fresh = [row for row in rows if plain_text.checksum(row[0]) not in before]
    fresh = _standing(session.project, values[1]["layers"], fresh) if fresh else []
    return [(plain_text.checksum(row[0]), row[0]) for row in fresh]


def _standing(project: Project, layers: dict[str, Any], rows: list[list[str]]) -> list[list[str]]:
    """Return the rows that the memory files still hold; the files are read only if they changed since."""
    if all(files.stamp(project.at(name)) == seen for name, seen in layers.items()):
        return rows
    lines = set()
    for name in layers:
        text = files.read(project.at(name), FILE_BYTES).decode("utf-8", "replace")
        lines |= {line.strip() for line in text.split("\n")}
    return [row for row in rows if row[1] in lines]


def lock(project: Project) -> str:
    """Return the file whose holder looks what was told and tells: edits of one answer come at once."""
    return os.path.join(project.states, "telling.lock")


def _told(session: Session, data: bytes, found: list[Told], most: int = 0, file: str = "") -> list[str]:
    """Return what is told of what was found, and note it; nothing where others keep the lock for long."""
    if not found:
        return []
    try:
        with hold(lock(session.project), WAIT):
            session.reload()
            before = set(session.state["recalled"])
            fresh = [one for one in found if one[0] not in before]
            return _chosen(session, data, fresh, most, file) if fresh else []
    except (LockTimeout, OSError):
        return []


def _chosen(session: Session, data: bytes, found: list[Told], most: int, file: str = "") -> list[str]:
    """Return as many lines as the budget holds, none that says what one before it says; note them as told.

    Of entries LINES at most, of all lines `most` (0: as many as fit).
    """
    kept: list[Told] = []
    costs: dict[str, int] = {}
    said = _before(session, data)
    room = RECALL_TOKENS - estimate(composer.fence(""))
    for name, line in found:
        if len(kept) == most > 0 or (len(costs) == LINES and not _is_row(name, line)):
            continue
        matter, cost = _matter(line), estimate(line + "\n")
        if cost <= room and not _echoes(matter, said):
            room -= cost
            kept.append((name, line))
            said.append(matter)
            if not _is_row(name, line):
                costs[name] = cost
    if kept:
        rows = [name for name, line in kept if _is_row(name, line)]
        if file:
            session.log("recalled", rows=rows, entries=costs, file=file)
        else:
            session.log("recalled", rows=rows, entries=costs)
    return [line for _, line in kept]


def _is_row(name: str, line: str) -> bool:
    """Whether a line goes by its crc: a row of the memory; an entry goes by its id."""
    return name == plain_text.checksum(line)


def _before(session: Session, data: bytes) -> list[Known]:
    """Return what this session was told before, as far as it can still be found."""
    names = dict.fromkeys(session.state["recalled"][-LOOKED_BACK:])
    ids = [name for name in names if "-" in name]
    entries = _looked(session, lambda glance: glance.load_by_ids(ids)) if ids else []
    values = signed_files.opened(session.environ, data) if len(ids) < len(names) else []
    rows = (
        [row[0] for row in values[1]["rows"] if plain_text.checksum(row[0]) in names]
        if len(values) == 2
        else []
    )
    return [*(_known(row.line) for row in entries), *map(_matter, rows)]


def _matter(line: str) -> Known:
    """Return what a line says, without "Gotcha `a.py`: " before it."""
    return _known(line.partition(": ")[2] or line)


def _known(text: str) -> Known:
    return text, frozenset(terms.informative(text))


def _echoes(line: Known, said: list[Known]) -> bool:
    """Whether a line says what was said; `duplicates`, which judges, is loaded for what shares most words."""
    text, stems = line
    near = (other for other, known in said if len(stems & known) >= NEAR * len(stems | known) > 0)
    return any(_judged(text, other) for other in near)


def _judged(text: str, told: str) -> bool:
    from belay.core.text import duplicates

    return duplicates.covers(told, text) or duplicates.covers(text, told)
