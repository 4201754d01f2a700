"""`workshop browse`: what was said in past sessions, each place with the messages around it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core.errors import BadCall
from belay.core.plain_text import printable, shown
from belay.knowledge.conversations import archive, finding, turns
from belay.knowledge.conversations.archive import Archive

if TYPE_CHECKING:
    from belay.knowledge.conversations.finding import SessionHit
    from belay.knowledge.conversations.turns import Conversation

SHOWN, AROUND = 10, 2
MATCH_LINES, OTHER_LINES = 20, 5
"""Lines shown of a message that was found, and of one beside it."""
EACH = 5
"""Places looked at for each result that is wanted: several may be in one message, or of a kind that is not wanted."""
WHO = {"user": turns.USER, "assistant": turns.CLAUDE}
"""What Workshop 2 calls those who speak → how a conversation names them."""


class Message(NamedTuple):
    """A prompt or an answer: who said it, where and when, its lines in the conversation as it is printed, its text."""

    who: str
    place: str
    start: int
    end: int
    text: str


@output.command(
    "browse",
    examples="""
    workshop browse "flaky pool"
    workshop browse migration -t user -n 3 -c 1
    """,
)
@click.option("-n", "--limit", default=SHOWN, show_default=True, type=click.IntRange(1, 1000), help="At most so many.")
@click.option("-t", "--type", "kinds", multiple=True, help="Only what this one said: user or assistant.")
@click.option("-c", "--context", "around", default=AROUND, show_default=True, type=click.IntRange(0, 100),
              help="Messages shown before and after.")  # fmt: skip
@click.option("-i", "--interactive", is_flag=True, hidden=True)
@click.argument("query", nargs=-1, required=True)
def command(query: tuple[str, ...], limit: int, kinds: tuple[str, ...], around: int, interactive: bool) -> Result:
    """Find what was said in past sessions. The messages around it are shown too."""
    if interactive:
        raise BadCall("--interactive", "is not in Belay", "leave it out, and read one with `belay sessions --show ID`")
    unknown = next((kind for kind in kinds if kind not in WHO), "")
    if unknown:
        raise BadCall(shown(unknown, 40), "is not kept of a session", "name user or assistant")
    asked = " ".join(query)
    kept = Archive(here().sessions, os.environ)
    found = _find(kept, asked, {WHO[kind] for kind in kinds or WHO}, limit) if os.path.isfile(kept.index) else []
    rows = [_make_row(hit, messages, at, around) for hit, messages, at in found]
    none = f"Nothing was said about “{printable(asked)}” in the sessions that are kept. `belay index` reads new ones."
    text = "\n\n".join(_format(row, number, len(rows)) for number, row in enumerate(rows, 1))
    return Result({"query": asked, "results": rows}, text or none)


def _find(kept: Archive, asked: str, who: set[str], limit: int) -> list[tuple[SessionHit, list[Message], int]]:
    """Return the best messages of some speakers: the place that was found, its session's messages, the number there."""
    read: dict[str, list[Message]] = {}
    found: dict[tuple[str, int], tuple[SessionHit, list[Message], int]] = {}
    words = [word.strip(".,;:!?\"'()").casefold() for word in asked.split()]
    for hit in finding.find(kept, asked, k=limit * EACH).hits:
        if hit.id not in read:
            read[hit.id] = list_messages(turns.read_conversation(kept.load(hit.id)))
        at = _choose(read[hit.id], hit, words, who)
        if at >= 0:
            found.setdefault((hit.id, at), (hit, read[hit.id], at))
    return list(found.values())[:limit]


def list_messages(said: Conversation) -> list[Message]:
    """Return the messages of a conversation in order, with their lines, counted from 1."""
    messages, first = [], 1
    for turn in said.turns:
        place, start = turns.format_place(turn), first + 1
        for who, text in ((turns.USER, turn.prompt), (turns.CLAUDE, turn.answer)):
            if text:
                end = start + text.count("\n")
                messages.append(Message(who, place, start, end, text))
                start = end + 2
        first += len(turns.render_turn(turn))
    return messages


def _choose(messages: list[Message], hit: SessionHit, words: list[str], who: set[str]) -> int:
    """Return the number of the message that a place is about: the one with most of the words; -1 for none."""
    inside = [
        (-sum(word in one.text.casefold() for word in words), at)
        for at, one in enumerate(messages)
        if one.who in who and one.start <= hit.end and one.end >= hit.start
    ]
    return min(inside)[1] if inside else -1


def _make_row(hit: SessionHit, messages: list[Message], at: int, around: int) -> dict[str, object]:
    first = max(0, at - around)
    part = messages[first : at + around + 1]
    said = [
        {"who": one.who.strip(": ").lower(), "place": one.place, "text": one.text, "match": first + number == at}
        for number, one in enumerate(part)
    ]
    return {"session": hit.id, "score": hit.score, "messages": said}


def _format(row: dict[str, object], number: int, count: int) -> str:
    messages: list[dict[str, str]] = row["messages"]  # type: ignore[assignment]
    place = next(one["place"] for one in messages if one["match"])
    head = f"{number} of {count}: {printable(place)}  (session {archive.shorten(str(row['session']), ())})"
    return "\n".join([head, *(_format_message(one) for one in messages)])


def _format_message(one: dict[str, str]) -> str:
    """Return a message as lines: the one that was found is marked, and shown longer."""
    most = MATCH_LINES if one["match"] else OTHER_LINES
    lines = f"{one['who'].capitalize()}: {one['text']}".split("\n")
    more = [f"… ({len(lines) - most} more lines)"] if len(lines) > most else []
    mark = "> " if one["match"] else "  "
    return "\n".join(mark + printable(line) for line in [*lines[:most], *more])
