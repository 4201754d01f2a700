"""`workshop resolve`, `supersede`, `edit` and `forget`: what changes of an entry, each with its way back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base, entry, rows
from belay.cli.output import Result
from belay.core import kinds
from belay.core.errors import BadInput
from belay.core.plain_text import shown
from belay.knowledge.conversations import step as conversations
from belay.knowledge.entries import entries, forgetting, history, ids
from belay.knowledge.store.store import check_text

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.records import EntryChanges
    from belay.knowledge.store.store import Store

_NAMED = 10
"""Entries that an answer names; the rest are counted."""
_NAMES = {"content": "text", "reasoning": "reason"}
_undo = click.option("--undo", is_flag=True, help="Take that back.")


@output.command(
    "resolve",
    examples="""
    workshop resolve K-ABCDEF
    workshop resolve K-ABCDEF "ops renews it each March"
    """,
)
@_undo
@click.argument("entry_id", metavar="ID")
@click.argument("text", nargs=-1)
def resolve(entry_id: str, text: tuple[str, ...], undo: bool) -> Result:
    """Close a goal, an open question or a gotcha. A text says how; it joins the reason."""
    return close_entries((entry_id,), " ".join(text), undo)


def close_entries(given: tuple[str, ...], text: str = "", undo: bool = False) -> Result:
    """Close entries, or open them again."""
    with base.open_base() as store:
        found = [_closable(ids.find_entry(store, name)) for name in given]
        changed = [_close(store, one, text.strip(), undo) for one in found]
    return _answer(changed, "Open again" if undo else "Done")


def _closable(found: Entry) -> Entry:
    if found.type not in kinds.CLOSABLE:
        mend = f"`{output.program()} {'supersede' if found.type == kinds.DECISION else 'forget'} {found.id}` ends it"
        raise BadInput(found.id, f"is a {found.type}, which cannot be closed", mend)
    if found.status not in (*entries.CURRENT, entries.DONE):
        raise BadInput(found.id, f"is {found.status}", f"`{output.program()} show {found.id}` shows more")
    return found


def _close(store: Store, found: Entry, text: str, undo: bool) -> Entry:
    if undo:
        return store.change(found.id, status=entries.ACTIVE, reasoning=history.reason_before_closing(store, found))
    if not text:
        return store.change(found.id, status=entries.DONE)
    how = check_text(text)
    reason = "; ".join(filter(None, (found.reasoning, how)))
    return store.change(found.id, status=entries.DONE, reasoning=check_text(reason), how=how)


@output.command(
    "supersede",
    examples="""
    workshop supersede D-ABCDEF D-GHIJKL
    workshop supersede D-ABCDEF "Postgres for storage" -r "two writers"
    workshop supersede --undo D-ABCDEF
    """,
)
@_undo
@entry.fields
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", nargs=-1)
def supersede(old: str, new: tuple[str, ...], undo: bool, **given: Any) -> Result:
    """Say that an entry was replaced. NEW is another's id, or the text of one that is recorded now."""
    said = " ".join(new).strip()
    if undo == bool(said):
        raise click.UsageError("name both: supersede OLD NEW, or supersede --undo OLD")
    with base.open_base() as store:
        former = ids.find_entry(store, old)
        if undo:
            return _parted(store, former)
        latter = _other(store, said)
        if latter is not None:
            former, latter = history.supersede(store, former, latter)
            text = f"{former.id} “{_short(former)}” is replaced by {latter.id} “{_short(latter)}”."
            return Result({"changed": [rows.make_row(former), rows.make_row(latter)]}, text)
    return _recorded(former, said, **given)


def _parted(store: Store, former: Entry) -> Result:
    """Take a replacement back, and name the entry that replaced: it stays until it is forgotten."""
    result = _restored(store, [former], entries.SUPERSEDED)
    latter = entries.load_entry(store.connection, former.superseded_by)
    if latter is None or latter.status not in entries.CURRENT:
        return result
    mend = f"`{output.program()} forget {latter.id}` removes it"
    return result._replace(text=f"{result.text}\n{latter.id} “{_short(latter)}” is active too; {mend}.")


def _other(store: Store, said: str) -> Entry | None:
    """Return the entry whose id was given, None where a text was."""
    return ids.find_entry(store, said) if ids.is_id_like(said) else None


def _recorded(former: Entry, said: str, **given: Any) -> Result:
    result = entry.keep(former.type, said, supersedes=former.id, **given)
    with base.open_base() as store:
        changed = [store.get(former.id), store.get(result.data["id"])]
    return result._replace(data={"changed": [rows.make_row(one) for one in changed]})


