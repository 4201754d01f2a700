"""Archive overlays whose branch no longer exists and which were folded or not written for long."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock
from belay.memory import memory_files, templates, undo
from belay.memory.branches import fold, merge_status
from belay.memory.branches import overlay as branches_overlay
from belay.memory.branches.fold_rows import fold_overlay
from belay.repository import excludes
from belay.repository.git import branches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

STALE_DAYS = 30
"""Days after which the overlay of a branch that is gone is archived (FIELD §1.4)."""


class StaleOverlay(NamedTuple):
    """One overlay to archive: its branch, path, why (`folded` or `stale`), where it goes."""

    branch: str
    overlay: str
    why: str
    archive: str


def plan_pruning(project: Project, environ: Mapping[str, str]) -> list[StaleOverlay]:
    """Return the overlays to archive; not those whose branch exists anywhere, nor those that wait to be folded."""
    if not project.git_dir:
        return []
    current = branches_overlay.current_branch(project)
    gone = {
        name: path
        for name, path in merge_status.find_owners(project).items()
        if name != current and not branches.find_commit(project.common_dir, name)
    }
    arrived = merge_status.find_arrivals(project, gone)
    stale = []
    for name, path in gone.items():
        why = _prune_reason(project, environ, name, path, bool(arrived[name].how))
        if why:
            stale.append(StaleOverlay(name, path, why, fold.find_archive_path(project, name, path)))
    return stale


def _prune_reason(project: Project, environ: Mapping[str, str], name: str, path: str, merged: bool) -> str:
    base, overlay = memory_files.read_text(project.memory_md), memory_files.read_text(path)
    if merged:
        form = templates.load_template(project, environ, templates.MEMORY)
        folded = fold_overlay(base, overlay, fold.clean_name(name), clock.local_date(), form).text == base
        return "folded" if folded else ""
    return "stale" if _age_in_days(path, overlay) > STALE_DAYS else ""


def _age_in_days(path: str, text: str) -> float:
    """Return the days since an overlay was updated: as its header says, else as its file does."""
    from belay.memory.document.facts import read_facts
    from belay.memory.document.page import parse

    updated = clock.seconds(f"{read_facts(parse(text))['header']['updated']}T00:00:00")
    return (time.time() - (updated or os.stat(path).st_mtime)) / clock.DAY


def apply_pruning(project: Project, environ: Mapping[str, str], stale: list[StaleOverlay]) -> None:
    """Archive overlays, each with a record to take it back; the caller holds the lock."""
    excludes.write_excludes(project, environ)
    for overlay in stale:
        coming = {
            overlay.overlay: None,
            overlay.archive: memory_files.read_text(overlay.overlay).encode("utf-8", "surrogateescape"),
        }
        record = undo.begin_record(project, environ, fold.COMMAND, [*coming], coming)
        fold.archive_overlay(project, overlay.overlay, overlay.archive)
        undo.finish_record(project, environ, record)
