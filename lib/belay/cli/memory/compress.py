"""`belay compress`: what is over leaves MEMORY.md for the archive; dry run, exact diff, undo."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core import settings
from belay.core.constants import FILE_BYTES
from belay.core.errors import BadInput, mend_foreign
from belay.core.paths import Project
from belay.core.plain_text import block, one_line, printable, unified
from belay.core.text import tokens
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.memory.compression import archive, compression, lengths
from belay.memory.compression.compression import Report
from belay.memory.document import page
from belay.repository import excludes

if TYPE_CHECKING:
    from belay.cli.results import Compression

SHOWN_CHARS = 100

EXAMPLES = """
belay compress --dry-run          show the exact diff and what the archive gets
belay compress                    do it
belay compress --undo             undo the last one
belay compress --apply < y.yaml   put a written summary and milestones into the archive
"""


@output.command("compress", examples=EXAMPLES, reads_history=True)
@click.argument("file", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show what would change and change nothing.")
@click.option("--undo", is_flag=True, help="Undo the last compression.")
@click.option("--force", is_flag=True, help="Move completed items of unknown age too.")
@click.option("--apply", "applying", is_flag=True, help="Read summary and milestones as YAML from stdin.")
def command(file: str, dry_run: bool, undo: bool, force: bool, applying: bool) -> Result:
    """Move what is finished out of MEMORY.md. Every removed line is kept in MEMORY-ARCHIVE.md."""
    if dry_run + undo + applying > 1:
        raise click.UsageError("--dry-run, --undo and --apply cannot be combined")
    project = here()
    if undo:
        return _undone(project)
    if applying:
        return _applied(project)
    return _dry(project, file, force) if dry_run else _done(project, file, force)


def _path(project: Project, file: str) -> str:
    return os.path.abspath(file) if file else project.memory_md


def _dry(project: Project, file: str, force: bool) -> Result:
    path = _path(project, file)
    report = compression.compress_file(project, os.environ, path, dry=True, force=force, asked=True, count=tokens.count)
    return _result(project, path, report, dry=True)


def _done(project: Project, file: str, force: bool) -> Result:
    path = _path(project, file)
    excludes.write_excludes(project, os.environ)
    with memory_files.lock_memory(project):
        report = compression.compress_file(project, os.environ, path, force=force, asked=True, count=tokens.count)
    return _result(project, path, report, dry=False)


def _undone(project: Project) -> Result:
    with memory_files.lock_memory(project):
        files = memory_undo.undo_last_change(project, os.environ, compression.COMMAND)
    return Result({"undone": files}, "\n".join(["The last compression was undone:", *files]))


def _applied(project: Project) -> Result:
    if sys.stdin.isatty():
        raise BadInput("compress --apply", "reads YAML from stdin", "belay compress --apply < summary.yaml")
    summary, milestones = compression.parse_document(sys.stdin.buffer.read(FILE_BYTES))
    with memory_files.lock_memory(project):
        saved = compression.rewrite_archive(project, os.environ, summary, milestones)
    if saved.why:
        raise BadInput(saved.file, saved.why, "repair the file and try again")
    what = "summary and milestones rewritten" if saved.what else "has nothing to rewrite, or has these words already"
    return Result({"file": saved.file, "changed": bool(saved.what)}, f"{saved.file}: {what}")


def _result(project: Project, path: str, report: Report, dry: bool) -> Result:
    if report.why:
        raise BadInput(report.file, report.why, _mend(report.why))
    data = _data(project, report, dry)
    silent = bool(os.environ.get("CLAUDE_CODE_SESSION_ID")) and not memory_files.is_trusted(project, os.environ, path)
    return Result(data, "\n".join(_format_lines(data, silent)))


def _mend(why: str) -> str:
    return "/wrap-up or `belay rebuild` starts one" if why == "does not exist" else "repair it and try again"


def _data(project: Project, report: Report, dry: bool) -> Compression:
    lines = [len(page.split_lines(text)) for text in (report.before, report.plan.text)]
    plan = report.plan
    return {
        "file": report.file,
        "lines": {"before": lines[0], "after": lines[1]},
        "tokens": {"before": report.tokens[0], "after": report.tokens[1]},
        "due": compression.check_length(lines[0], settings.load_settings(project, os.environ)),
        "removed": _rows(plan.removed),
        "folded": _rows(plan.folded),
        "flagged": _rows(plan.flagged),
        "candidates": _rows(plan.candidates),
        "longest": [] if plan.removed else lengths.find_longest_sections(page.parse(report.before)),
        "archive": {"file": archive.FILE, "files": list(report.archive), "added": list(map(_plain, report.added))},
        "diff": _plain(unified(report.file, report.before, report.plan.text)),
        "written": report.written,
        "dry_run": dry,
    }  # fmt: skip


def _rows(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{key: _plain(value) if isinstance(value, str) else value for key, value in row.items()} for row in rows]


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _format_lines(data: Compression, silent: bool) -> list[str]:
    lines, counted = data["lines"], data["tokens"]
    would = "would go" if data["dry_run"] else "went"
    head = (
        f"{data['file']}: {would} from {lines['before']} to {lines['after']} lines, "
        f"{counted['before']:,} to {counted['after']:,} tokens"
    )
    if not data["removed"]:
        head = f"{data['file']}: nothing to move out ({lines['before']} lines, {counted['before']:,} tokens)"
    if silent:
        return [
            head,
            f"Its words are not shown: it came with the repository; {mend_foreign(data['file'])}.",
        ]
    long = lengths.format_lengths(data["longest"]) if data["due"] else ""
    told = [
        head,
        *([f"{data['file']}: {long}"] if long else []),
        *_listed("Without progress", data["flagged"]),
        *_listed("Candidates for the archive", data["candidates"]),
    ]
    if data["removed"]:
        told += ["", block(data["diff"]).rstrip("\n")]
        told += ["", f"Into {', '.join(data['archive']['files']) or 'the archive: it is there already'}:"]
        told += [f"  {block(line)}" for line in data["archive"]["added"]]
    return [*told, *_last(data)]


def _listed(title: str, rows: list[dict[str, object]]) -> list[str]:
    shown = [
        f"  line {row['line']}, {row['why']}: {one_line(printable(str(row['text'])), SHOWN_CHARS)}" for row in rows
    ]
    return [f"{title}:", *shown] if shown else []


def _last(data: Compression) -> list[str]:
    if not data["removed"]:
        return []
    if data["dry_run"]:
        return ["Nothing has been changed. `belay compress` does it, `belay compress --undo` undoes it."]
    return ["`belay compress --undo` undoes it."]
