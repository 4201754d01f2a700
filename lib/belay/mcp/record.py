"""memory_record: one entry, through the ledger; where it came from is stamped here, never taken from the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import clock, plain_text
from belay.knowledge.entries import near_entry
from belay.knowledge.review import retirement
from belay.mcp.protocol import Answer
from belay.repository import excludes
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.mcp.arguments import RecordArguments
    from belay.mcp.call import CallContext

SHOWN = 100
"""Characters of an older entry that are shown when a new one was merged into it."""


def answer(desk: CallContext, given: RecordArguments) -> Answer:
    """Record; what says the same as an older entry is counted there."""
    place = desk.place
    branch, commit = desk.head(place)
    files = [format_path(place.project, path) for path in given.get("files", ()) if path]
    if place.project:
        excludes.write_excludes(place.project, desk.environ)
    with desk.store(place, create=True) as store:
        retired = retirement.find_contradicted(store, given["type"], given["content"], clock.now())
        entry = store.add(
            given["type"], given["content"], reasoning=given.get("reasoning", ""), tags=given.get("tags", []),
            priority=given.get("priority", ""), files=files, branch=branch, commit=commit, source="tool",
            supersedes=[one.id for one in retired],
        )  # fmt: skip
        beside = near_entry.find_close(store, entry) if entry.seen < 2 else None
    lines = [f"It replaces {one.id} “{plain_text.shown(one.content, SHOWN)}”." for one in retired]
    lines += [near_entry.format_line(beside, entry)] if beside else []
    return Answer(" ".join((format_receipt(entry), *lines)))


def format_path(project: Project | None, path: str) -> str:
    """Return a path as entries carry it: from the project's root, a folder with its "/"."""
    path = make_label(path)  # before it is made tidy, which hides the URL that held a secret
    return (project.relative(path) if project else path) + "/" * path.endswith("/")


def format_receipt(entry: Entry) -> str:
    """Return what was done, in one line."""
    if entry.seen < 2:
        return f"Recorded as {entry.id} ({entry.type})."
    content = plain_text.shown(entry.content, SHOWN)
    return f'Known already as {entry.id} ({entry.type}), now said {entry.seen} times: "{content}". Merged.'
