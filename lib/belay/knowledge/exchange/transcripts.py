"""Past sessions into the base: what they hold is shown first, what was read is remembered byte by byte.

The ledger record `imported` (`store.records.ImportedRecord`) holds up to where each file was read (a torn end is left
for later), and the sentences that become an entry once another session repeats them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.client import conversation as turns
from belay.client import transcript_folders
from belay.core import clock, files, signatures
from belay.knowledge.entries import entries
from belay.knowledge.exchange import selection
from belay.knowledge.review import entry_kinds
from belay.knowledge.review.capture_list import CapturedText
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.client.transcript_folders import Transcript
    from belay.core.paths import Project
    from belay.knowledge.store.records import ImportedRecord, WaitingSentence
    from belay.knowledge.store.store import NewEntry, Store


IMPORTED = "imported"


class PastSessions(NamedTuple):
    """What past sessions hold, before anything is written."""

    sessions: int
    new: int
    own: int
    first: str
    last: str
    turns: int
    chosen: list[tuple[CapturedText, str, int]]
    waiting: int
    left_out: Counter[str]
    records: list[ImportedRecord]


class Progress(NamedTuple):
    """How many transcripts a project has, of them in its own journal, imported, and not read to the end; `until`: the
    time of the last turn that was imported, "" for none."""

    sessions: int
    own: int
    imported: int
    left: int
    until: str


def read_new(
    project: Project, environ: Mapping[str, str], ledger: str, since: str = "", paths: Sequence[str] = ()
) -> PastSessions:
    """Read what is new of the project's transcripts, or of those at some `paths`; nothing is written.

    A session that Belay's own journal holds is left to it. `since`: a UTC time or date; a session that ended before it
    stays unread, and of the others only later turns count.
    """
    past = load_progress(ledger, environ)
    given = [transcript_folders.make_transcript(path) for path in paths]
    all_, own, new = _find_unread(project, past, given or transcript_folders.find_transcripts(project, environ))
    late = [one for one in new if files.written_at(one.path) >= clock.seconds(_as_time(since))]
    read = [(session, _scan_new(session, past.get(session.key, {}), since)) for session in late]
    return _collect(len(all_), own, [one for one in read if one[1]], past)


def count_progress(project: Project, environ: Mapping[str, str], ledger: str) -> Progress:
    """Count the project's transcripts by how far they were imported; none is opened to be read."""
    past = load_progress(ledger, environ)
    all_, own, new = _find_unread(project, past, transcript_folders.find_transcripts(project, environ))
    until = max((str(record.get("until", "")) for record in past.values()), default="")
    imported = len({one.key for one in all_}.intersection(past))
    return Progress(len(all_), own, imported, len(new), until)


def _find_unread(
    project: Project, past: Mapping[str, ImportedRecord], all_: list[Transcript]
) -> tuple[list[Transcript], int, list[Transcript]]:
    """Return the transcripts, how many of them the journal holds, and those of the rest that have something unread."""
    known = set(journal.list_sessions(project.journals))
    other = [one for one in all_ if one.name not in known]
    new = [one for one in other if one.size != _read_size(past.get(one.key, {}))]
    return all_, len(all_) - len(other), new


def _as_time(since: str) -> str:
    """Return a date as the journal time at which it begins, UTC."""
    return f"{since}T00:00:00" if len(since) == 10 else since


def _read_size(before: ImportedRecord) -> int:
    return before.get("size", before.get("bytes", -1))


def load_progress(ledger: str, environ: Mapping[str, str]) -> dict[str, ImportedRecord]:
    """Return what was read of each transcript, by its key."""
    past: dict[str, Any] = {}
    for record in journal.read(ledger)[0]:
        is_own = signatures.is_own(environ, str(record.get("session", "")), record.get("mark"))
        if is_own and record.get("kind") == IMPORTED and "key" in record:
            past[str(record["key"])] = record
    return past


