"""`belay tie`: integration points of a feature, written into its CLAUDE.md and into that of the others."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output, terminal
from belay.cli.output import Result
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import shown, unified
from belay.memory import memory_files, undo
from belay.places import hierarchy, ties
from belay.places.ties import Tie
from belay.repository import excludes

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.hierarchy import Hierarchy

COMMAND = "tie"


class TieRow(TypedDict):
    """A feature that uses another one; the import that shows it ("" and 0 where somebody said so)."""

    user: str
    used: str
    path: str
    line: int
    why: str


class TieResult(TypedDict):
    """`belay tie`."""

    results: list[TieRow]
    diff: str
    files: list[str]
    missing: list[str]
    written: bool


@output.command(
    COMMAND,
    examples="""
    belay tie src/features/refunds                       show what its imports say
    belay tie src/features/refunds --yes                 write it into the CLAUDE.md of both sides
    belay tie src/features/refunds src/features/billing --why 'asks for the open amount' --yes
    belay tie --undo
    """,
)
@click.argument("folder", required=False, default="")
@click.argument("others", nargs=-1)
@click.option("--why", default="", help="With OTHERS: what the folder uses them for.")
@click.option("--yes", is_flag=True, help="Write what is shown.")
@click.option("--undo", "undoing", is_flag=True, help="Put back the files that the last tie changed.")
def command(folder: str, others: tuple[str, ...], why: str, yes: bool, undoing: bool) -> Result:
    """Write integration points into the CLAUDE.md of both sides. Found by imports, or named; shown first."""
    project = output.here()
    if undoing:
        with memory_files.lock_memory(project):
            restored = undo.undo_last_change(project, os.environ, COMMAND)
        return Result({"restored": restored}, f"As before: {', '.join(restored)}")
    place, named = _find_folder(project, folder), [_find_folder(project, other) for other in others]
    found = hierarchy.read(project.root)
    with terminal.Progress("Reading imports"):
        rows = [Tie(place, other, why=why) for other in named] if named else ties.find_ties(found, place)
    texts, missing = _plan(project, found, rows)
    if yes and texts:
        with memory_files.lock_memory(project):
            _write(project, texts)
    data = _make_data(rows, texts, missing, written=yes and bool(texts))
    return Result(data, "\n".join(_list_lines(data, place)))


def _find_folder(project: Project, folder: str) -> str:
    """Return a folder as a path from the root; BadInput for one that is not in the project, or is its root."""
    full = os.path.abspath(folder) if folder else ""
    name = project.relative(full) if full else ""
    if not name or os.path.isabs(name) or not os.path.isdir(full):
        raise BadInput(folder or "the folder", "is no folder of this project", "give a feature's folder")
    return name


def _plan(project: Project, found: Hierarchy, rows: list[Tie]) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Return {path: (text, new text)} of the files that change, and the folders that have no CLAUDE.md."""
    folders = list(dict.fromkeys(folder for row in rows for folder in (row.user, row.used)))
    known = {name for name in folders if found.find(f"{name}/{hierarchy.NAME}")}
    texts: dict[str, tuple[str, str]] = {}
    missing = []
    for folder in folders:
        path = f"{folder}/{hierarchy.NAME}"
        if folder not in known:
            missing.append(folder)
            continue
        why = memory_files.explain_refusal(project, project.at(path))
        old = memory_files.read_text(project.at(path))
        why = why or memory_files.explain_problem(old)
        if why:
            raise BelayError(path, why, "mend that first")
        new = ties.plan_text(old, [row for row in rows if folder in (row.user, row.used)], folder, known)
        if new != old:
            texts[path] = (old, new)
    return texts, missing


def _write(project: Project, texts: dict[str, tuple[str, str]]) -> None:
    excludes.write_excludes(project, os.environ)
    record = undo.begin_record(project, os.environ, COMMAND, [project.at(path) for path in texts])
    for path, texts_of_file in texts.items():
        _write_file(project, path, *texts_of_file)
    undo.finish_record(project, os.environ, record, changed=True)


def _write_file(project: Project, path: str, old: str, new: str) -> None:
    saved = memory_files.change_file(project, os.environ, project.at(path), lambda now: new if now == old else now)
    if not saved.what:
        raise BelayError(saved.file, saved.why or "was changed meanwhile", "call the command again")


def _make_data(rows: list[Tie], texts: dict[str, tuple[str, str]], missing: list[str], *, written: bool) -> TieResult:
    return {
        "results": [
            {"user": row.user, "used": row.used, "path": row.path, "line": row.line, "why": row.why} for row in rows
        ],
        "diff": "".join(unified(path, old, new) for path, (old, new) in texts.items()),
        "files": list(texts),
        "missing": missing,
        "written": written,
    }


def _list_lines(data: TieResult, folder: str) -> list[str]:
    if not data["results"]:
        return [f"No import leads from {shown(folder)} to another feature, or back."]
    lines = []
    for row in data["results"]:
        by = f": {shown(row['path'])}:{row['line']}" if row["path"] else ""
        lines.append(f"{shown(row['user'])} uses {shown(row['used'])}{by}")
    lines += [f"{shown(name)} has no CLAUDE.md, so nothing is written there" for name in data["missing"]]
    if data["written"]:
        return [*lines, f"Written: {', '.join(map(shown, data['files']))}. Undo: belay tie --undo"]
    nothing = "Nothing is written yet; the same command with --yes writes this."
    return [*lines, data["diff"].rstrip("\n"), nothing] if data["files"] else [*lines, "The files say so already."]
