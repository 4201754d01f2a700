"""`belay improvements`: known issues of the memory, joined with the code they name; facts with file:line or commit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.cli import output, terminal
from belay.cli.claude_files.code_rows import CodeRow, describe_code, list_code
from belay.cli.output import Result
from belay.core import kinds
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import count, shown
from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store
from belay.memory import memory_files
from belay.memory.branches import overlay
from belay.memory.claude_files import known_issues
from belay.memory.claude_files.issue_evidence import EvidenceReader, JoinedIssue
from belay.memory.claude_files.known_issues import AVOID, TRAP, Issue
from belay.memory.document import page
from belay.places import hierarchy
from belay.repository import projects
from belay.repository.survey import quotes

if TYPE_CHECKING:
    from belay.core.paths import Project

MOST = 200
"""Issues that are joined with code in one run."""
_NAMES = {
    known_issues.ISSUE: "known issue", TRAP: "gotcha", AVOID: "to avoid", known_issues.PREFER: "preferred",
    known_issues.PLANNED: "planned improvement", known_issues.INSIGHT: "insight",
}  # fmt: skip
_ENTRY_KINDS = {kinds.GOTCHA: TRAP, kinds.ANTIPATTERN: AVOID}


class AppearedRow(TypedDict):
    """Code, younger than the issue, with a word that the issue says is missing."""

    word: str
    path: str
    line: int
    commit: str
    date: str


class IssueRow(TypedDict):
    """A known issue and what the code says of it; an entry of the knowledge base has its id for a path, and line 0."""

    path: str
    line: int
    kind: str
    text: str
    commit: str
    date: str
    workaround: bool
    code: list[CodeRow]
    appeared: list[AppearedRow]


class Improvements(TypedDict):
    """`belay improvements`; `without` are the places of issues for which the code shows nothing."""

    results: list[IssueRow]
    without: list[str]
    hidden: list[str]
    cut: bool


@output.command(
    "improvements",
    reads_history=True,
    examples="""
    belay improvements
    belay improvements --json
    """,
)
def command() -> Result:
    """Join known issues with the code they name. Facts only, each with its file and line or commit."""
    project = output.here()
    if not project.git_dir:
        raise BadInput(project.root, "is not in a git repository, so code has no history to compare with", "git init")
    with terminal.Progress("Reading memory and code"):
        issues, hidden = _list_issues(project)
        reader = EvidenceReader(project)
        joined = reader.join(issues[:MOST])
    rows = [_make_row(row) for row in joined]
    data: Improvements = {
        "results": [row for row in rows if row["code"] or row["appeared"]],
        "without": [_place(row) for row in rows if not row["code"] and not row["appeared"]],
        "hidden": hidden,
        "cut": reader.counter.is_cut or len(issues) > MOST,
    }
    return Result(data, "\n".join(_list_lines(data)))


def _list_issues(project: Project) -> tuple[list[Issue], list[str]]:
    """Return the issues of all memory files and of the knowledge base, and the files that Claude is not shown."""
    branch = projects.branch_and_commit(project)[0]
    names = [place.path for place in hierarchy.read(project.root).places]
    own = [project.memory_md, *([overlay.overlay_path(project, branch)] if branch else [])]
    names += [project.relative(path) for path in own if os.path.isfile(path)]
    hidden = [name for name in names if _is_hidden(project, name)]
    found = [
        issue
        for name in dict.fromkeys(names)
        if name not in hidden and not memory_files.explain_refusal(project, project.at(name))
        for issue in known_issues.list_issues(name, page.parse(memory_files.read_text(project.at(name))))
    ]
    return found + _list_entries(project), hidden


def _is_hidden(project: Project, name: str) -> bool:
    """Whether a file is a memory that nobody accepted; a CLAUDE.md the client reads by itself."""
    is_claudes = os.path.basename(name) == hierarchy.NAME or name.startswith(hierarchy.RULES)
    return not is_claudes and memory_files.is_hidden(project, os.environ, project.at(name))


def _list_entries(project: Project) -> list[Issue]:
    """Return the gotchas and antipatterns of the knowledge base; [] where it cannot be read."""
    if not os.path.isfile(project.workshop):
        return []
    try:
        with Store(project.workshop, os.environ) as store:
            rows = entries.list_entries(store.connection, tuple(_ENTRY_KINDS), limit=MOST)
    except BelayError:
        return []
    return [
        Issue(
            row.id, 0, 0, _ENTRY_KINDS[row.type], " ".join([row.content, *(f"`{name}`" for name in row.files)]), False
        )
        for row in rows
    ]


def _make_row(row: JoinedIssue) -> IssueRow:
    issue = row.issue
    appeared: list[AppearedRow] = [
        {"word": one.word, "path": one.path, "line": one.line, "commit": one.commit, "date": one.date}
        for one in row.appeared
    ]
    return {
        "path": issue.path, "line": issue.line, "kind": issue.kind, "text": quotes.line(issue.text, 200),
        "commit": row.commit, "date": row.date, "workaround": issue.has_workaround, "code": list_code(row.code),
        "appeared": appeared,
    }  # fmt: skip


def _place(row: IssueRow) -> str:
    return f"{row['path']}:{row['line']}" if row["line"] else row["path"]


def _list_lines(data: Improvements) -> list[str]:
    lines = []
    for row in data["results"]:
        since = f", written {row['date']} in {row['commit'][:9]}" if row["commit"] else ""
        around = "" if not row["workaround"] else ", with a way around"
        lines += [f"{_place(row)} {_NAMES[row['kind']]}{since}{around}", f"    {row['text']}"]
        lines += [f"    {describe_code(code)}" for code in row["code"]]
        lines += [
            f"    “{one['word']}” is in {shown(one['path'])}:{one['line']} since {one['commit'][:9]} on {one['date']}"
            for one in row["appeared"]
        ]
    if not data["results"]:
        lines.append("No known issue of the memory names code of this project.")
    if data["without"]:
        what = count(len(data["without"]), "issue names no code that was found", "issues name no code that was found")
        more = f" and {len(data['without']) - 10} more" if len(data["without"]) > 10 else ""
        lines.append(f"{what}: {', '.join(data['without'][:10])}{more}")
    lines += [f"{name} came with the repository and is not accepted, so it was not read." for name in data["hidden"]]
    return [*lines, *(["Not everything could be compared in time."] if data["cut"] else [])]