def _scan_new(session: Transcript, before: ImportedRecord, since: str) -> turns.Scan | None:
    """Return what came since; a file that was written anew is read from its start, without what was read before."""
    start = int(before.get("bytes", 0))
    try:
        scan = turns.scan_transcript(session.path, start if start <= session.size else 0)
    except OSError:
        return None
    until = str(before.get("until", ""))
    new_turns = [
        turn._replace(session=session.name)
        for turn in scan.turns
        if (turn.time > until or not until) and turn.time >= since
    ]
    return scan._replace(turns=new_turns)


def _collect(
    count: int, own: int, read: list[tuple[Transcript, turns.Scan | None]], past: dict[str, ImportedRecord]
) -> PastSessions:
    scans = [(session, scan) for session, scan in read if scan]
    turns_read = [turn for _, scan in scans for turn in scan.turns]
    before = [_parse_waiting(row) for record in past.values() for row in record.get("waiting", ())]
    sifted = selection.select_captures([one for turn in turns_read for one in selection.extract_captures(turn)], before)
    left_out: Counter[str] = sum((scan.left_out for _, scan in scans), Counter())
    times = sorted(turn.time for turn in turns_read if turn.time)
    return PastSessions(
        count, len(scans), own, times[0] if times else "", times[-1] if times else "", len(turns_read), sifted.chosen,
        len(sifted.waiting), left_out, _make_records(scans, past, sifted.waiting),
    )  # fmt: skip


def _make_records(
    scans: list[tuple[Transcript, turns.Scan]], past: dict[str, ImportedRecord], waiting: list[CapturedText]
) -> list[ImportedRecord]:
    """Return what is to be remembered: of each file up to where it was read, and what of it waits."""
    read = {session.key: (session.name, scan) for session, scan in scans}
    sizes = {session.key: session.size for session, _ in scans}
    records = []
    for key in dict.fromkeys([*past, *read]):
        before, (name, scan) = (
            past.get(key, {}),
            read.get(key, (str(past.get(key, {}).get("session", "")), None)),
        )
        until = max([turn.time for turn in scan.turns] if scan else [], default="") or before.get("until", "")
        rows = [_make_waiting(one) for one in waiting if one.session == name]
        record: ImportedRecord = {
            "kind": "imported", "session": name, "what": "transcript", "key": key,
            "bytes": scan.end if scan else before.get("bytes", 0),
            "size": sizes[key] if key in sizes else _read_size(before), "until": until, "waiting": rows,
        }  # fmt: skip
        if scan or rows != before.get("waiting"):
            records.append(record)
    return records


def _make_waiting(one: CapturedText) -> WaitingSentence:
    return {
        "session": one.session,
        "time": one.time,
        "classes": one.classes,
        "text": one.text,
        "branch": one.branch,
    }


def _parse_waiting(row: object) -> CapturedText:
    fields = row if isinstance(row, dict) else {}
    classes = {str(name): float(sure) for name, sure in dict(fields.get("classes", {})).items()}
    texts = {key: str(fields.get(key, "")) for key in ("session", "time", "text", "branch")}
    return CapturedText("", texts["session"], texts["time"], classes, texts["text"], turns.TYPED, texts["branch"])


def save_sessions(store: Store, past: PastSessions) -> int:
    """Write what was found as entries, and up to where it was read; return how many entries are new."""
    before = entries.load_ids(store.connection)
    added = store.add_many([_make_entry(*one) for one in past.chosen], then=past.records)
    return len((entries.load_ids(store.connection) - before).intersection(added))


def _make_entry(one: CapturedText, why: str, times: int) -> NewEntry:
    entry = entry_kinds.make_entry(one)
    sure = 1.0 if why != selection.AGAIN else max(one.classes.values(), default=1.0)
    entry.fields.update({
        "session": one.session, "branch": one.branch, "created": one.time,
        "source": IMPORTED, "confidence": sure, "seen": times,
    })  # fmt: skip
    return entry._replace(content=entry.content.strip() or one.text)
