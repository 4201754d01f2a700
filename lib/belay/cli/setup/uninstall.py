"""`belay uninstall`: what goes and what stays, shown first, done with --yes."""

from __future__ import annotations

import os
import tarfile
import time
from typing import TYPE_CHECKING

import click

from belay.cli import output, working_folder
from belay.cli.output import Result
from belay.client import status_line_wrapper
from belay.core import files, json_codec, outputs, paths
from belay.core.errors import BelayError
from belay.knowledge.session_records import breadcrumbs_file
from belay.knowledge.store import ledger_copy
from belay.memory.claude_files import integration
from belay.repository import excludes, foreign_database, projects
from belay.session.evidence import output_files
from belay.setup import removal

if TYPE_CHECKING:
    from belay.cli.results import Uninstall

_PRIVATE = ("journal", "state", "continuations", "undo", "sessions")
_BASES = "workshop."
"""What of a project's memory only Belay reads, the knowledge base and its copies by how their names begin; the rest are
the person's own texts and stay."""
_VISIBLE = (
    "Without Belay's lines git shows memory/ and tasks/lessons.md, where they exist: ignore or delete what is private"
)
_OWN = ("knowledge.jsonl", "playbooks")


@output.command(
    "uninstall",
    examples="""
    belay uninstall                   show what would be removed and what would be kept
    belay uninstall --yes
    belay uninstall --yes --memory    this project's journal and knowledge base too, after a backup
    """,
)
@click.option("--dry-run", is_flag=True, help="Only show the plan; this is what happens without --yes.")
@click.option("--yes", is_flag=True, help="Do it.")
@click.option("--memory", is_flag=True, help="Remove this project's private memory too, after a backup.")
def command(dry_run: bool, yes: bool, memory: bool) -> Result:
    """Remove Belay from this machine. Your memory files are kept; without --yes nothing is done."""
    project = projects.find(working_folder.find(os.environ), os.environ)
    private = _private(project) if memory and project else []
    is_hidden = _hidden(project, private)
    data: Uninstall = {
        "done": yes and not dry_run,
        "goes": [*private, *removal.list_removed(os.environ)],
        "blocks": [*([] if is_hidden else _blocks(project)), *_breadcrumbs(project)],
        "blocks_stay": _blocks(project) if is_hidden else [],
        "stays": _stays(project, private),
        "sections": integration.find_files(project, os.environ),
        "statusline": _wrapped(),
        "backup": None,
        "failed": [],
    }
    if data["done"]:
        _do(project, private, data)
    return Result(data, _text(data), 1 if data["failed"] else 0)


def _private(project: paths.Project) -> list[str]:
    context = os.path.join(project.orchestration, "session-context.md")
    found = [*map(project.stored, _PRIVATE), *_bases(project), project.continuation, context]
    found += ledger_copy.list_copies(project)
    found += [path for name in output_files.FOLDERS for path in output_files.list_removed(project, name)]
    return [path for path in found if os.path.lexists(path)]


def _bases(project: paths.Project) -> list[str]:
    """Return the knowledge base, its log files, and every copy that was set aside; a stranger's stays where it is."""
    names = [name for name in files.list_names(project.stored("")) if name.startswith(_BASES)]
    if foreign_database.is_foreign(project.own_workshop, os.environ):
        names = [name for name in names if name.startswith(_BASES + "db.")]
    spare = projects.spare_database(project, os.environ)
    beside = [name for name in files.list_names(os.path.dirname(spare)) if name.startswith(os.path.basename(spare))]
    return [*map(project.stored, names), *(os.path.join(os.path.dirname(spare), name) for name in beside)]


def _stays(project: paths.Project | None, private: list[str]) -> list[str]:
    """Return what is left: memory files, private memory unless asked for, what a re-install needs."""
    from belay.repository import vetting

    own = [project.at(name) for name in vetting.candidates(project)] if project else []
    own += [path for path in map(project.stored, _OWN) if os.path.lexists(path)] if project else []
    own += _private(project) if project else []
    return [path for path in dict.fromkeys(own) if path not in private] + removal.list_kept(os.environ)


def _hidden(project: paths.Project | None, private: list[str]) -> bool:
    """Whether private memory stays, which git must go on ignoring."""
    return project is not None and any(path not in private for path in _private(project))


def _blocks(project: paths.Project | None) -> list[str]:
    """Return the ignore files that hold a block of ours."""
    return [path for path, _ in excludes.files(project) if excludes.OPEN in files.read(path)] if project else []


def _breadcrumbs(project: paths.Project | None) -> list[str]:
    """Return the file with the calibration where it holds a block of ours."""
    return [breadcrumbs_file.find_path(project)] if project and breadcrumbs_file.has_block(project) else []


def _wrapped() -> bool:
    """Whether the client's status line still runs ours."""
    try:
        settings = json_codec.loads(
            files.read(os.path.join(paths.client_dir(os.environ), "settings.json")).decode("utf-8")
        )
    except ValueError:
        return False
    line = settings.get("statusLine") if isinstance(settings, dict) else None
    return isinstance(line, dict) and "belay" in str(line.get("command"))


def _do(project: paths.Project | None, private: list[str], data: Uninstall) -> None:
    if project and private:
        data["backup"] = _backup(project, private)
    if project and not data["blocks_stay"]:
        excludes.remove_excludes(project)
    if project:
        breadcrumbs_file.remove(project)
    if data["statusline"]:
        status_line_wrapper.uninstall(os.environ)
    for path in data["goes"]:
        why = removal.remove_path(path, paths.plugin_data(os.environ))
        if why:
            data["failed"].append({"path": path, "why": why})


def _backup(project: paths.Project, private: list[str]) -> str:
    """Write what goes into one archive (0600) and read it back; BelayError where that fails."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    name = f"{os.path.basename(project.root)}-{stamp}.tar.gz"
    target = os.path.join(paths.data_home(os.environ), "backups", name)
    try:
        files.make_folder(os.path.dirname(target), 0o700)
        outputs.write_archive(target, private, os.path.dirname(project.root))
    except (OSError, tarfile.TarError) as error:
        raise BelayError(
            target, f"backup failed, so nothing was removed: {error}", "free some space, or make the folder writable"
        ) from error
    return target


def _text(data: Uninstall) -> str:
    rows = ["Removed:" if data["done"] else "Would be removed (belay uninstall --yes):"]
    rows += [f"  {path}" for path in data["goes"]] + [f"  Belay's lines in {path}" for path in data["blocks"]]
    stays = data["stays"] + [
        f"Belay's lines in {path}: they keep these files out of git" for path in data["blocks_stay"]
    ]
    rows += ["Kept:" if data["done"] else "Would be kept:"] + [f"  {path}" for path in stays] if stays else []
    rows += [
        f"Belay's section in {path}; before you remove Belay, {row} takes it out"
        for path in data["sections"]
        for row in [f"`belay integrate{' --user' * integration.is_users(path, os.environ)} --undo`"]
    ]
    rows += [_VISIBLE] if any(os.path.basename(path) == "exclude" for path in data["blocks"]) else []
    rows += [f"Backup: {data['backup']}"] if data["backup"] else []
    rows += [f"Could not be removed: {row['path']}: {row['why']}" for row in data["failed"]]
    line = f"Your status line {'is' if data['done'] else 'would be'} what it was before Belay"
    rows += [line] if data["statusline"] else []
    return "\n".join([*rows, "The plugin itself: claude plugin uninstall belay"])
