"""`workshop decision`, `gotcha`, `goal` and so on: one fact into the knowledge base."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.knowledge import base, rows
from belay.cli.output import Result
from belay.core import clock
from belay.core.plain_text import shown
from belay.knowledge.entries import entries, file_ties, history, ids, near_entry
from belay.knowledge.review import retirement
from belay.knowledge.store.store import check_text
from belay.repository import projects
from belay.safety import redaction

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.records import EntryFields

PRIORITIES = ("high", "medium", "low")
SAID_CHARS = 160
_CHANGED = {"priority": "Its priority is {} now.", "status": "It is open again."}
_FUNCTION = Callable[..., Any]


def fields(function: _FUNCTION) -> _FUNCTION:
    """Add the options that every kind of entry takes."""
    for add in (
        click.option(
            "-f", "--file", "--files", "files", multiple=True, metavar="PATH", help="A file or folder it concerns."
        ),
        click.option("-t", "--tag", "--tags", "tags", multiple=True, metavar="TAG", help="A word to find it by."),
        click.option("-r", "--reason", "--reasoning", "reason", default=None, help="Why it is so."),
    ):
        function = add(function)
    return function


_supersedes = click.option("--supersedes", default="", metavar="ID", help="The decision that this one replaces.")


@output.command(
    "decision",
    examples="""
    workshop decision "Use Supabase for auth" -r "Self-hosted requirement"
    workshop decision "Postgres for storage" --supersedes D-ABCDEF -f lib/store/
    """,
)
@fields
@_supersedes
@click.argument("text", nargs=-1, required=True)
def decision(text: tuple[str, ...], supersedes: str, **given: Any) -> Result:
    """Record what was decided. It gets an id; `workshop why` finds it with its reason and what it replaced."""
    return keep("decision", " ".join(text), supersedes=supersedes, **given)


def _plain(kind: str, help_text: str, example: str) -> click.Command:
    """Make the command of a kind that has nothing special."""

    def command(text: tuple[str, ...], **given: Any) -> Result:
        return keep(kind, " ".join(text), **given)

    command.__doc__ = help_text
    taking = fields(click.argument("text", nargs=-1, required=True)(command))
    return output.command(kind, examples=example)(taking)


gotcha = _plain(
    "gotcha",
    "Record a trap, for whoever comes next.",
    'workshop gotcha "iOS Simulator needs Xcode 15.4+ on macOS 15"',
)
note = _plain("note", "Record any other fact of the project.", 'workshop note "API rate limit is 100 req/min"')
antipattern = _plain(
    "antipattern",
    "Record what not to do. The reason says what to do.",
    'workshop antipattern "Don\'t use inline styles" -r "Use design system classes only"',
)
finding = _plain(
    "finding",
    "Record what an investigation found.",
    'workshop finding "The cache is never warm on Mondays" -f lib/cache.py',
)
unknown = _plain(
    "unknown",
    "Record an open question. `workshop resolve` closes it.",
    'workshop unknown "Who renews the certificate of staging?"',
)
deadend = _plain(
    "deadend",
    "Record what was tried and did not work.",
    'workshop deadend "Streaming the export" -r "the gateway cuts after 30 s"',
)


@output.command("preference", examples='workshop preference "Tables before prose in answers" -t style')
@fields
@click.option("-c", "--category", default="", metavar="WORD", help="The same as a tag that comes first.")
@click.argument("text", nargs=-1, required=True)
def preference(text: tuple[str, ...], category: str, tags: tuple[str, ...], **given: Any) -> Result:
    """Record how things are wanted here."""
    return keep("preference", " ".join(text), tags=(category, *tags), **given)


def keep(
    kind: str, text: str, *, reason: str | None = None, tags: tuple[str, ...] = (), files: tuple[str, ...] = (),
    priority: str = "", supersedes: str = "",
) -> Result:  # fmt: skip
    """Record an entry with where and by whom it was said; one that is known already is counted instead."""
    if not text.strip():
        raise click.UsageError(f'the text is empty: {output.program()} {kind} "what to keep"')
    check_text(text)  # before a base is made for it
    project, reason = base.place().project, (reason or "").strip()
    files_ = find_ties(project, files, f"{text} {reason}")
    with base.open_base(create=True) as store:
        former = ids.find_entry(store, supersedes) if supersedes else None
        fields = read_stamp(project)
        fields.update({
            "reasoning": reason, "tags": split_tags(tags), "files": files_, "priority": priority,
            "source": find_source(),
        })  # fmt: skip
        retired = retirement.find_contradicted(store, kind, text, clock.now())
        fields["supersedes"] = [one.id for one in retired]
        entry = store.add(kind, text, **fields)
        merged, changes = entry.seen > 1, _changes(entry, priority)
        entry = store.change(entry.id, **changes) if changes else entry
        beside = None if merged or former else near_entry.find_close(store, entry)
        if former:
            former, entry = history.supersede(store, former, entry)
    secret = bool(redaction.find_secrets(f"{text} {reason}"))
    told = [
        _recorded(entry, merged),
        *(_CHANGED[name].format(value) for name, value in changes.items()),
        *(_replaces(one) for one in ([former] if former else []) + retired),
        *([near_entry.format_line(beside, entry, output.program())] if beside else []),
        *_left(entry, reason if merged else ""),
        *_tied_to(entry, project),
        *(["A secret in it was replaced."] if secret else []),
    ]
    over = {"merged": merged, "supersedes": former.id if former else "", "redacted": secret}
    return Result({**rows.make_row(entry), **over}, "\n".join(told))


def find_source() -> str:
    """Return by whom a command is called: a person, or a tool of a session (HOST §1.3: CLAUDECODE)."""
    return "tool" if os.environ.get("CLAUDECODE") == "1" else "typed"


def read_stamp(project: Project | None) -> EntryFields:
    """Return the branch and commit of a project, as fields of an entry."""
    if project is None or not project.git_dir:
        return {}
    branch, commit = projects.branch_and_commit(project)
    return {"branch": branch, "commit": commit}


def find_ties(project: Project | None, given: tuple[str, ...], text: str) -> list[str]:
    """Return the paths that an entry is tied to: those given, else those of the project that its text names."""
    if project is None:
        return [os.path.normpath(name) + ("/" if name.endswith("/") else "") for name in given]
    if given:
        return [file_ties.make_relative(project, os.getcwd(), name) for name in given]
    return file_ties.find_named(project, text)


def split_tags(given: tuple[str, ...]) -> list[str]:
    """Return tags as they are kept; several may come in one, with commas."""
    words = (word.strip().lstrip("#") for tag in given for word in tag.split(","))
    return [word for word in words if word]


def _changes(entry: Entry, priority: str) -> dict[str, str]:
    """Return what changes of an entry that was said again: what was done is open again, a new priority counts."""
    changes = {"priority": priority} if priority and priority != entry.priority else {}
    return {**changes, "status": entries.ACTIVE} if entry.status == entries.DONE else changes


def _recorded(entry: Entry, merged: bool) -> str:
    text = f"{entry.type} {entry.id} “{shown(entry.content, SAID_CHARS)}”"
    return f"Known already: {text}, said {entry.seen} times" if merged else f"Recorded: {text}"


def _replaces(former: Entry) -> str:
    return f"It replaces {former.id} “{shown(former.content, SAID_CHARS)}”."


def _left(entry: Entry, reason: str) -> list[str]:
    """Return what saying an entry again did not change, each with the command that does."""
    told, program = [], output.program()
    if reason and entry.reasoning != redaction.redact(reason):
        told.append(f"Its reason stays; `{program} edit {entry.id} -r …` changes it.")
    if entry.status == entries.SUPERSEDED:
        back = f"`{program} supersede {entry.superseded_by} {entry.id}`"
        told.append(f"It was replaced by {entry.superseded_by}; {back} changes that.")
    return told


def _tied_to(entry: Entry, project: Project | None) -> list[str]:
    if not entry.files:
        return []
    absent = [name for name in entry.files if project and not os.path.lexists(project.at(name))]
    also = f" (not there: {', '.join(map(shown, absent))})" if absent else ""
    return [f"Tied to {', '.join(map(shown, entry.files))}{also}."]
