"""Keeping notes small and clean: what is over a cap or of lost commits goes, what was scrubbed stays away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import json_codec, paths
from belay.repository import projects
from belay.repository.git import process
from belay.repository.notes import binding, consent, lines, store
from belay.repository.notes.consent import LEDGER, REF, REFS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.repository.notes.consent import Record
    from belay.repository.notes.store import Note

REF_BYTES = 4 * 1024 * 1024
"""The most that all notes of a ref together may have; the oldest ones go."""


def prune(project: paths.Project, environ: Mapping[str, str], *, gone: bool = True) -> tuple[int, int]:
    """Remove notes; return how many were of commits that are gone, and how many of the oldest were over the cap.

    Entries of commits that are gone move to HEAD: they hold whatever becomes of a commit. In a shallow clone commits
    are missing that are not gone: there only the cap counts.
    """
    with store.writing(project):
        counts = [_prune_ref(project, environ, ref, gone) for ref in REFS]
    return sum(lost for lost, _ in counts), sum(over for _, over in counts)


def _prune_ref(project: paths.Project, environ: Mapping[str, str], ref: str, gone: bool) -> tuple[int, int]:
    notes = store.list_notes(project, ref)
    if not notes:
        return 0, 0
    shallow = process.run(project.root, "rev-parse", "--is-shallow-repository").strip() == "true"
    lost = {note.commit for note in notes if gone and not shallow}
    lost -= binding.list_existing(project, [note.commit for note in notes]) if lost else set()
    if ref == LEDGER and lost:
        lost = _move_to_head(project, [note for note in notes if note.commit in lost])
        notes = store.list_notes(project, ref)
    over = _list_oldest(project, environ, [note for note in notes if note.commit not in lost])
    data = "".join(f"{commit}\n" for commit in [*lost, *over]).encode()
    if data:
        store.run(project, "notes", f"--ref={ref}", "remove", "--ignore-missing", "--stdin", data=data)
    return len(lost), len(over)


def _move_to_head(project: paths.Project, notes: list[Note]) -> set[str]:
    """Write the entries of lost commits into HEAD's note as far as it has room; return the commits that are done."""
    head = projects.head(project.git_dir, project.common_dir)[1]
    if not head:
        return set()
    rows = set(store.read_rows(project, LEDGER).get(head, []))
    moved: set[str] = set()
    for commit, text in store.read_notes(project, notes).items():
        more = rows | {row for row in text.split(b"\n") if row.strip()}
        if sum(len(row) + 1 for row in more) <= lines.NOTE_BYTES:
            rows = more
            moved.add(commit)
    if moved:
        store.write(project, head, sorted(rows), LEDGER)
    return moved


def _list_oldest(project: paths.Project, environ: Mapping[str, str], notes: list[Note]) -> list[str]:
    """Return the commits whose notes are over the cap of all: unreadable ones first, then the oldest ones."""
    total = sum(note.size for note in notes)
    if total <= REF_BYTES:
        return []
    texts = store.read_notes(project, notes)
    times = {commit: _find_time(text) for commit, text in texts.items()}
    over = []
    for note in sorted(notes, key=lambda note: times.get(note.commit, "")):
        if total <= REF_BYTES:
            break
        total -= note.size
        over.append(note.commit)
    return over


def _find_time(text: bytes) -> str:
    """Return the time of the latest line, "" for none."""
    return max(map(lines.find_time, text.split(b"\n")), default="")


def cut(project: paths.Project) -> int:
    """Bring notes of breadcrumbs back under the cap that a merge took over it; return how many.

    The oldest lines go. The caller holds the lock.
    """
    large = [note for note in store.list_notes(project) if note.size > lines.NOTE_BYTES]
    for commit, text in store.read_notes(project, large).items():
        store.write(project, commit, sorted(text.split(b"\n"), key=lines.find_time))
    return len(large)


def scrub(project: paths.Project, environ: Mapping[str, str], what: str) -> int:
    """Remove every line that holds a text or has an id, and the refs' history with it; return how many lines.

    An entry of which a line was removed does not travel any more.
    """
    with store.writing(project):
        dropped: set[str] = set()
        names: set[str] = set()
        for ref in REFS:
            bad = _scrub_ref(project, ref, what)
            dropped |= {lines.make_id(row) for row in bad}
            names |= {*map(lines.find_entry_id, bad)} if ref == LEDGER else set()
            if bad:
                _forget_history(project, ref)

        def edit(record: Record) -> None:
            waiting = record.get("pending", [])
            record["pending"] = [row for row in waiting if not _holds(row.encode(), what)]
            dropped.update(lines.make_id(row.encode()) for row in waiting if row not in record["pending"])
            record["scrubbed"] = [*dict.fromkeys([*record.get("scrubbed", []), *sorted(dropped | names)])]

        consent.change(project, environ, edit)
    return len(dropped)


def _scrub_ref(project: paths.Project, ref: str, what: str) -> set[bytes]:
    """Remove the lines of a ref that hold a text or have an id; return them."""
    dropped: set[bytes] = set()
    for commit, rows in store.read_rows(project, ref).items():
        bad = [row for row in rows if _holds(row, what)]
        dropped |= {*bad}
        if bad:
            store.write(project, commit, [row for row in rows if row not in bad], ref)
    return dropped


def _holds(row: bytes, what: str) -> bool:
    if what in (lines.make_id(row), lines.find_entry_id(row)):
        return True
    if lines.is_entry_id(what):
        return False  # another entry may name it
    escaped = json_codec.dumps(what)[1:-1]
    text = row.decode("utf-8", "replace")
    return what in text or escaped in text


def _forget_history(project: paths.Project, ref: str) -> None:
    """Give a ref one commit without a parent: older ones would still hold what was scrubbed."""
    tip = store.find_tip(project, ref)
    if tip:
        new = store.run(project, "commit-tree", "-m", "Notes written by Belay", f"{tip}^{{tree}}").strip()
        store.run(project, "update-ref", ref, new, tip)
        store.run(project, "reflog", "expire", "--expire=all", ref, ok=(0, 1, 255))


def drop_scrubbed(project: paths.Project, environ: Mapping[str, str], ref: str = REF) -> int:
    """Remove lines that were scrubbed here and came back; return how many. The caller holds the lock."""
    known = {*consent.load(project, environ).get("scrubbed", [])}
    count = 0
    for commit, rows in (store.read_rows(project, ref) if known else {}).items():
        kept = [row for row in rows if lines.make_id(row) not in known]
        if len(kept) < len(rows):
            store.write(project, commit, kept, ref)
            count += len(rows) - len(kept)
    return count
