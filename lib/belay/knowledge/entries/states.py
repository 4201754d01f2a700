"""States of an entry: which of them hold, the words for what is not confirmed, and how its reason is joined.

`heard` is the one place that says whether an entry is confirmed. Hot hooks load this.
"""

from __future__ import annotations

from belay.core import clock, kinds

HEARD, ACTIVE, DONE, SUPERSEDED, FORGOTTEN = kinds.STATUSES
CURRENT = (ACTIVE, HEARD)
"""States of what holds, the confirmed first."""
IS_CURRENT = "status IN ('active', 'heard')"
"""The same as a condition of SQL."""
CLAUDE = "claude"
"""Source of an entry that nobody recorded: a sentence of Claude's answer."""
PERSON = "by "
"""How the source of an entry begins that another person recorded; the person's name follows."""
WHY = " Why: "
"""What is between an entry's words and its reason, where both are on one line."""
_ENDS = (".", "!", "?", "…", ":")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def describe(status: str, created: str, seen: int = 1, source: str = "") -> str:
    """Return how sure an entry is, "said once, 22 Nov, not confirmed"; "" where it is confirmed or does not hold.

    `created` is a journal time; the day is the local one, with its year where that is not this year. What Claude
    found out by itself says so (`source`), and of what holds, which other person recorded it: "by Ann".
    """
    if status != HEARD:
        return source if status == ACTIVE and is_person(source) else ""
    who = "said" if source != CLAUDE else "Claude said"
    often = f"{who} once" if seen < 2 else f"{who} {seen} times"
    return ", ".join(filter(None, (often, _format_day(created), "not confirmed")))


def is_person(source: str) -> bool:
    """Whether an entry was recorded by another person."""
    return source.startswith(PERSON)


def join_reason(content: str, reasoning: str) -> str:
    """Return what an entry says, its reason set apart behind it: "SQLite for storage. Why: one file"."""
    if not reasoning:
        return content
    text = content.rstrip()
    return f"{text}{'' if text.endswith(_ENDS) else '.'}{WHY}{reasoning}"


def _format_day(stamp: str) -> str:
    year, _, rest = clock.local_date(stamp).partition("-") if clock.seconds(stamp) else ("", "", "")
    month, _, day = rest.partition("-")
    if not (month.isdigit() and day.isdigit()):
        return ""
    told = f"{int(day)} {_MONTHS[int(month) - 1]}"
    return told if year == clock.local_date()[:4] else f"{told} {year}"