@output.command(
    "edit",
    examples="""
    workshop edit D-ABCDEF "Supabase for auth and storage"
    workshop edit D-ABCDEF -r "self-hosted" -f lib/auth/
    workshop edit D-ABCDEF -t ""      take its tags away
    """,
)
@entry.fields
@click.option("-p", "--priority", type=click.Choice(entry.PRIORITIES), default=None, help="Of a goal.")
@click.argument("entry_id", metavar="ID")
@click.argument("text", nargs=-1)
def edit(entry_id: str, text: tuple[str, ...], **given: Any) -> Result:
    """Change an entry's text, reason, tags, files or priority. Its id stays; tags and files are replaced."""
    fields = _fields(" ".join(text).strip(), **given)
    if not fields:
        raise click.UsageError(f"change what? a text, -r, -t, -f or -p; see {output.program()} edit --help")
    with base.open_base() as store:
        before = ids.find_entry(store, entry_id)
        if before.status == entries.HEARD:
            fields["status"] = entries.ACTIVE  # who words it confirms it
        after = store.change(before.id, **fields)
    old = [
        f"Old {_NAMES.get(name, name)}: {_value(getattr(before, name))}"
        for name in fields
        if name != "status" and getattr(before, name)
    ]
    told = "\n".join([f"Changed: {after.type} {after.id} “{_short(after)}”", *old])
    return Result({"changed": [rows.make_row(after)], "before": rows.make_row(before)}, told)


def _fields(
    text: str, reason: str | None, tags: tuple[str, ...], files: tuple[str, ...], priority: str | None
) -> EntryChanges:
    fields: EntryChanges = {"content": check_text(text)} if text else {}
    if reason is not None:
        fields["reasoning"] = reason.strip()
    if tags:
        fields["tags"] = entry.split_tags(tags)
    if files:
        fields["files"] = entry.find_ties(base.place().project, tuple(filter(None, files)), "")
    if priority:
        fields["priority"] = priority
    return fields


def _value(value: str | tuple[str, ...]) -> str:
    return shown(value if isinstance(value, str) else ", ".join(value), terminal.PIPED_CHARS)


@output.command(
    "forget",
    examples="""
    workshop forget K-ABCDEF
    workshop forget --undo K-ABCDEF
    workshop forget --undo last     what was forgotten last, all that went together
    """,
)
@_undo
@click.argument("given", metavar="ID...", nargs=-1, required=True)
def forget(given: tuple[str, ...], undo: bool) -> Result:
    """Take entries out of search, recall and lists. The ledger keeps them, so that --undo works."""
    with base.open_base() as store:
        if undo and given == (forgetting.LAST,):
            result = _answer(forgetting.restore_last(store), "Back")
        else:
            found = [ids.find_entry(store, name) for name in given]
            if not undo:
                return forget_entries(store, found)
            result = _restored(store, found, entries.FORGOTTEN)
    _hide_forgotten()
    return result


def _hide_forgotten() -> None:
    """Let conversations show what entries say that are not forgotten, and nothing of those that are."""
    project = base.project()
    if project and not base.named_database():
        conversations.hide_forgotten(project, os.environ)


def forget_entries(store: Store, found: list[Entry]) -> Result:
    """Forget entries together, and say how to bring them back."""
    result = _answer(forgetting.forget(store, found), "Forgotten")
    _hide_forgotten()
    name = found[0].id if len(found) == 1 else forgetting.LAST
    way = f"`{output.program()} forget --undo {name}` brings {'it' if len(found) == 1 else 'them'} back"
    return result._replace(text=f"{result.text}\nThe ledger keeps the record: {way}.")


def _restored(store: Store, found: list[Entry], status: str) -> Result:
    """Take a forgetting or a replacement back; what was replaced before it was forgotten is that again."""
    for one in found:
        if one.status != status:
            raise BadInput(one.id, f"is {one.status}, not {status}", f"`{output.program()} show {one.id}` shows more")
    changed = [_back(store, one) for one in found]
    return _answer(changed, "Back")


def _back(store: Store, found: Entry) -> Entry:
    if found.status == entries.FORGOTTEN and found.superseded_by:
        return store.change(found.id, status=entries.SUPERSEDED)
    return store.change(found.id, status=entries.ACTIVE, superseded_by="")


def _answer(changed: list[Entry], word: str) -> Result:
    lines = [f"{word}: {one.type} {one.id} “{_short(one)}”" for one in changed[:_NAMED]]
    lines += [f"{word}: {len(changed) - _NAMED} more."] if len(changed) > _NAMED else []
    return Result({"changed": [rows.make_row(one) for one in changed]}, "\n".join(lines))


def _short(found: Entry) -> str:
    return shown(found.content, entry.SAID_CHARS)
