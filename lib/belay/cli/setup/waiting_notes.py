"""What others wrote into git notes and nobody accepted: entries, and the last session of this branch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.cli.knowledge import base as opening
from belay.core import paths
from belay.core.errors import BadInput, BelayError, LockTimeout, mend_foreign
from belay.core.plain_text import count, shown
from belay.core.text.invisible import spell_invisible
from belay.knowledge.notes import arrivals, entry_lines
from belay.repository import projects
from belay.repository.notes import accepted, consent, lines, store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.core.paths import Project
    from belay.knowledge.notes.arrivals import Arrival
    from belay.repository.notes.consent import Record
    from belay.repository.notes.lines import Found

WORD = "notes"
"""What a person writes for all of them."""
SHOWN_LINES, SHOWN_CHARACTERS = 50, 1000
SESSION = "session"


class ForeignLine(TypedDict):
    """A line that waits: its id, what it is and changes, who wrote it when; `text` without invisible characters."""

    id: str
    type: str
    what: str
    who: str
    time: str
    commit: str
    text: str


def split_ids(given: Sequence[str]) -> tuple[tuple[str, ...], list[str] | None]:
    """Return the paths among what was given, and the ids of lines: [] for all of them, None for none."""
    ids = [word for word in given if lines.is_entry_id(word.upper()) or _is_snapshot(word)]
    if WORD in given and any(word.isdigit() for word in given):
        raise BadInput(WORD, "are accepted by their ids, not by numbers", "belay trust lists them")
    if WORD in given or ids:
        return tuple(word for word in given if word != WORD and word not in ids), ids
    return tuple(given), None


def _is_snapshot(word: str) -> bool:
    return word[:2].upper() == "B-" and len(word) == 14


def find_entries(project: Project) -> list[Arrival]:
    """Return the entries that wait, the newest first; [] without a repository, or where git does not answer."""
    if not project.git_dir:
        return []
    try:
        found = entry_lines.read_lines(project, os.environ).found
        if all(line.own for line in found):
            return []
        return arrivals.find_waiting(arrivals.load_rows(project, os.environ), found)
    except BelayError:
        return []


def find_session(project: Project) -> Found | None:
    """Return the newest snapshot of this branch where another person wrote it, and it waits."""
    try:
        found = store.read_breadcrumbs(project, os.environ)[0] if project.git_dir else []
    except BelayError:
        return None
    branch = projects.branch_and_commit(project)[0]
    last = next((row for row in found if row["branch"] == branch), None)
    return last if last and not last["own"] and not accepted.is_accepted(project, os.environ, last) else None


def count_waiting(project: Project) -> int:
    """Return how many lines wait."""
    return len(find_entries(project)) + (find_session(project) is not None)


def list_waiting(project: Project) -> list[ForeignLine]:
    """Return what waits, and note that the person was shown it; without its words where Claude asks."""
    found, last = find_entries(project), find_session(project)
    rows = [*map(_describe, found), *([_describe_session(last)] if last else [])]
    if os.environ.get("CLAUDECODE") == "1":  # HOST §1.3: a tool of a session calls
        return [{**row, "text": "", "who": ""} for row in rows]
    _note_listed(project, sorted(lines.make_id(one.line.raw) for one in found))
    return rows


def _note_listed(project: Project, ids: list[str]) -> None:
    if not project.git_dir or consent.load(project, os.environ).get("listed", []) == ids:
        return

    def edit(record: Record) -> None:
        record["listed"] = ids

    try:
        consent.change(project, os.environ, edit)
    except (OSError, LockTimeout):
        return  # then nothing can be accepted that was not listed before


def _refuse_unseen(project: Project, chosen: Sequence[Arrival]) -> None:
    """Refuse lines that came, or changed, since the person was shown what waits."""
    listed = consent.load(project, os.environ).get("listed")
    unseen = [one for one in chosen if listed is not None and lines.make_id(one.line.raw) not in listed]
    if unseen:
        raise BadInput(str(unseen[0].row["id"]), "came or changed since you listed what waits", "belay trust shows it")


def _describe(one: Arrival) -> ForeignLine:
    row = one.row
    reason = f" Why: {row['reasoning']}" if row.get("reasoning") else ""
    text = row.get("content", "") + reason
    files = f" ({', '.join(row['files'])})" if row.get("files") else ""
    return {
        "id": str(row["id"]), "type": row.get("type", ""), "what": one.what, "who": spell_invisible(one.line.who),
        "time": str(row.get("updated", "")), "commit": one.line.commit, "text": spell_invisible(text + files),
    }  # fmt: skip


def _describe_session(row: Found) -> ForeignLine:
    parts = [f"{name}: {row[name]}" for name in ("task", "next") if row[name]]
    return {
        "id": row["id"], "type": SESSION, "what": arrivals.NEW, "who": spell_invisible(row["who"]),
        "time": row["time"], "commit": row["commit"], "text": spell_invisible("; ".join(parts)),
    }  # fmt: skip


def accept(project: Project, ids: list[str]) -> list[str]:
    """Accept entries and snapshots by their ids, all that wait without one; return the ids."""
    waiting, last = find_entries(project), find_session(project)
    snapshots = [one for one in ids if _is_snapshot(one)]
    chosen, wrong = arrivals.select(waiting, [one for one in ids if one not in snapshots]) if ids else (waiting, [])
    if wrong:
        raise BadInput(shown(wrong[0]), "is no entry that waits", "belay trust lists them")
    _refuse_unseen(project, chosen)
    sessions = _find_sessions(project, snapshots) if ids else [last] if last else []
    if chosen:
        with opening.open_base(create=True) as base:
            arrivals.accept(base, chosen)
    for row in sessions:
        if not accepted.accept(project, os.environ, row):
            raise BelayError(paths.trust_file(os.environ), "cannot be written", "make its folder writable")
    return [*(str(one.row["id"]) for one in chosen), *(row["id"] for row in sessions)]


def _find_sessions(project: Project, ids: list[str]) -> list[Found]:
    known = {row["id"].lower(): row for row in store.read_breadcrumbs(project, os.environ)[0]} if ids else {}
    wrong = next((one for one in ids if one.lower() not in known), "")
    if wrong:
        raise BadInput(shown(wrong), "is no breadcrumb", "belay notes log lists them")
    return [known[one.lower()] for one in ids]


def describe_waiting(number: int) -> str:
    """Return "3 lines of others in git notes wait", and for a person the command that lists them."""
    told = f"{count(number, 'line')} of others in git notes {'waits' if number == 1 else 'wait'}"
    return told if os.environ.get("CLAUDECODE") else f"{told}; `belay trust` lists {'it' if number == 1 else 'them'}"


def format_waiting(rows: list[ForeignLine]) -> list[str]:
    """Return the lines on what waits."""
    if not rows:
        return []
    head = f"{count(len(rows), 'line')} of others in git notes {'waits' if len(rows) == 1 else 'wait'}"
    told = [f"{head} and {'is' if len(rows) == 1 else 'are'} not shown to Claude; {mend_foreign(WORD)}"]
    told += [_format(row) for row in rows[:SHOWN_LINES]]
    more = len(rows) - SHOWN_LINES
    return told + ([f"  and {count(more, 'line')} more: belay trust --json"] if more > 0 else [])


def _format(row: ForeignLine) -> str:
    what = "" if row["what"] == arrivals.NEW else f", {row['what']}"
    by = f" by {row['who']}" if row["who"] else ""
    text = " ".join(row["text"].split())
    cut = text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}… more: belay trust --json"
    return f"  {row['id']}  {row['type']}{what}{by} at {row['commit'][:9]}  {cut}".rstrip()
