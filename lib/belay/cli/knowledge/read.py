"""`workshop read`, `recent` and `show`: list what the knowledge base holds, or show one entry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base, rows
from belay.cli.output import Result
from belay.core import kinds
from belay.core.plain_text import block, count, printable, shown
from belay.knowledge.entries import entries, history, ids

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.knowledge.documents.documents import IndexedFile
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

FILES, STANDARDS = "files", "standards"
RECENT = 10
_BY_PLURAL = {plural: kind for kind, plural in kinds.PLURALS.items()}
_EVER = (*entries.CURRENT, entries.DONE, entries.SUPERSEDED)


def _plural(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """Return the name of a kind of entry in the plural, "" for none given."""
    known = [*_BY_PLURAL, FILES, STANDARDS]
    found = next((name for name in known if value and value.lower() in (name, name[:-1])), "")
    if value and not found:
        raise click.BadParameter(f"“{value}” is none of: {', '.join(known)}", ctx, param)
    return found


_limit = click.option("-n", "--limit", "limit", type=click.IntRange(1), default=None, help="At most so many.")


@output.command(
    "read",
    examples="""
    workshop read decisions
    workshop read goals --all     with what is done or replaced
    workshop read files           which documents are indexed
    workshop read notes --tags net --full
    """,
)
@click.option("--all", "ever", is_flag=True, help="Also what is done or was replaced.")
@click.option("-t", "--type", "kind", metavar="WHAT", callback=_plural, help="The same as WHAT.")
@click.option("--tags", multiple=True, metavar="TAG", help="Only what has this tag; of several, any.")
@click.option("--full", is_flag=True, help="All that is known of each.")
@_limit
@click.argument("what", callback=_plural, required=False)
def read(what: str, kind: str, ever: bool, limit: int | None, tags: tuple[str, ...], full: bool) -> Result:
    """List what the knowledge base holds. All of it, or decisions, gotchas, goals, notes, antipatterns, preferences,
    findings, unknowns, deadends, standards or indexed files."""
    if what and kind and what != kind:
        raise click.UsageError(f"{what} or {kind}? name one")
    if (tags or full) and (what or kind) in (FILES, STANDARDS):
        raise click.UsageError(f"--tags and --full are for entries, not for {what or kind}")
    return list_kind(what or kind, ever, limit, frozenset(tags), full)


def list_kind(
    what: str,
    ever: bool = False,
    limit: int | None = None,
    tags: frozenset[str] = frozenset(),
    full: bool = False,
) -> Result:
    """Return the list of one kind of thing, "" for entries of every kind, newest first; of `tags` any."""
    with base.open_base() as store:
        if what == FILES:
            return _files(store, limit)
        if what == STANDARDS:
            return _standards(store, limit)
        types = [_BY_PLURAL[what]] if what else []
        status = _EVER if ever else entries.CURRENT
        found = entries.list_entries(store.connection, types, status, -1 if tags else limit or -1)
        found = [one for one in found if not tags or tags.intersection(one.tags)][:limit]
        over = 0 if found or ever or tags else len(entries.list_entries(store.connection, types, _EVER, -1))
        lines = {one.id: history.load_chain(store, one) for one in found} if full else {}
    if lines:
        pages = ["\n".join(format_entry(one, lines[one.id])) for one in found]
        return Result(_data(found, what), "\n\n".join(pages))
    return _shown(found, what, typed=not what, over=over, tags=tags)


@output.command("recent", examples="workshop recent\nworkshop recent -n 30")
@_limit
def recent(limit: int | None) -> Result:
    """List the newest entries of every kind."""
    with base.open_base() as store:
        found = entries.list_entries(store.connection, limit=limit or RECENT)
    return _shown(found, "", typed=True)


def _shown(found: list[Entry], what: str, typed: bool, over: int = 0, tags: frozenset[str] = frozenset()) -> Result:
    name = what or "entries"
    none = f"No active {name}; --all shows {over}." if over else f"There are no {name} yet."
    if tags:
        none = f"No active {name} with the tag {' or '.join(sorted(map(printable, tags)))}."
    return output.make_result(
        _data(found, what), [rows.make_table(found, typed=typed, branch=rows.current_branch()) if found else none]
    )


def _data(found: list[Entry], what: str) -> dict[str, object]:
    return {"what": what, "entries": [rows.make_row(entry) for entry in found]}


def _files(store: Store, limit: int | None) -> Result:
    """List the documents of the index: age, extent or why it was left out, path."""
    from belay.knowledge.documents import documents

    found = documents.list_files(store.connection)[:limit]
    table = [(rows.format_age(one.indexed), *_extent(one), printable(one.path)) for one in found]
    data = {"what": FILES, "files": [one._asdict() for one in found]}
    none = f"No file is indexed yet: `{output.program()} index` does it."
    return output.make_result(data, [terminal.Table(table) if table else none])


def _extent(one: IndexedFile) -> tuple[str, str]:
    if one.why:
        return "left out", printable(one.why)
    return count(one.sections, "section"), count(one.words, "word")


def _standards(store: Store, limit: int | None) -> Result:
    """List the rules that corrections became: how often each held, its words, what it came from."""
    from belay.knowledge.entries import stats

    found = stats.list_standards(store, limit or -1)
    table = [(one["id"], f"held {one['held']}x", f"broken {one['broken']}x" if one["broken"] else "",
              printable(one["rule"]) + (f" (after: {printable(one['what_happened'])})" if one["what_happened"] else ""))
             for one in found]  # fmt: skip
    data = {"what": STANDARDS, "standards": found}
    return output.make_result(data, [terminal.Table(table) if table else "There are no standards yet."])


@output.command("show", examples="workshop show D-ABCDEF\nworkshop show d-abc --json")
@click.argument("entry", metavar="ID")
def show(entry: str) -> Result:
    """Show everything about one entry, with what it replaced."""
    with base.open_base() as store:
        found = ids.find_entry(store, entry)
        line = history.load_chain(store, found)
    since = find_changed([found])
    data = {
        **rows.make_row(found), "history": [rows.make_row(one) for one in line if one.id != found.id],
        "since": since.get(found.id, ""),
    }  # fmt: skip
    return Result(data, "\n".join(format_entry(found, line, since.get(found.id, ""))))


def find_changed(found: Iterable[Entry]) -> dict[str, str]:
    """Return id → which of an entry's files changed since it was written into git notes; only those where any did."""
    from belay.knowledge.notes import validity

    tied = [entry.id for entry in found if entry.files]
    checked = validity.check_entries(base.project(), os.environ, tied) if tied else {}
    return {name: one.line for name, one in checked.items() if one.line}


