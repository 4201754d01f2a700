"""Find the session in which an entry of a memory file was last touched, by its own words and the Session Log."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.memory.memory_facts import Facts

_DATE = re.compile(r"\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b")
_MARK = re.compile(r"^\W{0,6}session (\d{1,6})\b|[(\[](?:[^()\[\]]{0,40}\s)?session (\d{1,6})\b", re.IGNORECASE)


class Row(NamedTuple):
    """One row of the Session Log, its line 1-based; only rows with a session's number are looked at."""

    line: int
    session: int
    date: str
    summary: str


class Past(NamedTuple):
    """The sessions of a memory: the rows of its log, and the number and date of the last one."""

    rows: list[Row]
    now: int
    updated: str

    def session(self, date: str) -> int:
        """Return the session that a date fell into, never an earlier one; 0 if it is unknown.

        That is the latest session of the first logged day that is not before the date. A date before the
        log counts as of its first row.
        """
        days = [(row.date, row.session) for row in self.rows if _DATE.fullmatch(row.date)]
        days += [(self.updated, self.now)] if self.updated else []
        day = min((logged for logged, _ in days if logged >= date), default="")
        later = [number for logged, number in days if logged == day]
        return max(later) if later else (self.now if days else 0)

    def row(self, session: int) -> Row | None:
        """Return the log's first row that is not before a session."""
        return min((row for row in self.rows if row.session >= session), key=_row_order, default=None)

    def newest(self, count: int) -> set[int]:
        """Return the lines of the newest rows."""
        return {row.line for row in sorted(self.rows, key=_row_order)[-count:]}

    def last_touched(self, text: str, touched: str = "") -> int:
        """Return the session in which an entry was last touched, 0 if unknown.

        The latest of its own dates and session marks counts; without one, `touched`: when git last saw its line
        change (YYYY-MM-DD).
        """
        marks = [int(one or other) for one, other in _MARK.findall(text)]
        known = marks + [self.session(date) for date in _DATE.findall(text)]
        return max(known) if known else (self.session(touched) if touched else 0)


def _row_order(row: Row) -> tuple[int, int]:
    return row.session, row.line


def read_past(facts: Facts, session: int = 0) -> Past:
    """Return the sessions that a memory's facts list; `session` is the current one, if known."""
    rows = [Row(row["line"], row["session"], row["date"], row["summary"]) for row in facts["log"] if row["session"]]
    now = session or facts["header"]["session"] or max((row.session for row in rows), default=0)
    return Past(rows, now, facts["header"]["updated"] if now else "")
