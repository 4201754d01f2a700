"""What Claude found out in a session, as entries: root causes and constraints that its answers stated.

At most three a session, the surest ones, and only of a session that is over: until then a later answer or the user may
say that it was not so. They are Claude's words, so they are heard, not known: something must confirm them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core import kinds, plain_text
from belay.core.text import duplicates
from belay.knowledge.entries import entries
from belay.knowledge.review.context import FILES, TALK_CHARS, find_named_files
from belay.session.work.findings import MOST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.review.capture_list import CaptureView
    from belay.knowledge.review.context import Journals
    from belay.knowledge.store.store import Store
    from belay.session.journal import Line
    from belay.session.session import Session

CONFIDENCE = 0.6
"""Of what Claude said and nothing confirmed; a typed capture has what its class was recognised with."""
_CHECKED = 1.5
"""Added to the score of a finding in whose turn a failing check passed after edits."""


class StatedFinding(NamedTuple):
    """A finding of an answer: its id ("F-" and checksum), how sure, its turn's files and the check that passed again.

    `since`: the time of the prompt that was answered; `time`: that of the answer.
    """

    id: str
    text: str
    score: float
    files: tuple[str, ...]
    check: str
    session: str
    branch: str
    commit: str
    about: str
    since: str
    time: str


def select_findings(session: Session, journals: Journals, view: CaptureView) -> list[StatedFinding]:
    """Return the surest findings of a session that is over, as far as they are no entries yet."""
    if not session.state["ended"]:
        return []
    stated = _list_stated(journals.records_of(session.name))
    best: list[StatedFinding] = []
    for finding in sorted(stated, key=lambda one: (one.score, one.time), reverse=True):
        if len(best) < MOST and not any(duplicates.same(finding.text, other.text) for other in best):
            best.append(finding)
    return [finding for finding in best if finding.id not in view.known]


def _list_stated(records: list[Line]) -> list[StatedFinding]:
    """Return what the answers stated; an answer to which the user objected states nothing."""
    stated: list[StatedFinding] = []
    turn: list[Line] = []
    for record in [*records, {"kind": "prompt"}]:
        if record.get("kind") != "prompt":
            turn.append(record)
            continue
        if record.get("asks") != kinds.OBJECTION:
            stated += _read_turn(turn)
        turn = [record]
    return [finding._replace(commit=_find_commit(records, finding)) for finding in stated]


def _read_turn(turn: list[Line]) -> Iterator[StatedFinding]:
    """Yield the findings that the answers of one prompt stated."""
    edits = [row for row in turn if row.get("kind") == "edit"]
    files = [str(file.get("path", "")) for row in edits for file in row.get("files") or () if isinstance(file, dict)]
    passed = [str(row.get("passed") or "") for row in turn if row.get("kind") == "lesson"]
    branch = next((str(row["branch"]) for row in turn if row.get("branch")), "")
    for record in turn:
        rows = record.get("findings") if record.get("kind") == "said" else None
        for row in rows if isinstance(rows, list) else ():
            text, session = str(row.get("text", "")), str(record.get("session", ""))
            yield StatedFinding(
                f"F-{plain_text.checksum(f'{session} {text}')}", text,
                float(row.get("score") or 0.0) + (_CHECKED if passed else 0.0),
                tuple(dict.fromkeys(filter(None, files)))[-FILES:], passed[-1] if passed else "",
                session, branch, "", _read_prompt(turn[0]), str(turn[0].get("time", "")), str(record.get("time", "")),
            )  # fmt: skip


def _read_prompt(record: Line) -> str:
    words = " ".join(str(record.get(key) or "") for key in ("text", "text_head", "task"))
    return plain_text.one_line(words, TALK_CHARS)


def _find_commit(records: list[Line], finding: StatedFinding) -> str:
    """Return the first commit made since the finding's prompt, else the commit at which the session stood."""
    head = ""
    for record in records:
        time = str(record.get("time", ""))
        if record.get("kind") == "commit" and time >= finding.since:
            return str(record.get("sha") or "")
        head = str(record.get("head") or head) if time <= finding.time else head
    return head


def save_finding(store: Store, journals: Journals, finding: StatedFinding) -> Entry:
    """Write a finding as an entry of Claude's; its files are those that it names, else those of its turn."""
    store.session = finding.session
    named = find_named_files(journals.project, finding.text, journals.edited(finding.session))
    reason = f"`{plain_text.shown(finding.check)}` failed before and passed after the edits." if finding.check else ""
    return store.add(
        kinds.FINDING, finding.text, reasoning=reason, files=named or list(finding.files), branch=finding.branch,
        commit=finding.commit, source=entries.CLAUDE, status=entries.HEARD, confidence=CONFIDENCE, created=finding.time,
        of=[finding.id], about=finding.about,
    )  # fmt: skip
