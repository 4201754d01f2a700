"""What the sentinel says when acting starts while a correction is open (docs/sentinel.md): values in, words out."""

from __future__ import annotations

from belay.core import plain_text
from belay.core.settings import ENFORCE
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHOWN = 2
"""Corrections that are quoted, the newest; the others are only counted."""
TEXT_CHARS = 300
NO_TASK = "no-task"
"""What stands among the ids of what was told where no task was recorded."""
SWITCH = "(`sentinel: off` in ~/.claude/belay.yaml ends this.)"


class Remark(NamedTuple):
    """The ids of what is told, and one of: words for Claude, why the call is refused, what the person is asked."""

    told: list[str]
    text: str = ""
    deny: str = ""
    ask: str = ""


def remark_on(mode: str, corrections: Mapping[str, str], told: Mapping[str, str], prompt: str) -> Remark | None:
    """Return what is said of a call that acts; None for nothing.

    `corrections`: id → words of those that are open, the oldest first; `told`: id → prompt in which it was told last.
    `advise` tells each once; `enforce` refuses one call a prompt.
    """
    if mode == ENFORCE:
        held_up = [told[name] for name in told if name != NO_TASK]
        names = [] if prompt in held_up else list(corrections)
        return Remark(names, deny=_refuse(corrections)) if names else None
    names = [name for name in corrections if name not in told]
    return Remark(names, _remind({name: corrections[name] for name in names})) if names else None


def remind_of_task(told: Mapping[str, str]) -> Remark | None:
    """Return what is said where acting starts without a recorded task, once a session; it holds nothing up."""
    if NO_TASK in told:
        return None
    text = (
        'No task is recorded in this session, and this call changes something. `belay preflight "GOAL"` records one '
        f"and answers with what is known about it. {SWITCH}"
    )
    return Remark([NO_TASK], text)


def ask_about(
    file: str, antipatterns: Iterable[tuple[str, str]], told: Mapping[str, str], prompt: str
) -> Remark | None:
    """Return what the person is asked, once a prompt, before a file changes that antipatterns (id, line) are about."""
    fresh = [(name, line) for name, line in antipatterns if told.get(name) != prompt][:SHOWN]
    if not fresh:
        return None
    lines = " ".join(line.rstrip(".") + "." for _, line in fresh)
    question = f"Belay asks you: {file} is about to be changed. {lines} Go on? {SWITCH}"
    return Remark([name for name, _ in fresh], ask=question)


def _refuse(corrections: Mapping[str, str]) -> str:
    return (
        f"Belay refused this call once. {_quote(corrections)} Check the call against that and make it again: no other "
        f"call is refused before the user's next prompt. {_close(corrections)} {SWITCH}"
    )


def _remind(corrections: Mapping[str, str]) -> str:
    return f"{_quote(corrections)} {_close(corrections)}"


def _quote(corrections: Mapping[str, str]) -> str:
    newest = list(corrections.items())[-SHOWN:]
    quoted = " ".join(f"{name}: “{plain_text.one_line(text, TEXT_CHARS)}”" for name, text in newest)
    rest = f" (and {len(corrections) - SHOWN} more: `belay buffer`)" if len(corrections) > SHOWN else ""
    return f"{plain_text.count(len(corrections), 'open correction')} of the user: {quoted}{rest}"


def _close(corrections: Mapping[str, str]) -> str:
    names = " ".join(list(corrections)[-SHOWN:])
    return f'What is followed is closed with `belay ack {names}`; `belay preflight "GOAL"` goes on with all of them.'
