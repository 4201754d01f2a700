"""Records captures: journal first, then working buffer and daily log; a receipt names only what was written."""

from __future__ import annotations

import os
import zlib

from belay.core import clock, files, kinds, paths, plain_text
from belay.core.constants import BUFFER_LINES, CAPTURES_OPEN
from belay.core.errors import LockTimeout
from belay.core.lock import hold
from belay.session import working_buffer
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.records import Candidate, CaptureRecord

SMALLEST_BLOCK = 5
"""Lines below which a block of another session is left out of the buffer."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def capture_id(session: str, stamp: str, text: str) -> str:
    """Return the id of a capture: C- and 6 letters, 30 bits of its crc."""
    number = zlib.crc32(f"{session}|{stamp}|{text}".encode("utf-8", "replace"))
    return "C-" + "".join(_LETTERS[number >> shift & 31] for shift in range(0, 30, 5))


def record_captures(session: Session, candidates: list[Candidate]) -> list[CaptureRecord]:
    """Record captures; return their journal records, [] where nothing could be written.

    One that took the place of earlier ones says so (`replaces`), and so does one that found as many open as there may
    be, which closes the oldest (`closes`); the daily log and the journal keep those.
    Raises BadInput for an unknown class.
    """
    taken: list[CaptureRecord] = []
    for fields in candidates:
        for label in fields["classes"]:
            kinds.check(label, kinds.CAPTURE_CLASSES, "a class of captures")
        own, before = capture_id(session.name, clock.now(), fields["text"]), list(session.state["captures"])
        earlier, session.trouble = session.trouble, ""
        record = session.log("capture", id=own, branch=session.branch, **fields)
        if not session.trouble:
            taken.append(_close_replaced(session, record, before))
        session.trouble = session.trouble or earlier
    if taken:
        _vet_existing_files(session)
        update_buffer(session)
        for record in taken:
            append_capture(session, record)
    return taken


def _close_replaced(session: Session, record: CaptureRecord, before: list[str]) -> CaptureRecord:
    """Return a capture's record with the captures that it replaced, or that are too many now and are closed."""
    if session.is_partial:
        return record  # what it lacks is no sign
    gone = [old for old in before if old not in session.state["captures"]]
    if gone:
        return {**record, "replaces": gone}
    oldest = [*before, record["id"]][:-CAPTURES_OPEN]
    if oldest:
        session.log("close", ids=oldest, how="full")
    return {**record, "closes": oldest} if oldest else record


def _vet_existing_files(session: Session) -> None:
    """Before the buffer's first line: keep it out of git, and note which memory files exist already: not ours."""
    project = session.project
    if not os.path.exists(project.buffer):
        from belay.repository import excludes, vetting

        excludes.write_excludes(project, session.environ)
        vetting.read_trusted(project, session.environ, vetting.candidates(project))


def update_buffer(session: Session) -> bool:
    """Bring the working buffer up to date with the journal; False where it is busy or not ours: the next call will."""
    project = session.project
    if session.is_partial:
        return False  # its block would lose what the state lacks
    try:
        with hold(project.lock):
            own = project.own_lines()
            done = working_buffer.update(project.buffer, own, _render_blocks(session, own))
            session.save()
    except (OSError, LockTimeout):
        return False
    return done


def leave_buffer(session: Session) -> None:
    """Take the session's block out of the working buffer of its work tree, which it leaves."""
    project = session.project
    try:
        with hold(project.lock):
            working_buffer.update(project.buffer, project.own_lines(), [(session.name, [])])
    except (OSError, LockTimeout):
        return


def _render_blocks(session: Session, own: str) -> list[tuple[str, list[str]]]:
    """Return the session's block, and those of others that must shrink so that the buffer keeps its size."""
    blocks = [(session.name, working_buffer.render(session.state))]
    room = BUFFER_LINES - len(blocks[0][1])
    for name, lines in working_buffer.lines_by_session(own, session.name).items():
        if lines > room:
            other = session.named(name)
            blocks.append((name, working_buffer.render(other.state, room) if room >= SMALLEST_BLOCK else []))
            lines = len(blocks[-1][1])
        room -= lines
    return blocks


def append_capture(session: Session, record: CaptureRecord) -> None:
    """Append a capture to today's log."""
    kinds = ", ".join(record["classes"])
    branch = record["branch"] or "-"
    head = f"- {clock.local_time(record['time'])} `{record['id']}` [{branch}]"
    append_daily_line(session.project, f"{head} {kinds}: {plain_text.one_line(record['text'])}")


def append_daily_line(project: paths.Project, line: str) -> bool:
    """Append one line to today's log, begun with its date; False where the file cannot be touched."""
    date = clock.local_date()
    path = project.daily(date)
    if files.explain_refusal(path):
        return False
    try:
        if not os.path.isdir(os.path.dirname(path)):
            files.make_folder(os.path.dirname(path))
        if not os.path.exists(path):
            files.append_line(path, f"# {date}\n".encode(), sync=False)
        files.append_line(path, line.encode("utf-8", "replace"), sync=False)
    except OSError:
        return False
    return True


def format_receipt(records: list[CaptureRecord]) -> str:
    """Return the receipt of captures that Claude reads: one factual line each, two at most."""
    lines = [
        f"Recorded {record['id']} ({', '.join(record['classes'])}){_replaces(record)}: {record['text']}"
        for record in records[:2]
    ]
    if len(records) > 2:
        rest = "".join(map(_replaces, records[2:]))
        lines[1] += f" (and {len(records) - 2} more, in the working buffer{rest})"
    return "\n".join(lines)


def _replaces(record: CaptureRecord) -> str:
    gone, closed = record.get("replaces"), record.get("closes")
    if closed:
        return f"; closes {', '.join(closed[:3])}, the oldest of more than {CAPTURES_OPEN}, kept in the daily log"
    return f"; replaces {', '.join(gone)}" if gone else ""
