"""`belay lint`: what wastes tokens in a memory file, with its line and what to do; nothing is changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result
from belay.core import files, paths, plain_text, settings
from belay.core.constants import FILE_BYTES, MEMORY_SUGGEST
from belay.core.errors import BadInput
from belay.core.plain_text import printable
from belay.memory import memory_files
from belay.memory.compression import archive, compression, lengths, waste
from belay.memory.document import page
from belay.memory.document.page import Page
from belay.repository import projects

if TYPE_CHECKING:
    from belay.cli.results import Lint, WasteRow

BESIDE = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"), "AGENTS.md", "README.md")
"""What Claude or anybody reads anyway: a fact in one of them is not needed in a memory."""
SHOWN_CHARS = 90


@output.command(
    "lint",
    examples="""
    belay lint              this project's MEMORY.md
    belay lint CLAUDE.md
    belay lint --json
    """,
)
@click.argument("file", required=False, default="")
def command(file: str) -> Result:
    """Name what wastes tokens in a memory file. Each with its line and a remedy; exit 1 if there is any."""
    path = os.path.abspath(file) if file else output.here().memory_md
    project = projects.find(os.path.dirname(path), os.environ)
    found = _page(path)
    is_memory = not _is_beside(path)
    rows = waste.find_waste(found, "\0own", _others(project, path), is_memory)
    name = file or "MEMORY.md"
    data = _data(name, found, rows, is_memory)
    silent = project is not None and memory_files.is_hidden(project, os.environ, path)
    long = "belay compress --dry-run" if silent else _long(project, path, found)
    return Result(data, "\n".join(_format_lines(data, project, silent, long)), 1 if rows else 0)


def _long(project: paths.Project | None, path: str, found: Page) -> str:
    """Return what is to be done with a memory that is long: compress it, or what is long where that finds nothing."""
    if project is None or not len(found.lines) > settings.load_settings(project, os.environ)["memory_suggest"]:
        return "belay compress --dry-run"
    report = compression.compress_file(project, os.environ, path, dry=True, asked=True)
    long = "" if report.why or report.plan.removed else lengths.format_lengths(lengths.find_longest_sections(found))
    return long or "belay compress --dry-run"


def find_elsewhere(project: paths.Project, path: str, line: int) -> str:
    """Return which file, and where, says already what a line (1-based) of a memory file says; "" where none does."""
    found = waste.find_waste(_page(path), "\0own", _others(project, path)) if line else []
    rows = [row.mend for row in found if (row.rule, row.line) == ("elsewhere", line)]
    return rows[0].partition(": ")[2] if rows else ""


def _is_beside(path: str) -> bool:
    return os.path.basename(path).lower() in ("claude.md", "claude.local.md", "agents.md", "readme.md")


def _page(path: str) -> Page:
    """Return the page of a readable file; BadInput says in one line why there is none."""
    if not os.path.isfile(path):
        what = "is not a file" if os.path.lexists(path) else "does not exist"
        raise BadInput(path, what, "give the path of a memory file")
    if os.path.getsize(path) > FILE_BYTES:
        raise BadInput(path, "is over 1 MB", "a memory of that size is not read; split it")
    try:
        return page.parse(files.read(path).decode("utf-8", "surrogateescape"))
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read", "check its permissions") from error


def _others(project: paths.Project | None, path: str) -> dict[str, Page]:
    """Return the readable files that say a thing already; a CLAUDE.md is held against the README alone."""
    if project is None:
        return {}
    native = paths.native_memory(os.environ, project.home)
    rows = [(name, project.at(name)) for name in BESIDE] + [("auto memory", native)]
    rows = [(name, full) for name, full in rows if not _is_beside(path) or name == "README.md"]
    return {name: _page(full) for name, full in rows if full != path and _is_readable(project, full, native)}


def _is_readable(project: paths.Project, full: str, native: str) -> bool:
    if not os.path.isfile(full) or os.path.getsize(full) > FILE_BYTES:
        return False
    return full == native or not memory_files.explain_refusal(project, full)


def _data(name: str, found: Page, rows: list[waste.Finding], is_memory: bool) -> Lint:
    told: list[WasteRow] = [
        {
            "line": row.line,
            "rule": row.rule,
            "text": row.text.encode("utf-8", "replace").decode(),
            "mend": row.mend,
            "tokens": row.tokens,
        }
        for row in rows
    ]
    return {
        "file": name,
        "lines": len(found.lines),
        "memory": is_memory,
        "findings": told,
        "tokens": sum(row.tokens for row in rows),
    }


def _format_lines(data: Lint, project: paths.Project | None, silent: bool, long: str) -> list[str]:
    name, rows = data["file"], data["findings"]
    lines = [_line(name, row, silent) for row in rows]
    most = settings.load_settings(project, os.environ)["memory_suggest"] if project else MEMORY_SUGGEST
    if data["memory"] and data["lines"] > most and not archive.NAME.fullmatch(os.path.basename(name)):
        lines.append(f"{name}: {data['lines']} lines, over {most}: {long}")
    total = f"{len(rows)} finding{'s' * (len(rows) > 1)}, about {data['tokens']:,} tokens" if rows else "no waste found"
    return [*lines, f"{name}: {total}"]


def _line(name: str, row: WasteRow, silent: bool) -> str:
    text = "" if silent else f": {plain_text.one_line(printable(str(row['text'])), SHOWN_CHARS)}"
    return f"{name}:{row['line']} {row['rule']}{text}\n    {row['mend']}"
