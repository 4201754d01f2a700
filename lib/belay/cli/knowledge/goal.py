"""`workshop goal`, and `next`, an earlier tool's word for a goal that is a next step: what is to be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.knowledge import base, change, consent, entry, read, rows
from belay.cli.output import Result
from belay.core import kinds
from belay.core.errors import BadInput
from belay.core.plain_text import count, shown
from belay.knowledge.entries import entries, ids

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

STEPS = ("next", "next-step")
"""Tags of a next step: ours, and the one of goals that were taken over."""
_OFFERED = 3
_priority = click.option(
    "-p", "--priority", type=click.Choice(entry.PRIORITIES), default=None, help="How much it matters."
)


@output.command(
    "goal",
    examples="""
    workshop goal "Add dark mode support" -p high
    workshop goal list
    workshop goal done K-ABCDEF
    workshop goal done "dark mode"     the open goal that says so
    workshop goal clean                forgets those that are done; asks first
    """,
)
@_priority
@entry.fields
@consent.option
@click.argument("text", nargs=-1, required=True)
def goal(text: tuple[str, ...], priority: str | None, yes: bool, **given: Any) -> Result:
    """Record what is to be reached. `goal list` and `goal done ID` are `read goals` and `resolve`."""
    done = _call_verb(text, False, yes)
    return done or entry.keep("goal", _words(text), priority=priority or "", **given)


@output.command("next", examples='workshop next add "Write the release notes"\nworkshop next done "release notes"')
@entry.fields
@consent.option
@click.argument("text", nargs=-1)
def next_(text: tuple[str, ...], tags: tuple[str, ...], yes: bool, **given: Any) -> Result:
    """Record a next step. An earlier tool's word for a goal; it is tagged so."""
    done = _call_verb(text or ("list",), True, yes)
    return done or entry.keep("goal", _words(text), tags=(*tags, STEPS[0]), **given)


def _words(text: tuple[str, ...]) -> str:
    """Return the words of a goal, without the verb `add` before one argument."""
    return " ".join(text[1:] if len(text) == 2 and text[0] == "add" else text)


def _call_verb(text: tuple[str, ...], steps: bool, yes: bool) -> Result | None:
    """Do what an earlier tool's verbs say: list, done, clean, clear; None where the text is a goal's own."""
    if text == ("list",):
        return _list_steps() if steps else read.list_kind("goals")
    if text in (("add",), ("done",)):
        raise click.UsageError(f"{text[0]} what? {output.program()} {'next' if steps else 'goal'} {text[0]} TEXT")
    if text[0] == "done":
        return _close(text[1:], steps)
    if text == ("clean",):
        return _remove(entries.DONE, steps, yes)
    return _remove(entries.ACTIVE, steps, yes) if text == ("clear",) else None


def is_step(one: Entry) -> bool:
    """Whether a goal is a next step."""
    return not set(STEPS).isdisjoint(one.tags)


def load_goals(store: Store, status: str = entries.ACTIVE) -> list[Entry]:
    """Return all goals of a state, next steps too, the newest first; the active ones with those only heard."""
    states = entries.CURRENT if status == entries.ACTIVE else (status,)
    return entries.list_entries(store.connection, (kinds.GOAL,), states, -1)


def _list_steps() -> Result:
    with base.open_base() as store:
        found = [one for one in load_goals(store) if is_step(one)]
    data = {"what": "goals", "entries": [rows.make_row(one) for one in found]}
    return output.make_result(data, [rows.make_table(found, typed=False) if found else "There are no next steps."])


def _close(words: tuple[str, ...], steps: bool) -> Result:
    """Close the goal of an id, then said how; else the one goal that says these words."""
    with base.open_base() as store:
        is_id = ids.is_id_like(words[0]) or entries.load_entry(store.connection, words[0]) is not None
        name = "" if is_id else _find_saying(store, " ".join(words), steps)
    if name:
        return change.close_entries((name,))
    return change.close_entries(words[:1], " ".join(words[1:]))


def _find_saying(store: Store, words: str, steps: bool) -> str:
    """Return the id of the open goal that says some words, "" for none where they may be the beginning of an id."""
    wanted = words.strip().casefold()
    said = [one for one in load_goals(store) if wanted in one.content.casefold() and (is_step(one) or not steps)]
    exact = [one for one in said if one.content.casefold() == wanted]
    found = exact if len(exact) == 1 else said
    if len(found) > 1:
        names = "; ".join(f"{one.id} “{shown(one.content, 60)}”" for one in found[:_OFFERED])
        raise BadInput(shown(words, 60), f"is in {len(found)} open goals", f"name one: {names}")
    if not found and " " in wanted:
        raise BadInput(shown(words, 60), "is in no open goal", f"`{output.program()} goal list` lists them")
    return found[0].id if found else ""


def _remove(status: str, steps: bool, yes: bool) -> Result:
    """Forget the goals of a state; of `goal` those that are no next steps, of `next` those that are."""
    called = ("next step", "next steps") if steps else ("goal", "goals")
    state = "done" if status == entries.DONE else "open"
    with base.open_base() as store:
        found = [one for one in load_goals(store, status) if is_step(one) == steps]
        if not found:
            return Result({"changed": []}, f"There are no {called[1]} that are {state}.")
        if not consent.ask(f"Forget {count(len(found), f'{state} {called[0]}', f'{state} {called[1]}')}?", yes):
            return consent.refused()
        return change.forget_entries(store, found)
