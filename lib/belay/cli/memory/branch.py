"""`belay branch`: the overlays of branches, shown, folded into MEMORY.md when merged, archived; the merge driver."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core.errors import BelayError, mend_foreign
from belay.core.paths import Project
from belay.core.plain_text import block, count, escaped
from belay.memory import memory_files
from belay.memory.branches import fold, merge_status
from belay.memory.branches import merge_driver as branches_merge_driver
from belay.memory.branches import overlay as branches_overlay
from belay.memory.branches import pruning as branches_pruning
from belay.memory.branches import view as shows
from belay.memory.branches.fold import FoldPlan
from belay.repository.git import branches

if TYPE_CHECKING:
    from belay.cli.results import OverlayRow
    from belay.memory.branches.other_trees import TipFile
    from belay.repository.git.merges import Arrival


@click.group("branch", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """List, show and fold branch memory. One overlay a branch, folded into MEMORY.md once it is merged."""


@output.command("list", examples="belay branch list")
def listing() -> Result:
    """List the overlays. Whether each branch exists, is checked out, is merged and how."""
    project = here()
    current, trunk = branches_overlay.current_branch(project), branches_overlay.find_trunk(project)
    owners = merge_status.find_owners(project)
    told = merge_status.find_arrivals(project, owners) if project.git_dir else {}
    rows = [_here(project, name, path, current, told.get(name)) for name, path in owners.items()]
    rows += [_there(one) for name, one in shows.find_remote_overlays(project).items() if name not in owners]
    missing = branches_merge_driver.explain_missing(project)
    data = {"current": current, "trunk": trunk, "overlays": rows, "missing": missing}
    text = [f"On {escaped(current) or 'no branch'}; the trunk is {escaped(trunk) or 'not known'}."]
    text += [_row(row) for row in rows] or ["No branch has an overlay."]
    return Result(data, "\n".join([*text, *([missing] if missing else [])]))


def _here(project: Project, name: str, path: str, current: str, told: Arrival | None) -> OverlayRow:
    """Return the row of an overlay of the work tree."""
    return {
        "branch": name,
        "overlay": project.relative(path),
        "from": shows.WORKTREE,
        "ref": "",
        "current": name == current,
        "stands": bool(branches.find_commit(project.common_dir, name)) if project.common_dir else False,
        "merged_how": told.how if told and name != current else "",
        "reverted": bool(told and told.reverted),
        "lines": len(memory_files.read_text(path).splitlines()),
    }


def _there(held: TipFile) -> OverlayRow:
    """Return the row of an overlay that only its branch's own tree has; nothing of it is folded from here."""
    return {
        "branch": held.tip.name, "overlay": held.path, "from": shows.TREE, "ref": held.tip.ref, "current": False,
        "stands": True, "merged_how": "", "reverted": False, "lines": len(held.data.splitlines()),
    }  # fmt: skip


def _row(row: OverlayRow) -> str:
    state = "checked out" if row["current"] else "exists" if row["stands"] else "gone"
    if row["merged_how"]:
        state += f", merged ({row['merged_how']}): belay branch fold"
    elif row["reverted"]:
        state += ", its merge was reverted"
    if row["from"] == shows.TREE:
        state += f", in {escaped(row['ref'])}'s own tree"
    return f"  {escaped(row['branch'])}  {escaped(row['overlay'])}, {count(row['lines'], 'line')}, {state}"


@output.command(
    "show",
    examples="""
    belay branch show                  the overlay of the branch that is checked out
    belay branch show feature/login    another one's; git is not switched
    belay branch show login            the only one whose name holds the word
    """,
)
@click.argument("name", required=False, default="")
def show(name: str) -> Result:
    """Show the memory of a branch. Git is never switched."""
    project = here()
    wanted = name or branches_overlay.current_branch(project)
    found = shows.find_memory(project, os.environ, wanted)
    overlay = found.file if found.overlay else ""
    data = {"branch": found.branch, "overlay": overlay, "file": found.file, "from": found.source}
    data |= {"ref": found.ref, "text": found.text, "why": found.why}
    shown = escaped(found.branch) or "a detached HEAD"
    if not found.text:
        missing = bool(name or found.why)
        return Result(
            data,
            f"{escaped(shows.explain_nothing(found, shown))}; git was not switched.",
            1 if missing else 0,
        )
    head = f"Memory of {shown}, from {escaped(found.place)} (git was not switched):"
    return Result(data, f"{head}\n\n{block(found.text)}")