def format_entry(entry: Entry, line: list[Entry], since: str = "") -> list[str]:
    """Return all that is known of an entry as lines, and the others of its line of supersession."""
    told = [f"{printable(entry.id)}  {entry.type}  {_state(entry)}", "", block(entry.content), ""]
    facts = {**format_facts(entry), "since": since, "counts": _counts(entry)}
    told += [f"{name:<9} {value}" for name, value in facts.items() if value]
    return told + [f"{_relation(entry, one):<9} {_brief(one)}" for one in line if one.id != entry.id]


def format_facts(entry: Entry) -> dict[str, str]:
    """Return reason, files, tags and origin of an entry, each as one line, "" for none."""
    where = " ".join(filter(None, (shown(entry.branch, rows.BRANCH_CHARS), shown(entry.commit[:8]))))
    sure = f", {entry.confidence:.0%} sure" if entry.confidence < 1 else ""
    when = f"{entry.created[:10]} ({rows.format_age(entry.created)})"
    return {
        "reason": printable(entry.reasoning),
        "files": ", ".join(map(printable, entry.files)),
        "tags": ", ".join(map(printable, entry.tags)),
        "from": f"{when}{', ' + where if where else ''}, {printable(entry.source)}{sure}",
    }


def _state(entry: Entry) -> str:
    person = entry.source if entries.is_person(entry.source) else ""
    state = entry.status if entry.sure in ("", person) else entry.sure
    marks = [state, person, entry.priority, f"by {entry.superseded_by}" if entry.superseded_by else ""]
    return printable(" ".join(filter(None, marks)))


def _counts(entry: Entry) -> str:
    names = {"said": entry.seen, "recalled": entry.recalled, "used": entry.used, "helpful": entry.helpful,
             "harmful": entry.harmful, "tokens": entry.tokens}  # fmt: skip
    return ", ".join(f"{name} {number}" for name, number in names.items() if number)


def _relation(entry: Entry, other: Entry) -> str:
    return "now" if other.status in entries.CURRENT else "after" if other.created > entry.created else "before"


def _brief(entry: Entry) -> str:
    return terminal.cut(
        f"{printable(entry.id)}  {entry.created[:10]}  {rows.format_words(entry)}", terminal.width() - 10
    )
