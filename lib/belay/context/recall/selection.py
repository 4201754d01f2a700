"""Selects what is shown of rows and entries that were found: still true, new to this session, no fact twice, short.

A row is shown only while its memory file still has it, an entry only as the base has it now. What is shown is recorded
in the journal (`recalled`); from there the usefulness of entries is counted (docs/recall.md).
"""

from __future__ import annotations

import os

from belay.context.recall import signed_files, statements
from belay.core import files, kinds, plain_text, terms
from belay.core.constants import FILE_BYTES, RECALL_TOKENS
from belay.core.errors import LockTimeout
from belay.core.lock import hold
from belay.core.text import composer
from belay.core.text.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from belay.context.recall.lookup import Matches
    from belay.core.paths import Project
    from belay.knowledge.entries.hook_reader import HookReader, RecalledEntry
    from belay.session.session import Session

    Line = tuple[str, str]  # its id in the journal, and its text

LINES = 3
"""Lines for an edit at most, and entries for a prompt."""
ORDER = (
    kinds.GOTCHA, kinds.ANTIPATTERN, kinds.DECISION, kinds.PREFERENCE, kinds.DEADEND, kinds.UNKNOWN, kinds.FINDING,
    kinds.NOTE, kinds.GOAL,
)  # fmt: skip
"""Types of entries, the most important for an edit first."""
_FIRST = ORDER[:2]
PREFERENCE_TERMS = 2
"""Terms of a preference that a prompt has, at least: many prompts say "commit", and few ask for what is preferred."""
LOOKED_BACK = 60
"""So many lines that were shown last in a session are compared with a new one."""
NEAR_COSINE = 0.5
"""Cosine of a prompt and an entry that nearly shares enough words, from which the entry comes (bench/results.md)."""
WAIT = 0.2
"""Seconds to wait for another hook that selects."""


def select_for_prompt(
    session: Session, data: bytes, numbers: list[int], matches: Matches, nearly: Matches, text: str
) -> list[str]:
    """Return the lines on what a prompt is about."""
    entries = find_entries(session, matches, nearly, text) if matches or nearly else []
    return _choose_and_record(session, data, [*_new_rows(session, data, numbers), *_new_entries(session, entries)])


def find_entries(session: Session, matches: Matches, nearly: Matches, text: str) -> list[RecalledEntry]:
    """Return the entries that a text is about, those heard only behind the others.

    Of entries that nearly share enough words: those near in meaning, and decisions for a product that a choice names.
    """

    def look(glance: HookReader) -> list[RecalledEntry]:
        near = choose_near(glance.compare(text, list(nearly))) if nearly else []
        near += [number for number in _find_choices(glance, nearly, text) if number not in near] if nearly else []
        return _entries_with_terms(glance, {**matches, **{number: nearly[number] for number in near}}, near)

    return _look_up(session, look)


def select_for_file(
    session: Session, data: bytes, numbers: list[int], places: list[str], name: str, *, reads: bool = False
) -> list[str]:
    """Return the lines on a file: gotchas and antipatterns, then rows of the memory, then other entries."""
    if reads and name in session.state["recalled_files"]:
        return []
    entries = _look_up(session, lambda glance: _rank_entries(glance.load_by_paths(places), places)) if places else []
    rows = _new_rows(session, data, numbers)
    first = [entry for entry in entries if entry.type in _FIRST and not entry.is_doubtful]
    rest = [entry for entry in entries if entry not in first]
    return _choose_and_record(
        session, data, [*_new_entries(session, first), *rows, *_new_entries(session, rest)], LINES, file=name
    )


def list_antipatterns(session: Session, places: list[str]) -> list[Line]:
    """Return (id, line) of the antipatterns on a file that were confirmed, the nearest first."""
    from belay.knowledge.entries import recallable, states

    rows = _look_up(session, lambda glance: _rank_entries(glance.load_by_paths(places), places))
    sure = [row for row in rows if not row.is_doubtful and row.status != states.HEARD]
    return [(row.id, recallable.format_line(row)) for row in sure if row.type == kinds.ANTIPATTERN]


