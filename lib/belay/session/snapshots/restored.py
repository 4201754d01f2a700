"""Sessions written again from breadcrumbs, in a clone whose journal does not have them: task, next step, captures.

Only what a breadcrumb holds comes back; prompts, edits and commands do not. A session that has a journal here is left
as it is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from belay.client.event import session_name
from belay.core import clock, kinds
from belay.repository import projects
from belay.repository.notes import consent
from belay.session import captures, journal
from belay.session.session import Session, find_others

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from belay.core.paths import Project
    from belay.repository.notes.consent import Record
    from belay.repository.notes.lines import Found

MOST = 100
"""Sessions that are restored, the newest ones."""
NOTES = "notes"
"""Source of the start of a restored session."""


def restore(project: Project, environ: Mapping[str, str], crumbs: Sequence[Found]) -> list[Session]:
    """Write the sessions of breadcrumbs that have no journal here; return them, the oldest first. Raises OSError."""
    by_session: dict[str, list[Found]] = {}
    for row in sorted(crumbs, key=lambda row: row["time"]):
        if row["session"] and row["time"]:
            by_session.setdefault(name_of(row), []).append(row)
    latest = sorted(by_session, key=lambda name: by_session[name][-1]["time"])[-MOST:]
    new = [name for name in latest if not journal.list_segments(project.journal(name))]
    for name in new:
        session = Session(project, name, environ)
        records = _make_records(project, name, by_session[name])
        journal.append_many(project.journal(name), [{"session": name, "mark": session.mark, **row} for row in records])
        date_back(session, by_session[name][-1]["time"])
    _mark_taken(project, environ, {name: by_session[name][-1]["time"] for name in new})
    return [Session(project, name, environ) for name in new]


def name_of(crumb: Found) -> str:
    """Return the name of a breadcrumb's session, safe for a file."""
    return session_name(crumb["session"])


def date_back(session: Session, time: str) -> None:
    """Give a journal the time of its session: the latest journal is taken for the session at work, old ones go."""
    moment = clock.seconds(time)
    for path in journal.list_segments(session.project.journal(session.name)) if moment else []:
        os.utime(path, (moment, moment))


def is_latest(session: Session, days: float = 30.0) -> bool:
    """Whether no other session of the project was at work later."""
    return all(other.state["active"] <= session.state["active"] for other in find_others(session, days))


def _make_records(project: Project, name: str, crumbs: list[Found]) -> list[dict[str, Any]]:
    first, last = crumbs[0], crumbs[-1]
    place = {"branch": last["branch"], "head": last["head"], "root": projects.make_label(project.root), "folder": ""}
    said = [_make_capture(name, last, text) for text in last["captures"]]
    # As a wrap-up says it: task and next step, and no capture is settled by it.
    saved = {"task": last["task"], "next": last["next"], "status": _describe(last), "ids": [], "digest": ""}
    return [
        {"time": first["time"], "kind": "start", "source": NOTES, **place},
        *({"time": last["time"], "kind": "commit", **_make_commit(text)} for text in last["commits"][::-1]),
        *({"time": last["time"], "kind": "capture", **row} for row in said if row),
        {"time": last["time"], "kind": "wrap-up", **saved},
        {"time": last["time"], "kind": "end", "reason": NOTES},
        # Memory file and daily log are of where the session was: nothing is written for it here.
        {"time": last["time"], "kind": "kept", "upto": last["time"], "files": []},
        {"time": last["time"], "kind": "folded"},
    ]


def _make_commit(text: str) -> dict[str, str]:
    """Return the fields of a commit that a breadcrumb names as "id subject"."""
    sha, _, subject = text.partition(" ")
    return {"sha": sha, "subject": subject}


def _make_capture(name: str, crumb: Found, text: str) -> dict[str, Any] | None:
    """Return the fields of a capture that a breadcrumb names as "class: text", None for what is none."""
    kind, _, said = text.partition(": ")
    if kind not in kinds.CAPTURES or not said:
        return None
    own = captures.capture_id(name, crumb["time"], said)
    return {"id": own, "branch": crumb["branch"], "classes": {kind: 1.0}, "text": said, "origin": "typed"}


def _describe(crumb: Found) -> str:
    """Return the status of a session that another person left; of one's own work the next step says enough."""
    return "" if crumb["own"] else f"left by {crumb['who'] or 'somebody else'}"


def _mark_taken(project: Project, environ: Mapping[str, str], times: Mapping[str, str]) -> None:
    """Note that these sessions have their breadcrumb, so that the end that was written for them makes no second one."""
    if not times or not os.path.exists(consent.find_file(environ)):
        return

    def edit(record: Record) -> None:
        record["taken"] = {**record.get("taken", {}), **times}

    consent.change(project, environ, edit)


def find_last(crumbs: Iterable[Found], branch: str, history: Collection[str]) -> Found | None:
    """Return the newest breadcrumb of a branch or of its commits, else of any; None for none."""
    rows = sorted(crumbs, key=lambda row: row["time"], reverse=True)
    of_here = (row for row in rows if row["branch"] == branch or row["commit"] in history)
    return next(of_here, rows[0] if rows else None)
