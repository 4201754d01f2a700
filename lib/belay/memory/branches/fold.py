"""Fold a merged branch's overlay into the base: plan it, show it as a diff, do it, undo it.

A kill at any point leaves every file either old or new; the same call again does the rest and adds nothing twice.
The caller holds the project's lock.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, files, plain_text
from belay.core.errors import BadInput, BelayError, ForeignText, mend_foreign
from belay.core.plain_text import unified
from belay.memory import memory_files, templates
from belay.memory import undo as memory_undo
from belay.memory.branches import merge_status
from belay.memory.branches import overlay as branches_overlay
from belay.memory.branches.fold_rows import fold_overlay
from belay.memory.branches.slug import branch_slug
from belay.memory.document import edits, facts
from belay.memory.document.page import parse
from belay.repository import excludes, vetting
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

COMMAND = "fold"
NAME_CHARS = 80


class FoldPlan(NamedTuple):
    """What a fold would do: `how` the branch arrived ("" not at all), the base's diff and new text, its sections.

    `archive` is where the overlay goes; `foreign`: its text came with the repository and was not accepted;
    `reverted`: it had arrived and was taken back. Paths are absolute.
    """

    branch: str
    overlay: str
    base: str
    how: str
    diff: str
    text: str
    sections: list[str]
    archive: str
    foreign: bool = False
    reverted: bool = False


def find_foldable(project: Project) -> dict[str, str]:
    """Return branch → how it arrived, of every overlay whose branch is merged into the checked-out one."""
    current = branches_overlay.current_branch(project)
    owners = {name: path for name, path in merge_status.find_owners(project).items() if name != current}
    return {name: arrival.how for name, arrival in merge_status.find_arrivals(project, owners).items() if arrival.how}


def plan_fold(
    project: Project, environ: Mapping[str, str], branch: str = "", known: dict[str, str] | None = None
) -> FoldPlan | None:
    """Return the plan for one branch, without a name for the first that is merged; None where none is.

    `known` is the answer of `find_foldable`, if it was called before.
    Raises BadInput for a branch without an overlay, BelayError for a file that is not to be touched.
    """
    merged = known if known is not None else {} if branch else find_foldable(project)
    name = make_label(branch) or next(iter(merged), "")
    if not name:
        return None
    path = branches_overlay.find_overlay(project, name) or merge_status.find_owners(project).get(name, "")
    if not path:
        raise BadInput(clean_name(name), "has no overlay", "belay branch list")
    for file in (path, project.memory_md):
        why = memory_files.explain_refusal(project, file) or memory_files.explain_problem(memory_files.read_text(file))
        if why:
            raise BelayError(project.relative(file), why, "fix it first")
    planned = _build_plan(project, environ, name, path)
    if name in merged or name == branches_overlay.current_branch(project):
        return planned._replace(how=merged.get(name, ""))
    arrived = merge_status.find_arrivals(project, {name: path})[name]
    return planned._replace(how=arrived.how, reverted=arrived.reverted)


def _build_plan(project: Project, environ: Mapping[str, str], name: str, path: str) -> FoldPlan:
    before, overlay = memory_files.read_text(project.memory_md), memory_files.read_text(path)
    form = templates.load_template(project, environ, templates.MEMORY)
    text, sections = fold_overlay(before, overlay, clean_name(name), clock.local_date(), form)
    text = _set_current_branch(text, clean_name(name), clean_name(branches_overlay.current_branch(project)))
    shown_path = project.relative(project.memory_md)
    known, _ = vetting.read_trusted(project, environ, [project.relative(path)])
    diff = unified(shown_path, before, text)
    return FoldPlan(
        name,
        path,
        project.memory_md,
        "",
        diff,
        text,
        sections,
        find_archive_path(project, name, path),
        not known,
    )


def _set_current_branch(text: str, branch: str, here: str) -> str:
    """Return the base with the checked-out branch in its header, if the header names the folded one."""
    page = parse(text)
    head = facts.read_facts(page)["header"]
    if not here or not head["updated"] or head["branch"] != branch:
        return text
    return edits.set_header(page, head["updated"], head["session"], here).text


def clean_name(name: str) -> str:
    """Return a branch's name as it may be printed and written into a memory file."""
    return plain_text.one_line(name, NAME_CHARS)


def find_archive_path(project: Project, name: str, path: str) -> str:
    """Return where an overlay is kept: a free name with today's date, or the one that holds the same already."""
    folder = os.path.join(project.overlays, branches_overlay.ARCHIVE)
    stem = os.path.join(folder, f"{branch_slug(name)}-{clock.local_date()}")
    data, number, candidate = files.read(path), 1, stem + ".md"
    while os.path.lexists(candidate) and (os.path.islink(candidate) or files.read(candidate) != data):
        number += 1
        candidate = f"{stem}-{number}.md"
    return candidate


def apply_fold(project: Project, environ: Mapping[str, str], fold_plan: FoldPlan) -> None:
    """Write the base and archive the overlay; the record for `undo` is written first.

    Raises ForeignText for an overlay that is not trusted, if the base is this user's; BelayError
    where a file cannot be written.
    """
    if fold_plan.foreign and memory_files.is_trusted(project, environ, fold_plan.base):
        name = project.relative(fold_plan.overlay)
        raise ForeignText(name, "came with the repository", mend_foreign(name))
    excludes.write_excludes(project, environ)
    data = files.load(fold_plan.overlay)
    coming = {
        fold_plan.base: fold_plan.text.encode("utf-8", "surrogateescape"),
        fold_plan.overlay: None,
        fold_plan.archive: data,
    }
    if coming[fold_plan.base] == files.read(fold_plan.base):
        del coming[fold_plan.base]
    record = memory_undo.begin_record(project, environ, COMMAND, [*coming], coming)
    saved = memory_files.change_file(project, environ, fold_plan.base, lambda _: fold_plan.text)
    if saved.why:
        raise BelayError(saved.file, saved.why)
    archive_overlay(project, fold_plan.overlay, fold_plan.archive)
    memory_undo.finish_record(project, environ, record)


def archive_overlay(project: Project, overlay: str, archive: str) -> None:
    """Move an overlay into the archive; a kill in between leaves it in both places. Raises BelayError."""
    why = memory_files.explain_refusal(project, archive)
    if why:
        raise BelayError(project.relative(archive), why)
    try:
        files.write(archive, files.load(overlay))
        os.unlink(overlay)
    except OSError as error:
        raise BelayError(project.relative(overlay), f"cannot be archived: {error.strerror or error}") from error


def undo_fold(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Put back what the last fold changed; return the files. Raises NothingToUndo, or BelayError if changed since."""
    return memory_undo.undo_last_change(project, environ, COMMAND)
