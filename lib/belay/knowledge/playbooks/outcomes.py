"""What a session came to for a pattern: was it at work, and what followed? From the journal alone. Pure.

At work: it was recalled (its line of CLAUDE.md is an entry), or an edit or a command touched what it concerns. Harmful:
a correction followed edits of the file, or the last check of the session after it failed. Helpful: that check passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.client import checks
from belay.core import clock
from belay.knowledge.playbooks.page import HARMFUL, HELPFUL, Evidence
from belay.knowledge.review import relevance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.session.journal import Line

SESSION_CHARS = 8
_COMMAND = 80


class Subject(NamedTuple):
    """What makes a pattern known in a journal: its words, the folder it speaks of ("" for all), the id of its entry."""

    text: str
    folder: str
    entry: str


def find_outcome(records: Iterable[Line], subject: Subject, session: str) -> Evidence | None:
    """Return what a session's records say of a pattern, None where it was not at work or nothing followed."""
    at_work, files, evidence = False, [], None  # type: bool, list[str], Evidence | None
    fresh: list[str] = []
    for record in records:
        kind, date = record.get("kind"), clock.local_date(str(record.get("time", "")))
        if kind == "recalled" and subject.entry in (record.get("entries") or ()):
            at_work = True
        elif kind == "edit":
            paths = [str(file.get("path", "")) for file in record.get("files") or () if isinstance(file, dict)]
            touched = [path for path in paths if _concerns(path, subject)]
            at_work = at_work or bool(touched)
            fresh = paths if at_work and touched else [path for path in paths if path in files]
            files = list(dict.fromkeys([*files, *touched]))
        elif kind == "command":
            at_work = at_work or _concerns(str(record.get("command", "")), subject)
            ended = checks.outcome(record) if at_work and not _is_correction_evidence(evidence) else ""
            if ended in (checks.PASSED, checks.FAILED):
                evidence = _make_evidence(record, ended, date, session, files)
        elif kind == "capture" and at_work and fresh and _is_correction(record):
            evidence = Evidence(HARMFUL, date, session[:SESSION_CHARS], f"corrected{_format_files(fresh)}")
    return evidence


def _concerns(done: str, subject: Subject) -> bool:
    """Whether a path or a command concerns a pattern."""
    if subject.folder:
        return done.startswith(subject.folder)
    return bool(relevance.concerns(done, subject.text))


def _make_evidence(record: Line, ended: str, date: str, session: str, files: list[str]) -> Evidence:
    command = " ".join(str(record.get("command", "")).replace("`", "'").split())[:_COMMAND]
    text = f"`{command}` {ended}{_format_files(files)}"
    return Evidence(HELPFUL if ended == checks.PASSED else HARMFUL, date, session[:SESSION_CHARS], text)


def _is_correction_evidence(evidence: Evidence | None) -> bool:
    return evidence is not None and evidence.text.startswith("corrected")


def _is_correction(record: Line) -> bool:
    classes = record.get("classes")
    return record.get("origin") == "rejected" or (isinstance(classes, dict) and "correction" in classes)


def _format_files(files: list[str]) -> str:
    return " after edits of " + ", ".join(f"`{path}`" for path in files[-2:]) if files else ""
