"""`belay evolve`: how a memory file changed over git history, and what in it was never touched since."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output, terminal
from belay.cli.claude_files.code_rows import CodeRow, describe_code, list_code
from belay.cli.output import Result
from belay.core import files
from belay.core.errors import BadInput
from belay.core.plain_text import count, shown
from belay.memory import memory_files
from belay.memory.claude_files import evolution, untouched
from belay.memory.document import page

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.claude_files.evolution import Revision, SectionChange
    from belay.memory.claude_files.untouched import UntouchedStatement

SHOWN = 20
"""Untouched statements that are shown; --json has all of them."""
_SIGNS = {"added": "+", "removed": "-", "changed": "~", "reordered": "~", "renamed": "="}


class ChangeRow(TypedDict):
    """What a commit did to a section."""

    change: str
    section: str
    more: int
    fewer: int
    old: str


class RevisionRow(TypedDict):
    """A commit of the file."""

    commit: str
    date: str
    subject: str
    path: str
    old: str
    changes: list[ChangeRow]


class StatementRow(TypedDict):
    """A statement that no later commit touched."""

    line: int
    end: int
    text: str
    commit: str
    date: str
    days: int
    code: list[CodeRow]


class Evolution(TypedDict):
    """`belay evolve`."""

    file: str
    commits: list[RevisionRow]
    more: bool
    untouched: list[StatementRow]
    cut: bool


@output.command(
    "evolve",
    reads_history=True,
    examples="""
    belay evolve src/features/auth/CLAUDE.md
    belay evolve --all --json         CLAUDE.md, else MEMORY.md
    """,
)
@click.argument("file", required=False, default="")
@click.option("--all", "everything", is_flag=True, help=f"Up to {evolution.ALL} commits, not {evolution.MOST}.")
def command(file: str, everything: bool) -> Result:
    """Show how a memory file changed over git history.

    By section and commit, renames followed; then what nobody touched since it was written, and how often the code it
    names changed since.
    """
    project = output.here()
    name = _find_file(project, file)
    with terminal.Progress("Reading the history"):
        revisions, more = evolution.read_evolution(project, name, evolution.ALL if everything else evolution.MOST)
        if not revisions:
            raise BadInput(name, "has no commit yet, so nothing is known of its past", "commit it")
        found = page.parse(files.read(project.at(name)).decode("utf-8", "replace"))
        rows, cut = untouched.find_untouched(project, name, found)
    hidden = memory_files.is_hidden(project, os.environ, project.at(name))
    data = _make_data(name, revisions, more, rows, cut)
    return Result(data, "\n".join([*_list_commits(data), *_list_untouched(data, hidden)]))


def _find_file(project: Project, file: str) -> str:
    """Return the path from the root of a readable memory file; BadInput where it is none."""
    if not project.git_dir:
        raise BadInput(project.root, "is not in a git repository, so no file in it has a history", "git init")
    default = next((name for name in ("CLAUDE.md", "MEMORY.md") if os.path.isfile(project.at(name))), "CLAUDE.md")
    path = os.path.abspath(file) if file else project.at(default)
    if not os.path.lexists(path):
        raise BadInput(file or default, "does not exist", "give the path of a memory file")
    why = memory_files.explain_refusal(project, path)
    if why:
        raise BadInput(file or default, why, "give a text file of this project")
    return project.relative(path)


def _make_data(
    name: str, revisions: list[Revision], more: bool, rows: list[UntouchedStatement], cut: bool
) -> Evolution:
    return {
        "file": name,
        "commits": [_make_revision(revision) for revision in revisions],
        "more": more,
        "untouched": [
            {
                "line": row.statement.line, "end": row.statement.end, "text": row.statement.text,
                "commit": row.commit, "date": row.date, "days": row.days, "code": list_code(row.code),
            }
            for row in rows
        ],
        "cut": cut,
    }  # fmt: skip


def _make_revision(revision: Revision) -> RevisionRow:
    changes = [_make_change(change) for change in revision.changes]
    return {
        "commit": revision.commit, "date": revision.date, "subject": revision.subject, "path": revision.path,
        "old": revision.old, "changes": changes,
    }  # fmt: skip


def _make_change(change: SectionChange) -> ChangeRow:
    row = change._asdict()
    return {
        "change": row["kind"], "section": row["section"], "more": row["more"], "fewer": row["fewer"], "old": row["old"],
    }  # fmt: skip


def _list_commits(data: Evolution) -> list[str]:
    rows = data["commits"]
    span = f"from {rows[-1]['date']} to {rows[0]['date']}" if len(rows) > 1 else f"of {rows[0]['date']}"
    more = "; there are earlier ones: --all" if data["more"] else ""
    lines = [f"{data['file']}: {count(len(rows), 'commit')} {span}{more}"]
    for row in rows:
        lines.append(f"{row['date']} {row['commit'][:9]}  {row['subject']}")
        lines += [f"    renamed from {shown(row['old'])}"] if row["old"] else []
        lines += [f"    {_describe_change(change)}" for change in row["changes"]]
        lines += [] if row["changes"] or row["old"] else ["    no line of text changed"]
    return lines


def _describe_change(change: ChangeRow) -> str:
    numbers = [f"+{change['more']}" * bool(change["more"]), f"-{change['fewer']}" * bool(change["fewer"])]
    what = {
        "added": f"added, {count(change['more'], 'line')}",
        "removed": f"removed, {count(change['fewer'], 'line')}",
        "changed": " ".join(filter(None, numbers)),
        "reordered": "lines in another order",
        "renamed": f"formerly {change['old']}",
    }[change["change"]]
    return f"{_SIGNS[change['change']]} {change['section']}: {what}"


def _list_untouched(data: Evolution, hidden: bool) -> list[str]:
    rows = data["untouched"]
    moved = [row for row in rows if any(code["state"] != "exists" or code["commits"] for code in row["code"])]
    lines = ["", "Not touched since it was written, although the code it names changed:"] if moved else [""]
    for row in moved[:SHOWN]:
        text = "" if hidden else f": {row['text']}"
        lines.append(f"{data['file']}:{row['line']} written {row['date']} in {row['commit'][:9]}{text}")
        lines += [f"    {describe_code(code)}" for code in row["code"]]
    lines += [f"… and {len(moved) - SHOWN} more: --json"] if len(moved) > SHOWN else []
    lines += ["Not all code could be counted in time."] if data["cut"] else []
    left = [row for row in rows if row not in moved]
    if left:
        oldest = min(left, key=lambda row: (-row["days"], row["line"]))
        other = "other " if moved else ""
        lines.append(
            f"{count(len(left), f'{other}statement')} never touched since written; the oldest is line "
            f"{oldest['line']}, of {oldest['date']} ({oldest['commit'][:9]})."
        )
    return lines if len(lines) > 1 else []
