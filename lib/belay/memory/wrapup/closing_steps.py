"""The last steps of a wrap-up: threshold, the score where the status line looks, what to promote (seed 003)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from belay.core import settings as core_settings
from belay.core.errors import BelayError
from belay.memory import memory_files, promotion
from belay.memory.compression import compression, lengths
from belay.memory.document import facts, page
from belay.memory.health import cached_score
from belay.memory.memory_files import Saved
from belay.memory.wrapup import audit, layer_files
from belay.safety.trust import digest
from belay.session.session import Session

LONG = "MEMORY.md has {lines} lines: `belay compress --dry-run` shows what could go to the archive"
SHORTER = "compressed from {before} to {after} lines; the rest is in MEMORY-ARCHIVE.md, `belay compress --undo`"

SETTLED = "{count} resolved taken out, kept in MEMORY-ARCHIVE.md: `belay compress --undo`"


def run_closing_steps(session: Session) -> tuple[list[Saved], list[str]]:
    """Compress a memory over the limit, keep its score, note what it holds; return what changed, and notes.

    The lock is not held.
    """
    project, environ = session.project, session.environ
    saved, notes = _check_length(session)
    text = memory_files.read_text(project.memory_md)
    if text and memory_files.is_trusted(project, environ, project.memory_md):
        known_facts = facts.read_facts(page.parse(text))
        if known_facts["header"]["health"]:
            sha = digest(text.encode("utf-8", "surrogateescape"))
            cached_score.save_score(project, known_facts["header"]["health"], sha)
        promotion.record_learnings(project, environ, known_facts)
        notes += promotion.list_offers(project, environ)
    return saved, notes


def _check_length(session: Session) -> tuple[list[Saved], list[str]]:
    project, environ = session.project, session.environ
    settings = core_settings.load_settings(project, environ)
    before = _count_lines(session)
    due = compression.check_length(before, settings)
    saved = [_compress_memory(session, before)] if due == "now" else _remove_resolved_blockers(session)
    after = _count_lines(session)
    return saved, [_explain_length(session, after)] if compression.check_length(after, settings) else []


def _explain_length(session: Session, lines: int) -> str:
    """Return what is said of a memory that is still long: what could go, or what is long where nothing can."""
    report = compression.compress_file(session.project, session.environ, dry=True)
    long_sections = (
        ""
        if report.why or report.plan.removed
        else lengths.format_lengths(lengths.find_longest_sections(page.parse(report.before)))
    )
    return f"MEMORY.md has {lines} lines: {long_sections}" if long_sections else LONG.format(lines=lines)


def _count_lines(session: Session) -> int:
    path = session.project.memory_md
    return (
        len(page.split_lines(memory_files.read_text(path)))
        if not memory_files.explain_refusal(session.project, path)
        else 0
    )


def _remove_resolved_blockers(session: Session) -> list[Saved]:
    """Take resolved blockers out of the session's memory files (seed 003, "Remove resolved blockers")."""
    try:
        paths = [layer.path for layer in layer_files.find_layers(session, session.branch)]
        reports = [_compress_locked(session, path, ("blockers",)) for path in paths]
    except BelayError:  # resolved blockers wait for the next wrap-up or compression
        return []
    return [Saved(row.file, SETTLED.format(count=len(row.plan.removed))) for row in reports if row.written]


def _compress_memory(session: Session, before: int) -> Saved:
    name = os.path.basename(session.project.memory_md)
    try:
        report = _compress_locked(session, session.project.memory_md)
    except BelayError as error:
        return Saved(name, why=f"was not compressed: {error}")
    if not report.written:
        return Saved(name)
    return Saved(name, SHORTER.format(before=before, after=_count_lines(session)))


def _compress_locked(session: Session, path: str, only: Sequence[str] = ()) -> compression.Report:
    """Compress under the lock; what the audit knew of the file stays true, so that no later wrap-up is refused."""
    project = session.project
    with memory_files.lock_memory(project):
        seen = audit.read_seen(project, session.name)
        current = bool(seen) and seen["sha256"] == audit.check_memory(project)["sha256"]
        report = compression.compress_file(project, session.environ, path, only=only)
        if report.written and current:
            sha = audit.check_memory(project)["sha256"]
            audit.write_seen(project, session.name, {**seen, "sha256": sha})
    return report
