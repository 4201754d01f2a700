"""The last steps of a wrap-up: threshold, the score where the status line looks, what to promote (seed 003)."""

from __future__ import annotations

import os

from belay import compress, config, gauge, pages, promote
from belay.errors import BelayError
from belay.memory import facts, page
from belay.pages import Saved
from belay.session import Session
from belay.trust import digest
from belay.wrapup import audit

LONG = "MEMORY.md has {lines} lines: `belay compress --dry-run` shows what could go to the archive"
SHORTER = (
    "compressed from {before} to {after} lines; the rest is in MEMORY-ARCHIVE.md, `belay compress --undo`"
)


def run(session: Session) -> tuple[list[Saved], list[str]]:
    """Compress a memory over the limit, keep its score, note what it holds; return what changed, and notes.

    The lock is not held.
    """
    project, environ = session.project, session.environ
    saved, notes = _threshold(session)
    text = pages.read(project.memory_md)
    if text and pages.is_trusted(project, environ, project.memory_md):
        told = facts.facts(page.parse(text))
        if told["header"]["health"]:
            sha = digest(text.encode("utf-8", "surrogateescape"))
            gauge.save(project, told["header"]["health"], sha)
        promote.note(project, environ, told)
        notes += promote.offers(project, environ)
    return saved, notes


def _threshold(session: Session) -> tuple[list[Saved], list[str]]:
    project, environ = session.project, session.environ
    settings = config.load(project, environ)
    before = _lines(session)
    due = compress.due(before, settings)
    saved = [_compressed(session, before)] if due == "now" else []
    after = _lines(session)
    return saved, [LONG.format(lines=after)] if compress.due(after, settings) else []


def _lines(session: Session) -> int:
    path = session.project.memory_md
    return len(page.split(pages.read(path))) if not pages.refusal(session.project, path) else 0


def _compressed(session: Session, before: int) -> Saved:
    """Compress under the lock; what the audit knew of the file stays true, so that no later wrap-up is refused."""
    project, name = session.project, os.path.basename(session.project.memory_md)
    try:
        with pages.locked(project):
            seen = audit.kept(project, session.name)
            current = bool(seen) and seen["sha256"] == audit.memory_state(project)["sha256"]
            report = compress.run(project, session.environ)
            if report.written and current:
                sha = audit.memory_state(project)["sha256"]
                audit.note(project, session.name, {**seen, "sha256": sha})
    except BelayError as error:
        return Saved(name, why=f"was not compressed: {error}")
    if not report.written:
        return Saved(name)
    return Saved(name, SHORTER.format(before=before, after=_lines(session)))