def _look_up(session: Session, look: Callable[[HookReader], list[RecalledEntry]]) -> list[RecalledEntry]:
    """Return what a look at the base finds; an error goes into the log, and nothing is shown."""
    from belay.knowledge.entries import hook_reader as glance

    with glance.HookReader(session.project.workshop, session.environ) as opened:
        rows = look(opened)
        if opened.why:
            from belay.safety import log

            log.log_note(f"recall: {session.project.workshop} {opened.why}", session.environ)
        return rows


def choose_near(cosines: Mapping[int, float]) -> list[int]:
    """Return the numbers of the entries that are near enough, the nearest first."""
    return [number for number in sorted(cosines, key=lambda number: -cosines[number]) if cosines[number] >= NEAR_COSINE]


def _find_choices(glance: HookReader, nearly: Matches, text: str) -> list[int]:
    """Return the decisions for a product, where the text chooses or doubts it or one that does the same job."""
    from belay.context.recall import choices

    chosen = choices.find_chosen(text)
    asked = {number: stems & chosen for number, stems in nearly.items() if stems & chosen}
    decisions = [row for row in glance.load_by_numbers(list(asked)) if row.type == kinds.DECISION] if asked else []
    return [row.num for row in decisions if asked[row.num] & _list_rivals(row)]


def _entries_with_terms(glance: HookReader, matches: Matches, near: Collection[int]) -> list[RecalledEntry]:
    """Return the entries that really have the terms that were looked up: the index has only hashes of them.

    What was heard once and is not confirmed comes behind the others.
    """
    from belay.knowledge.entries import states

    rows = [row for row in glance.load_by_numbers(list(matches)) if not row.spent]
    rows = [
        row
        for row in rows
        if row.type != kinds.PREFERENCE or row.num in near or len(matches[row.num]) >= PREFERENCE_TERMS
    ]
    rows = [row for row in rows if _has_terms(glance, row, matches[row.num])]
    return sorted(rows, key=lambda row: row.status == states.HEARD)


def _has_terms(glance: HookReader, row: RecalledEntry, stems: set[str]) -> bool:
    """Whether an entry has the stems, or is a decision for a product that does the job of what they name."""
    from belay.context.recall import lookup

    others = stems - {stem for _, stem in lookup.list_stems(glance.terms(row))}
    if not others or row.type != kinds.DECISION:
        return not others
    return others <= _list_rivals(row)


def _list_rivals(row: RecalledEntry) -> set[str]:
    """Return the stems of the products that a decision names, and of those that do the same job."""
    from belay.repository.manifests import alternatives

    return {terms.stem(word) for word in alternatives.list_rivals(row.line)}


def _rank_entries(rows: list[RecalledEntry], places: list[str]) -> list[RecalledEntry]:
    """Return the entries of a file, each once: by type, nearness, use and age.

    Behind the others those that were heard once and are not confirmed, then those that never helped.
    """
    from belay.knowledge.entries import states

    order = {kind: at for at, kind in enumerate(ORDER)}
    rows.sort(key=lambda row: row.updated, reverse=True)
    rows.sort(
        key=lambda row: (
            row.is_doubtful,
            row.status == states.HEARD,
            order.get(row.type, len(order)),
            places.index(row.files[0]),
            -(row.used + row.helpful),
        )
    )
    return list({row.id: row for row in reversed(rows)}.values())[::-1]


def _new_entries(session: Session, rows: list[RecalledEntry]) -> list[Line]:
    """Return (id, line) of the entries that this session has neither seen nor just said."""
    from belay.knowledge.entries import recallable, states

    before = set(session.state["recalled"])
    fresh = [row for row in rows if row.id not in before]
    said_here = {row.id for row in fresh if row.status == states.HEARD and row.session == session.name}
    return [(row.id, recallable.format_line(row)) for row in fresh if row.id not in said_here]


