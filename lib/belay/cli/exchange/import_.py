"""`workshop import`: past sessions, other tools' memories and knowledge.jsonl into the knowledge base."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.cli.workshop.removal import parse_time
from belay.client import conversation
from belay.core import files, paths
from belay.core.errors import BadCall, BadInput
from belay.core.plain_text import count, shown
from belay.knowledge.exchange import foreign, incoming, intake
from belay.knowledge.exchange import transcripts as past
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.knowledge.exchange.foreign import Memory
    from belay.knowledge.exchange.json_rows import Row
    from belay.knowledge.exchange.transcripts import PastSessions

_MAGIC = b"SQLite format 3\0"
SHOWN = 10
_TEXT_CHARS = 100
_WHY = {"asked": "asked to be remembered", "answered": "answered questions", "rejected": "rejected with words",
        "said again": "said in several sessions"}  # fmt: skip
_MOST = "a file of at most 256 MiB"
_LAST_IMPORT = "last-import"
"""What Workshop 2 called that which Belay always does: what was imported is not read again."""
_EARLIER = {
    "--interactive": "`workshop import` shows what would come in, `workshop clean` goes through what did",
    "--force": "what was imported is never imported twice: nothing is lost by leaving it out",
    "--llm": "Belay calls no model: leave it out",
    "--llm-local": "Belay calls no model: leave it out",
    "--llm-endpoint": "Belay calls no model: leave it out",
    "--store-raw-messages": "the transcripts stay where Claude Code keeps them: leave it out",
}
"""Option of Workshop 2 → what to do instead."""


def _refused(function: Callable[..., Result]) -> Callable[..., Result]:
    """Add those options, hidden: each says why Belay has none."""
    for name in _EARLIER:
        names = (name, "-i") if name == "--interactive" else (name,)
        with_value = {"default": ""} if name == "--llm-endpoint" else {"is_flag": True}
        function = click.option(*names, hidden=True, **with_value)(function)
    return function


@output.command(
    "import",
    examples="""
    workshop import                              what past sessions hold; nothing is written
    workshop import --transcripts --yes          also --execute, as Workshop 2 called it
    workshop import --since 2026-05-31
    workshop import old/3f2a.jsonl --execute     a transcript that lies elsewhere
    workshop import .claude/memory/knowledge.jsonl
    workshop import ~/.claude-mem/claude-mem.db --project shop
    workshop import ../old/.workshop/workshop.db --dry-run
    """,
)
@click.option("--transcripts", is_flag=True, help="Claude Code's own records of this project's sessions.")
@click.option("--since", default="", metavar="DATE", help="Of past sessions only what was said since; or last-import.")
@click.option("--dry-run", is_flag=True, help="Only say what would come in.")
@click.option("--yes", "--execute", is_flag=True, help="Import past sessions without asking.")
@click.option("--project", default="", metavar="NAME", help="Of claude-mem's projects this one.")
@_refused
@click.argument("names", nargs=-1, metavar="[FILE]")
def command(
    transcripts: bool, since: str, dry_run: bool, yes: bool, project: str, names: tuple[str, ...], **earlier: object
) -> Result:
    """Bring in past sessions, another tool's memory, a team's."""
    _refuse(earlier)
    named = [name for name in names if os.path.isfile(name) and conversation.find_folder(name)]
    if len(named) == len(names):
        return _sessions(dry_run, yes, since, named)
    if len(names) > 1:
        raise BadCall(f"{len(names)} files", "are too many", "only transcripts may be several: call it for each file")
    if transcripts or since:
        raise click.UsageError("name a file, or --transcripts; --since is for past sessions")
    return _file(names[0], dry_run, project)


def _refuse(given: dict[str, object]) -> None:
    """Raise BadCall where an option of Workshop 2 is given that Belay does not have."""
    for name, why in _EARLIER.items():
        if given[name.strip("-").replace("-", "_")]:
            raise BadCall(name, "is not in Belay", why)


def _sessions(dry_run: bool, yes: bool, since: str, named: list[str]) -> Result:
    project = output.here()
    start = parse_time(since) if since and since != _LAST_IMPORT else ""
    with terminal.Progress("Reading past sessions"):
        found = past.read_new(project, os.environ, paths.find_ledger(base.place().path), start, named)
    data = _data("transcripts") | _make_fields(found)
    text = "\n".join(_report(found, "you named" if named else "of this project"))
    if dry_run or not found.new or not (yes or _agreed(text)):
        more = "" if dry_run or not found.new or sys.stdin.isatty() else "\nNothing was written. --yes imports this."
        return Result(data, text + more)
    with base.open_base(create=True) as store, terminal.Progress("Importing"):
        new = past.save_sessions(store, found)
    return Result(data | {"written": True, "new": new}, f"{text}\n{_kept(new)}" if yes else _kept(new))


def _agreed(text: str) -> bool:
    return sys.stdin.isatty() and click.confirm(f"{text}\nImport this?", default=False, err=True)


def _kept(new: int) -> str:
    return f"Imported: {count(new, 'new entry', 'new entries')}. `workshop recent` shows them."


def _data(tool: str, file: str = "") -> dict[str, object]:
    empty: dict[str, object] = {"both": [], "refused": [], "left_out": {}, "entries": []}
    told: dict[str, object] = {"from": tool, "file": file, "written": False, "first": "", "last": "", **empty}
    numbers = ("found", "new", "changed", "same", "sessions", "own", "unread", "turns", "waiting")
    return told | dict.fromkeys(numbers, 0)


def _make_fields(found: PastSessions) -> dict[str, object]:
    listed = [{"type": "", "text": one.text, "why": why, "time": one.time} for one, why, _ in found.chosen]
    return {"sessions": found.sessions, "unread": found.new, "own": found.own, "first": found.first,
            "last": found.last, "turns": found.turns, "found": len(found.chosen), "waiting": found.waiting,
            "left_out": dict(found.left_out), "entries": listed}  # fmt: skip


def _report(found: PastSessions, which: str) -> list[str]:
    if not found.new:
        return [f"There is nothing new to import in {count(found.sessions, 'transcript')} {which}"
                f"{f', {found.own} of them in the journal already' if found.own else ''}."]  # fmt: skip
    span = f", {found.first[:10]} to {found.last[:10]}" if found.first else ""
    by = {why: sum(1 for one in found.chosen if one[1] == why) for why in _WHY}
    kinds = ", ".join(f"{number} {_WHY[why]}" for why, number in by.items() if number)
    said = count(found.turns, "prompt or answer", "prompts and answers")
    rows = [f"{count(found.new, 'past session')} to read{span}: {said}."]
    if found.own:
        rows.append(f"{count(found.own, 'session')} more are in the journal already and are not read again.")
    rows.append(f"{count(len(found.chosen), 'entry', 'entries')}{f' ({kinds})' if kinds else ''}; "
                f"{found.waiting} more sentences wait until another session says them again.")  # fmt: skip
    rows += [f"  {_WHY[why]}: {shown(one.text, _TEXT_CHARS)}" for one, why, _ in found.chosen[:SHOWN]]
    if len(found.chosen) > SHOWN:
        rows.append(f"  and {len(found.chosen) - SHOWN} more")
    left = ", ".join(f"{number} {name}" for name, number in sorted(found.left_out.items()) if number)
    return [*rows, *([f"Left out: {left}."] if left else [])]


def _file(file: str, dry_run: bool, project: str) -> Result:
    head = _head(file)
    if head.startswith(_MAGIC):
        lines = foreign.read_belay_database(file)
        if lines:
            return _rows(file, lines, dry_run)
        return _memory(file, foreign.read_database(file, project or _name()), dry_run)
    data = files.read(file, foreign.FILE_BYTES + 1)
    if len(data) > foreign.FILE_BYTES:
        raise BadInput(file, "is too large", f"{_MOST} can be read")
    if head.lstrip()[:1] == b"{" and not _is_lines(data):
        return _memory(file, foreign.read_export(file, data, project or _name()), dry_run)
    return _rows(file, data, dry_run)


def _head(file: str) -> bytes:
    if not os.path.isfile(file):
        raise BadInput(file, "is not a file", "name knowledge.jsonl, a database or an export")
    return files.read(file, 64)


def _is_lines(data: bytes) -> bool:
    """Whether a text is knowledge.jsonl: its first line is a complete object with an id."""
    return b'"id"' in data.lstrip().partition(b"\n")[0]


def _name() -> str:
    """Return what claude-mem calls this project: the name of its folder."""
    project = base.project()
    return os.path.basename(project.home) if project else ""


def _memory(file: str, memory: Memory, dry_run: bool) -> Result:
    with base.open_base(create=True) as store, terminal.Progress("Importing"):
        rows = intake.select_new(store, memory)
        new = 0 if dry_run else intake.save_entries(store, memory, rows)
    rows = [row._replace(content=redact(row.content)) for row in rows]
    listed = [{"type": kind, "text": text, "why": memory.tool, "time": fields.get("created", "")}
              for kind, text, fields in rows]  # fmt: skip
    data = _data(memory.tool, file) | {
        "found": len(rows), "new": new, "written": not dry_run, "same": len(memory.entries) - len(rows),
        "entries": listed, "left_out": dict.fromkeys(memory.left, 0),
    }  # fmt: skip
    said = f"{memory.tool}: {count(len(rows), 'entry', 'entries')} not imported before"
    said += f", {data['same']} known." if data["same"] else "."
    shown_rows = [f"  {kind}: {shown(text, _TEXT_CHARS)}" for kind, text, _ in rows[:SHOWN]]
    left = f"Not imported: {', '.join(map(shown, memory.left))}." if memory.left else ""
    last = "" if not rows else "Nothing was written." if dry_run else _kept(new)
    return Result(data, "\n".join(filter(None, [said, *shown_rows, left, last])))


def _rows(file: str, data: bytes, dry_run: bool) -> Result:
    with base.open_base(create=True) as store, terminal.Progress("Importing"):
        plan = incoming.plan_import(store, file, data)
        if not dry_run:
            incoming.apply_plan(store, plan)
    refused = [{"line": line, "why": why} for line, why in plan.refused]
    if plan.refused and not (plan.new or plan.changed or plan.same):
        raise BadInput(f"{file}:{refused[0]['line']}", str(refused[0]["why"]), "nothing was imported")
    told = _data("knowledge", file) | {
        "found": len(plan.new) + len(plan.changed) + plan.same, "new": len(plan.new), "changed": len(plan.changed),
        "same": plan.same, "both": [list(pair) for pair in plan.both], "refused": refused, "written": not dry_run,
        "entries": [_listed(row) for row in (*plan.new, *plan.changed)], "left_out": dict.fromkeys(plan.dropped, 1),
    }  # fmt: skip
    rows = [f"{'Would bring' if dry_run else 'Brought'} in: {len(plan.new)} new, {len(plan.changed)} changed, "
            f"{plan.same} the same."]  # fmt: skip
    rows += [f"{own} was edited differently on both sides: the older text is {kept}." for kept, own in plan.both]
    rows += incoming.describe_dropped(plan, file)
    rows += [f"{file}:{line} {why}; left out." for line, why in plan.refused[:SHOWN]]
    return Result(told, "\n".join(rows))


def _listed(row: Row) -> dict[str, str]:
    return {"type": row.get("type", ""), "text": row.get("content", ""), "why": row["id"],
            "time": row.get("updated", "")}  # fmt: skip