@output.command(
    "fold",
    reads_history=True,
    examples="""
    belay branch fold --dry-run            show what would change in MEMORY.md
    belay branch fold feature/login --yes  fold it, archive the overlay
    belay branch undo                      undo the last fold
    """,
)
@click.argument("name", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show the exact diff and change nothing.")
@click.option("--yes", is_flag=True, help="Fold without asking.")
@click.option("--anyway", is_flag=True, help="Fold a branch that is not merged.")
def folding(name: str, dry_run: bool, yes: bool, anyway: bool) -> Result:
    """Fold a merged branch's memory into MEMORY.md. Row by row, none lost; the overlay is archived."""
    project = here()
    ready = fold.find_foldable(project)
    plan = fold.plan_fold(project, os.environ, name, ready)
    if plan is None:
        return Result(_fold(project, None, ready), "Nothing to fold: no overlay's branch is merged here.")
    told = f"{_format_lines(project, plan)}\n\n{block(plan.diff)}" if plan.diff else _format_lines(project, plan)
    if dry_run:
        return Result(_fold(project, plan, ready), told)
    if not plan.how and not anyway:
        raise BelayError(escaped(plan.branch), _not_merged(plan), "merge it first, or fold it with --anyway")
    if not yes and not _confirmed(told):
        return Result(_fold(project, plan, ready), "" if sys.stdin.isatty() else f"{told}\nRun it with --yes to fold.")
    with memory_files.lock_memory(project):  # what is written is decided under the lock
        plan = fold.plan_fold(project, os.environ, plan.branch) or plan
        fold.apply_fold(project, os.environ, plan)
    archive = escaped(project.relative(plan.archive))
    return Result(
        {**_fold(project, plan, ready), "folded": True},
        f"Folded {escaped(plan.branch)} into MEMORY.md "
        f"({', '.join(map(escaped, plan.sections)) or 'nothing was new'}); "
        f"its overlay is {archive}. `belay branch undo` undoes it.",
    )


def _confirmed(told: str) -> bool:
    if not sys.stdin.isatty():
        return False
    click.echo(told)
    return click.confirm("Fold it?")


def _not_merged(plan: FoldPlan) -> str:
    return "was merged and reverted" if plan.reverted else "is not merged into the checked-out branch"


def _format_lines(project: Project, plan: FoldPlan) -> str:
    how = f"merged ({plan.how})" if plan.how else _not_merged(plan)
    lines = [f"{escaped(plan.branch)}: {how}; overlay {escaped(project.relative(plan.overlay))}."]
    if plan.foreign:
        mend = mend_foreign(escaped(project.relative(plan.overlay)))
        lines.append(f"Its text was not written or accepted here; {mend}.")
    if not plan.diff:
        lines.append("MEMORY.md has everything already; the overlay only needs archiving.")
    return "\n".join(lines)


def _fold(project: Project, plan: FoldPlan | None, ready: dict[str, str]) -> dict[str, object]:
    if plan is None:
        empty = dict.fromkeys(("branch", "overlay", "base", "merged_how", "diff", "archive"), "")
        return {**empty, "sections": [], "foreign": False, "reverted": False, "folded": False, "others": []}
    return {
        "branch": plan.branch,
        "overlay": project.relative(plan.overlay),
        "base": project.relative(plan.base),
        "merged_how": plan.how,
        "diff": plan.diff,
        "archive": project.relative(plan.archive),
        "sections": plan.sections,
        "foreign": plan.foreign,
        "reverted": plan.reverted,
        "folded": False,
        "others": [name for name in ready if name != plan.branch],
    }


@output.command("undo", examples="belay branch undo")
def undo() -> Result:
    """Undo the last fold or prune. Refused where the files were changed since."""
    project = here()
    with memory_files.lock_memory(project):
        restored = fold.undo_fold(project, os.environ)
    standing = [name for name in restored if os.path.lexists(project.at(name))]
    return Result({"restored": restored}, f"Put back: {', '.join(map(escaped, standing))}.")


@output.command(
    "prune",
    reads_history=True,
    examples="""
    belay branch prune --dry-run    show which overlays would be archived
    belay branch prune              archive them; nothing is deleted
    """,
)
@click.option("--dry-run", is_flag=True, help="Show them and change nothing.")
def pruning(dry_run: bool) -> Result:
    """Archive overlays of branches that are gone. Folded ones, and those untouched for 30 days."""
    project = here()
    with memory_files.lock_memory(project):
        found = branches_pruning.plan_pruning(project, os.environ)
        if not dry_run:
            branches_pruning.apply_pruning(project, os.environ, found)
    rows = [
        {
            "branch": one.branch,
            "overlay": project.relative(one.overlay),
            "why": one.why,
            "archive": project.relative(one.archive),
        }
        for one in found
    ]
    verb = "Would archive" if dry_run else "Archived"
    lines = [f"{verb} {escaped(row['overlay'])} ({escaped(row['branch'])}, {row['why']})." for row in rows]
    return Result({"archived": rows, "done": not dry_run}, "\n".join(lines) or "Nothing to prune.")


@output.command(
    "merge-driver",
    examples="""
    belay branch merge-driver --install      git merges memory files by their records, here
    belay branch merge-driver --shared       the same, named in .gitattributes for the whole team
    belay branch merge-driver --uninstall    as it was before
    """,
)
@click.option("--install", "installing", is_flag=True, help="Set it up in this repository, untracked.")
@click.option("--shared", is_flag=True, help="Set it up for the whole team, in .gitattributes.")
@click.option("--uninstall", "removing", is_flag=True, help="Take it out, every other byte kept.")
@click.option("--run", "running", nargs=4, metavar="BASE OURS THEIRS PATH", hidden=True, help="What git calls.")
def merge_driver(installing: bool, shared: bool, removing: bool, running: tuple[str, ...] | None) -> Result:
    """Let git merge memory files by records. Rows of both sides stay; without options, show whether it is set up."""
    if running:
        return Result({"conflicts": bool(code := branches_merge_driver.run_driver(*running[:3]))}, "", code)
    if removing and (installing or shared):
        raise click.UsageError("--uninstall cannot be combined with --install or --shared")
    project = here()
    files = branches_merge_driver.install_driver(project, shared=shared) if installing or shared else []
    files = branches_merge_driver.uninstall_driver(project) if removing else files
    missing = branches_merge_driver.explain_missing(project)
    data = {"installed": branches_merge_driver.is_installed(project), "files": files, "missing": missing}
    state = "Git merges memory files by their records here" if data["installed"] else "The merge driver is not set up"
    changed = f" ({', '.join(map(escaped, files))})" if files else ""
    return Result(data, "\n".join([f"{state}{changed}.", *([missing] if missing else [])]))


for _command in (listing, show, folding, undo, pruning, merge_driver):
    command.add_command(_command)
