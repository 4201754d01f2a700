"""Records of sessions in the knowledge base, as a step of the consolidator (docs/session-records.md).

Each is one record of the ledger that takes the place of the one before, and is written only where a session had an
event since: killed anywhere, the next run does the rest and counts nothing twice.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from belay.client import conversation, tool_guard, transcript_folders
from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES
from belay.knowledge.session_records import breadcrumbs_file, building, calibration
from belay.knowledge.session_records.building import Effort
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import session_rows
from belay.sentinel import classifier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.client.transcript_folders import Transcript
    from belay.core.paths import Project
    from belay.session.records import Record
    from belay.session.session import Session

LOOKED = "recorded"
"""File with the last record of each session that was looked at: without it all are looked at once more."""
TERMINAL = "terminal"
"""What calls from outside a session are journalled under: nobody's session."""
TRANSCRIPT_BYTES = 256 * 1024 * 1024
"""A transcript above is not counted: this work is to end within seconds."""


SECONDS = 5.0
"""How long one run may go on to the next session; what is left, the next run does."""


def run_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Record the sessions that had an event since, the latest first; return how many records were written."""
    path = project.derived(LOOKED)
    seen, now = _read_looked(path), {session.name: session.state["last"] for session in sessions}
    waiting = [one for one in sessions[::-1] if one.name != TERMINAL and seen.get(one.name) != now[one.name]]
    if not waiting:
        return 0
    looked, written = _record_some(project, environ, waiting)
    held = {name: last for name, last in now.items() if name in looked or seen.get(name) == last}
    files.write(path, json_codec.encode(held), sync=False)
    return written


def _record_some(project: Project, environ: Mapping[str, str], waiting: Sequence[Session]) -> tuple[set[str], int]:
    """Record sessions as long as there is time; return the names of those that were looked at, and how many records.

    No base is made where there is nothing to record.
    """
    until, looked, written = time.monotonic() + SECONDS, set[str](), 0
    with ExitStack() as stack:
        store: Store | None = None
        transcripts: list[Transcript] = []
        for session in waiting:
            if looked and time.monotonic() > until:
                break
            looked.add(session.name)
            records = _read_event(session)
            if records and store is None:
                store = stack.enter_context(Store(project.workshop, environ, create=True))
                transcripts = transcript_folders.find_transcripts(project, environ, [one.name for one in waiting])
            written += bool(store and records and _record(store, session, records, transcripts))
        if store:
            found = calibration.compute(calibration.rate_sessions(session_rows.list_rated(store.connection)))
            breadcrumbs_file.update(project, environ, found)
    return looked, written


def _record(store: Store, session: Session, records: list[Record], transcripts: Sequence[Transcript]) -> bool:
    """Write a session's record, unless it is written already; return whether it was."""
    before = session_rows.load_record(store.connection, session.name)
    if before and before["row"]["recorded"] >= records[-1].get("time", ""):
        return False
    effort = _count_effort(session, transcripts)
    if before and effort is None:
        effort = building.read_effort(before["row"])  # the client has deleted the transcript since
    store.append(building.build_record(session.name, records, effort))
    return True


def _read_looked(path: str) -> dict[str, object]:
    try:
        looked = json_codec.loads(files.read(path, FILE_BYTES).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return looked if isinstance(looked, dict) else {}


def _read_event(session: Session) -> list[Record]:
    """Return a session's records up to its last event, [] where it had none or did nothing."""
    records = session.own_records()
    return records[: building.find_event(records)]


def _count_effort(session: Session, transcripts: Sequence[Transcript]) -> Effort | None:
    """Return a session's tool calls and tokens by its transcripts, None where the client has none of it.

    A call and a message are counted once, on however many lines the client writes them; Belay's own commands never.
    """
    own = [one.path for one in transcripts if one.name == session.name and one.size <= TRANSCRIPT_BYTES]
    calls: dict[str, bool] = {}
    tokens: dict[str, int] = {}
    for path in own:
        try:
            for effort in conversation.scan_effort(path, session.state["started"]):
                for use, call in effort.calls.items():
                    if use not in calls and not tool_guard.is_belay_command(call.command):
                        calls[use] = classifier.classify(call).acts
                tokens[effort.message] = max(effort.tokens, tokens.get(effort.message, 0))
        except OSError:
            return None
    acting = sum(calls.values())
    return Effort(len(calls) - acting, acting, sum(tokens.values())) if own else None
