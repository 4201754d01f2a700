"""`belay sessions` and `session`: past sessions by what was said in them, the record and the conversation of one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.knowledge import search_results
from belay.cli.knowledge.search_results import Asked
from belay.cli.output import Result, here
from belay.cli.sessions import session_record
from belay.client import transcript_folders
from belay.core import clock, plain_text, settings
from belay.core.errors import BadInput
from belay.knowledge.conversations import archive, finding, index
from belay.knowledge.conversations.archive import Archive

if TYPE_CHECKING:
    from belay.cli.results import Session
    from belay.core.paths import Project
    from belay.knowledge.conversations.finding import SessionHit
    from belay.knowledge.conversations.index import Summary
    from belay.knowledge.store.records import SessionRow

SHOWN, FILES, TITLE = 10, 3, 90
LAST = "last"


@output.command(
    "sessions",
    examples="""
    belay sessions                        the latest sessions, and how to resume each
    belay sessions flaky pool test        those in which that was said, the best first
    belay sessions --branch main --file src/ --since 2w
    belay sessions --show 3f2a9c1e        the conversation of one, without tool calls
    """,
)
@click.argument("words", nargs=-1)
@click.option(
    "-k", "-n", "--limit", "k", default=SHOWN, type=click.IntRange(1, 1000), help="How many sessions at most."
)
@click.option("--branch", default="", help="Only sessions that were on a branch.")
@click.option("--file", "files", multiple=True, help="Only sessions that edited a file, or one below a folder.")
@click.option("--since", default="", help="Not before a date (2026-05-31) or so long ago (14d, 2w, 3m).")
@click.option("--show", "shown", default="", metavar="ID", help="Print the conversation of one session.")
def command(words: tuple[str, ...], shown: str, **options: Any) -> Result:
    """List past sessions by what was said in them."""
    if shown and words:
        raise click.UsageError("--show takes a session, and no words beside it")
    project = here()
    kept = Archive(project.sessions, os.environ)
    if shown:
        return _show(project, kept, shown)
    asked = Asked(query=words, **options)
    asked = asked._replace(since=search_results.parse_date(asked.since))
    rows = _find(kept, asked) if asked.text else _list_latest(kept, asked)
    recorded = session_record.load_rows(project) if rows else {}
    data = [_make_row(kept, row, hit, recorded.get(row.name)) for row, hit in rows]
    return Result({"sessions": data, "kept": len(kept.list_names())}, _text(project, asked, data))


@output.command("session", examples="belay session\nbelay session 3f2a9c1e")
@click.argument("name", metavar="[ID]", default=LAST)
def show(name: str) -> Result:
    """Print the record and the conversation of a session. The last one, or by ID: as `sessions --show ID`."""
    project = here()
    kept = Archive(project.sessions, os.environ)
    latest = _find_latest(project, kept) if name == LAST else name
    if not latest:
        empty: dict[str, object] = {"id": "", "title": "", "lines": [], "record": None}
        return Result(empty, "No session is kept yet. `belay index` reads them.")
    return _show(project, kept, latest)


def _find_latest(project: Project, kept: Archive) -> str:
    latest = next(iter(index.read_catalog(kept)), None)
    return latest.name if latest else next(iter(session_record.list_names(project, "")), "")


def _show(project: Project, kept: Archive, given: str) -> Result:
    name = _resolve(project, kept, given)
    record, lines = session_record.load(project, name), finding.load_lines(kept, name)
    title = next((row.title for row in index.read_catalog(kept) if row.name == name), "")
    said = plain_text.block("\n".join(lines)) if lines else "Nothing is kept of this session's conversation."
    text = "\n".join([*session_record.format_lines(record), "", said] if record else [said])
    return Result({"id": name, "title": title, "lines": lines, "record": record}, text)


def _resolve(project: Project, kept: Archive, given: str) -> str:
    """Return the session that the beginning of a name means, of those with a conversation, else of those recorded."""
    try:
        return finding.resolve(kept, given)
    except BadInput:
        names = session_record.list_names(project, given) if given else []
        if len(names) != 1:
            raise
        return names[0]


def _find(kept: Archive, asked: Asked) -> list[tuple[Summary, SessionHit | None]]:
    if not os.path.isfile(kept.index):
        return []
    catalog = {row.name: row for row in index.read_catalog(kept)}
    narrowed: Any = {"files": asked.files, "branch": asked.branch, "since": asked.since}
    hits = finding.find(kept, asked.text, k=asked.k, once=True, **narrowed).hits
    return [(catalog[hit.id], hit) for hit in hits if hit.id in catalog]


def _list_latest(kept: Archive, asked: Asked) -> list[tuple[Summary, SessionHit | None]]:
    fits = (row for row in index.read_catalog(kept) if finding.passes(row, asked.files, asked.branch))
    rows: list[tuple[Summary, SessionHit | None]] = [(row, None) for row in fits if row.active >= asked.since]
    return rows[: asked.k]


def _make_row(kept: Archive, row: Summary, hit: SessionHit | None, recorded: SessionRow | None) -> Session:
    keys = (kept.load_progress(row.name) or {}).get("at", {})
    commands = [transcript_folders.find_resume(key, row.folder, os.getcwd(), os.environ) for key in keys]
    made: Session = {
        "id": row.name, "title": row.title, "started": row.started, "active": row.active, "commit": row.commit,
        "branches": [*row.branches], "files": [*row.files], "prompts": row.prompts, "folder": row.folder,
        "resume": next(filter(None, commands), ""), "record": recorded,
    }  # fmt: skip
    if hit:
        made |= {"start": hit.start, "end": hit.end, "score": hit.score, "snippet": hit.snippet}
    return made


def _text(project: Project, asked: Asked, rows: list[Session]) -> str:
    if rows:
        return "\n".join(_format(row) for row in rows)
    if not settings.load_settings(project, os.environ)["search_sessions"]:
        return "Sessions are not kept: the setting `search_sessions` is off."
    if any((asked.text, asked.files, asked.branch, asked.since)):
        return "No session fits. Other words may do; `belay index` brings in what is new."
    return "No session is kept yet. `belay index` reads what the client has of this project."


def _format(row: Session) -> str:
    """Return a session on three or four lines: when and where, what was found, the files, how to go on."""
    when = f"{clock.local_date(row['active'])} {clock.local_time(row['active'])}" if row["active"] else "no date"
    branch = f"  [{plain_text.shown(row['branches'][-1], 40)}]" if row["branches"] else ""
    lines = [f"{when}{branch}  {plain_text.shown(row['title'], TITLE) or 'no title'} ({_count(row)})"]
    lines += [f"    {line}" for line in session_record.format_stated(row["record"])]
    lines += [f"    {plain_text.printable(row['snippet'])}"] if row.get("snippet") else []
    if row["files"]:
        more = f" and {len(row['files']) - FILES} more" if len(row["files"]) > FILES else ""
        lines.append("    " + ", ".join(plain_text.shown(path) for path in row["files"][:FILES]) + more)
    gone = f"belay sessions --show {archive.shorten(row['id'], ())}  (the client cannot resume it any more)"
    return "\n".join([*lines, f"    {row['resume'] or gone}"])


def _count(row: Session) -> str:
    return plain_text.count(row["prompts"], "prompt")
