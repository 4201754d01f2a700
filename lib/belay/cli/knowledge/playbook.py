"""`belay playbook`: patterns of CLAUDE.md and what came of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core import clock, plain_text
from belay.core.errors import mend_foreign
from belay.knowledge.playbooks import page, playbook_files, update
from belay.knowledge.playbooks.playbook_files import StoredPlaybook

if TYPE_CHECKING:
    from belay.cli.results import Playbook

SHOWN = 200
ACTS = ("list", "show", "new", "helpful", "harmful")


@output.command(
    "playbook",
    examples="""
    belay playbook                                   every playbook and its numbers
    belay playbook new parse-dates --pattern "Parse dates with the shared parser"
    belay playbook show parse-dates                  the pattern and its evidence
    belay playbook harmful parse-dates --evidence "lost the time zone in the importer"
    """,
)
@click.argument("act", type=click.Choice(ACTS), default="list")
@click.argument("name", default="")
@click.option("--pattern", default="", help="new: words of the line of CLAUDE.md that it counts for.")
@click.option("--in", "file", default="", metavar="FILE", help="new: another CLAUDE.md than the project's.")
@click.option("--evidence", default="", metavar="TEXT", help="helpful, harmful: what happened.")
def command(act: str, name: str, pattern: str, file: str, evidence: str) -> Result:
    """Count what helped and what harmed, pattern by pattern."""
    project = here()
    if act == "list":
        return _result(playbook_files.list_playbooks(project))
    if not name:
        raise click.UsageError(f"which? belay playbook {act} NAME")
    if act == "new" and not pattern.strip():
        raise click.UsageError('of which pattern? belay playbook new NAME --pattern "words of a line of CLAUDE.md"')
    if act == "new":
        made = playbook_files.create_playbook(project, os.environ, name, pattern, file)
        return _result(
            [made],
            f"Made {project.relative(playbook_files.playbook_path(project, name))}; delete it to undo.",
        )
    if act == "show":
        return _result([playbook_files.load_playbook(project, name)], whole=True)
    playbook_files.add_outcome(project, os.environ, name, page.Evidence(act, clock.local_date(), "", evidence))
    return _result([update.load_settled(project, os.environ, name)])


def _result(found: list[StoredPlaybook], said: str = "", whole: bool = False) -> Result:
    lines = [said] if said else []
    for one in found:
        lines += [_line(one), *(_details(one) if whole else ())]
    return Result({"playbooks": [_row(one) for one in found]}, "\n".join(lines) or "There is no playbook here.")


def _row(one: StoredPlaybook) -> Playbook:
    book, pattern = one.playbook, one.pattern
    return {
        "name": one.name, "status": book.status, "helpful": book.count(page.HELPFUL),
        "harmful": book.count(page.HARMFUL), "file": book.pattern[0], "line": pattern.line if pattern else 0,
        "pattern": pattern.text if pattern else "", "antipattern": book.fields.get("antipattern", ""),
        "evidence": [each._asdict() for each in book.evidence],
    }  # fmt: skip


def _line(one: StoredPlaybook) -> str:
    row = _row(one)
    numbers = f"{row['helpful']} helpful, {row['harmful']} harmful"
    said = plain_text.shown(row["pattern"], SHOWN) if one.pattern else "its pattern is gone"
    place = f"{plain_text.shown(row['file'])}:{row['line']}" if one.pattern else plain_text.shown(row["file"])
    return f"{one.name} ({row['status']}: {numbers}): {said} ({place})"


def _details(one: StoredPlaybook) -> list[str]:
    rows = [plain_text.shown(each.line, SHOWN * 2) for each in one.playbook.evidence]
    mark = one.playbook.fields.get("antipattern")
    if mark:
        rows.append(f"It became the antipattern {plain_text.shown(mark)}.")
    elif one.playbook.status == page.HARMFUL and one.pattern:
        names = " ".join(plain_text.shown(name) for name in playbook_files.list_untrusted(here(), os.environ, one))
        rows.append(f"It becomes an antipattern once its text is accepted; {mend_foreign(names)}" if names else "")
    return list(filter(None, rows))
