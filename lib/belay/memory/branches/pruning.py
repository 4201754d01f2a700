"""Overlays that nobody works on any more, to be archived: their branch is gone, and folded or long left alone."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock
from belay.memory import memory_files, templates, undo
from belay.memory.branches import fold, merge_status
from belay.memory.branches import overlay as branches_overlay
from belay.memory.branches.fold_rows import lift
from belay.repository import excludes
from belay.repository.git import branches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

STALE_DAYS = 30
"""Days after which the overlay of a branch that is gone is archived (FIELD §1.4)."""


class Stale(NamedTuple):
    """One overlay to archive: its branch, path, why (`folded` or `stale`), where it goes."""

    branch: str
    overlay: str
    why: str
    archive: str


def plan(project: Project, environ: Mapping[str, str]) -> list[Stale]:
    """Return the overlays to archive; one whose branch stands anywhere is none, nor one that waits to be folded."""
    if not project.git_dir:
        return []
    current = branches_overlay.branch(project)
    gone = {
        name: path
        for name, path in merge_status.owners(project).items()
        if name != current and not branches.tip(project.common_dir, name)
    }
    arrived = merge_status.arrivals(project, gone)
    found = []
    for name, path in gone.items():
        why = _why(project, environ, name, path, bool(arrived[name].how))
        if why:
            found.append(Stale(name, path, why, fold.archived(project, name, path)))
    return found


def _why(project: Project, environ: Mapping[str, str], name: str, path: str, merged: bool) -> str:
    base, overlay = memory_files.read(project.memory_md), memory_files.read(path)
    if merged:
        form = templates.load(project, environ, templates.MEMORY)
        folded = lift(base, overlay, fold.shown(name), clock.local_date(), form).text == base
        return "folded" if folded else ""
    return "stale" if _age(path, overlay) > STALE_DAYS else ""


def _age(path: str, text: str) -> float:
    """Return the days since an overlay was updated: as its header says, else as its file does."""
    from belay.memory.document.facts import facts
    from belay.memory.document.page import parse

    updated = clock.seconds(f"{facts(parse(text))['header']['updated']}T00:00:00")
    return (time.time() - (updated or os.stat(path).st_mtime)) / clock.DAY


def apply(project: Project, environ: Mapping[str, str], found: list[Stale]) -> None:
    """Archive overlays, each with a record to take it back; the caller holds the lock."""
    excludes.ensure(project)
    for one in found:
        coming = {
            one.overlay: None,
            one.archive: memory_files.read(one.overlay).encode("utf-8", "surrogateescape"),
        }
        record = undo.begin(project, environ, fold.COMMAND, [*coming], coming)
        fold.put_away(project, one.overlay, one.archive)
        undo.finish(project, environ, record)
