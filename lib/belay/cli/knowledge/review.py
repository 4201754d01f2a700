"""`belay review`: the queue of captures that wait for a person, decided one by one or by flags."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core import clock, kinds, plain_text
from belay.core.errors import BelayError
from belay.knowledge.review.queue import Outcome, Queue
from belay.session import working_buffer

if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.cli.results import WaitingRow
    from belay.knowledge.review.acceptance import Waiting

KEYS = "[a]ccept  [e]dit  [m]erge  [r]eject  [u]ndo  [s]kip  [q]uit: "
LAST = "[u]ndo, or Enter to end: "
SHOWN = 400


@output.command(
    "review",
    examples="""
    belay review                                     go through what waits; in a script: list it
    belay review --accept C-ABCDEF --reject C-GHIJKL
    belay review --edit C-ABCDEF "SQLite for storage because it is one file"
    belay review --merge C-ABCDEF C-GHIJKL           one entry of both, in the first one's words
    belay review --undo                              take the last decision back
    """,
)
@click.option("--list", "only", is_flag=True, help="Only list, in a terminal too.")
@click.option("--accept", multiple=True, metavar="ID", help="Make this capture an entry.")
@click.option("--edit", multiple=True, nargs=2, metavar="ID TEXT", help="Accept it in these words.")
@click.option("--merge", multiple=True, nargs=2, metavar="ID ID", help="Make one entry of two.")
@click.option("--reject", multiple=True, metavar="ID", help="Turn this capture down.")
@click.option("--as", "kind", type=click.Choice(kinds.ENTRY_TYPES), help="The type of what is accepted.")
@click.option("--undo", is_flag=True, help="Take the last decision back.")
def command(
    only: bool, accept: tuple[str, ...], edit: tuple[tuple[str, str], ...], merge: tuple[tuple[str, str], ...],
    reject: tuple[str, ...], kind: str | None, undo: bool,
) -> Result:  # fmt: skip
    """Decide which captures become knowledge."""
    queue = Queue(here(), os.environ)
    asked = accept or edit or merge or reject or undo
    if kind and not (accept or edit or merge):
        raise click.UsageError("--as names the type of what --accept, --edit or --merge takes")
    if not asked and not only and _is_terminal():
        return _result([], _talk(queue, _read, click.echo), ended=True)
    done = [queue.undo()] if undo else []
    done += [queue.accept([name], kind=kind or "") for name in accept]
    done += [queue.accept([name], " ".join(text.split()), kind or "") for name, text in edit]
    done += [queue.accept(pair, kind=kind or "") for pair in merge]
    done += [queue.reject(reject)] if reject else []
    return _result(queue.waiting(), done, ended=bool(asked))


def _is_terminal() -> bool:
    asked_for = click.get_current_context(silent=True)
    as_json = bool(asked_for and asked_for.params.get("as_json"))
    return sys.stdin.isatty() and sys.stdout.isatty() and not as_json


def _result(waiting: list[Waiting], done: list[Outcome], ended: bool) -> Result:
    rows = [_row(at, each) for at, each in enumerate(waiting, 1)]
    data = {"waiting": rows, "done": [_done(one) for one in done]}
    lines = [_format_outcome(one) for one in done]
    if not ended:
        lines += [line for row in rows for line in _lines(row)] or ["Nothing waits."]
    elif waiting:
        lines.append(
            f"{plain_text.count(len(waiting), 'capture still waits', 'captures still wait')}: belay review --list"
        )
    return Result(data, "\n".join(lines))


def _row(number: int, each: Waiting) -> WaitingRow:
    one = each.capture
    age = (clock.seconds(clock.now()) - clock.seconds(one.time)) / clock.DAY
    return {
        "number": number, "id": one.id, "time": one.time, "age_days": round(max(age, 0.0), 1),
        "class": working_buffer.main_class(one._asdict()), "text": one.text, "why": each.why, "session": one.session,
        "branch": one.branch, "origin": one.origin,
    }  # fmt: skip


def _lines(row: WaitingRow) -> list[str]:
    age = "today" if row["age_days"] < 1 else plain_text.count(int(row["age_days"]), "day")
    head = f"{row['number']}. {row['id']} {row['class']}, {age}: {plain_text.shown(row['text'], SHOWN)}"
    return [head, f"   waits: {row['why']}"]


def _done(one: Outcome) -> dict[str, object]:
    entry = one.entry
    told = {"id": entry.id, "type": entry.type, "content": entry.content} if entry else None
    return {"act": one.act, "ids": list(one.ids), "entry": told}


def _format_outcome(one: Outcome) -> str:
    ids = ", ".join(one.ids)
    if one.act == "undo":
        return f"Taken back: {ids} waits again."
    if one.entry is None:
        return f"Turned down: {ids} (belay review --undo takes it back)"
    what = plain_text.shown(one.entry.content, SHOWN)
    return f"Kept: {one.entry.id} {one.entry.type}: {what} (from {ids}; belay review --undo takes it back)"


def _read(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        return "q"


def _talk(queue: Queue, read: Callable[[str], str], tell: Callable[[str], object]) -> list[Outcome]:
    """Go through the queue, one question a capture; return what was decided. Every key takes effect at once."""
    done: list[Outcome] = []
    skipped: set[str] = set()
    while True:
        waiting = [each for each in queue.waiting() if each.capture.id not in skipped]
        rows = [_row(at, each) for at, each in enumerate(waiting, 1)]
        tell("\n".join(_lines(rows[0])) if rows else _left(len(skipped)))
        key = read(KEYS if rows else LAST).casefold()[:1] if rows or done else "q"
        if key == "q" or (not rows and key != "u"):
            return done
        if key == "s":
            skipped.add(rows[0]["id"])
            continue
        try:
            made = queue.undo() if key == "u" else _answered(key, queue, rows, read, tell)
        except BelayError as error:
            tell(str(error))
            continue
        if made:
            done.append(made)
            skipped -= set(made.ids)
            tell(_format_outcome(made))


def _left(number: int) -> str:
    return f"{plain_text.count(number, 'capture')} left for later." if number else "Nothing waits."


def _answered(
    key: str,
    queue: Queue,
    rows: list[WaitingRow],
    read: Callable[[str], str],
    tell: Callable[[str], object],
) -> Outcome | None:
    """Do what a key asks for about the first row; None where nothing was decided."""
    name = rows[0]["id"]
    if key == "a":
        return queue.accept([name])
    if key == "r":
        return queue.reject([name])
    if key == "e":
        text = " ".join(read("In your words: ").split())
        return queue.accept([name], text) if text else None
    if key == "m":
        for row in rows[1:]:
            tell(_lines(row)[0])
        other = read("With which number? ")
        chosen = [row["id"] for row in rows[1:] if str(row["number"]) == other]
        return queue.accept([name, *chosen]) if chosen else None
    return None