def _new_rows(session: Session, data: bytes, numbers: list[int]) -> list[Line]:
    """Return (crc, line) of rows of the memory by their numbers, without those that were shown or are gone."""
    if not numbers:
        return []
    values = signed_files.open_sealed(session.environ, data)
    if len(values) != 2:
        return []
    rows = [values[1]["rows"][number] for number in numbers]
    before = set(session.state["recalled"])
    fresh = [row for row in rows if plain_text.checksum(row[0]) not in before]
    fresh = _still_written(session.project, values[1]["layers"], fresh) if fresh else []
    fresh = _without_superseded(session, fresh) if fresh else []
    return [(plain_text.checksum(row[0]), row[0]) for row in fresh]


def _still_written(project: Project, layers: dict[str, object], rows: list[list[str]]) -> list[list[str]]:
    """Return the rows that the memory files still have; the files are read only if they changed since."""
    if all(files.stamp(project.at(name)) == seen for name, seen in layers.items()):
        return rows
    lines = set()
    for name in layers:
        text = files.read(project.at(name), FILE_BYTES).decode("utf-8", "replace")
        lines |= {line.strip() for line in text.split("\n")}
    return [row for row in rows if row[1] in lines]


def _without_superseded(session: Session, rows: list[list[str]]) -> list[list[str]]:
    """Return the rows that state no decision which another one replaced in the knowledge base meanwhile."""
    if not os.path.lexists(session.project.workshop):
        return rows
    replaced = [statements.read_entry(entry) for entry in _look_up(session, lambda glance: glance.load_superseded())]
    return [row for row in rows if not statements.repeats(statements.read_line(row[0], is_row=True), replaced)]


def lock_path(project: Project) -> str:
    """Return the lock under which lines are chosen and recorded: edits of one answer come at once."""
    return os.path.join(project.states, "telling.lock")


def _choose_and_record(
    session: Session, data: bytes, candidates: list[Line], most: int = 0, file: str = ""
) -> list[str]:
    """Choose lines and record them; none where another process keeps the lock for long."""
    if not candidates:
        return []
    try:
        with hold(lock_path(session.project), WAIT):
            session.reload()
            before = set(session.state["recalled"])
            fresh = [line for line in candidates if line[0] not in before]
            return _choose(session, data, fresh, most, file) if fresh else []
    except (LockTimeout, OSError):
        return []


def _choose(session: Session, data: bytes, candidates: list[Line], most: int, file: str = "") -> list[str]:
    """Return as many lines as the budget allows, none that repeats one before it; record them.

    Of entries LINES at most, of all lines `most` (0: as many as fit).
    """
    chosen: list[Line] = []
    costs: dict[str, int] = {}
    said = _recalled_before(session, data)
    room = RECALL_TOKENS - estimate(composer.fence(""))
    for name, line in candidates:
        if len(chosen) == most > 0 or (len(costs) == LINES and not _is_row(name, line)):
            continue
        matter, cost = statements.read_line(line, _is_row(name, line)), estimate(line + "\n")
        if cost <= room and not statements.repeats(matter, said):
            room -= cost
            chosen.append((name, line))
            said.append(matter)
            if not _is_row(name, line):
                costs[name] = cost
    if chosen:
        rows = [name for name, line in chosen if _is_row(name, line)]
        if file:
            session.log("recalled", rows=rows, entries=costs, file=file)
        else:
            session.log("recalled", rows=rows, entries=costs)
    return [line for _, line in chosen]


def _is_row(name: str, line: str) -> bool:
    """Whether the id of a line is its crc: a row of the memory; an entry has an id of its own."""
    return name == plain_text.checksum(line)


def _recalled_before(session: Session, data: bytes) -> list[statements.Statement]:
    """Return what this session was shown before, as far as it can still be found."""
    names = dict.fromkeys(session.state["recalled"][-LOOKED_BACK:])
    ids = [name for name in names if "-" in name]
    entries = _look_up(session, lambda glance: glance.load_by_ids(ids)) if ids else []
    values = signed_files.open_sealed(session.environ, data) if len(ids) < len(names) else []
    rows = [row[0] for row in values[1]["rows"] if plain_text.checksum(row[0]) in names] if len(values) == 2 else []
    return [*map(statements.read_entry, entries), *(statements.read_line(row, is_row=True) for row in rows)]
