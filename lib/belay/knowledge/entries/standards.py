"""Corrections as rules: what happened, the rule, and how often it held and was broken since."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.entries import entries, states

if TYPE_CHECKING:
    import sqlite3


class Standard(NamedTuple):
    """One rule: the id of its entry and that entry's type, what happened when it was made, how often it held."""

    id: str
    type: str
    rule: str
    what_happened: str
    held: int
    broken: int
    files: tuple[str, ...]
    session: str
    created: str

    @property
    def line(self) -> str:
        """The rule as one line, with how often it held."""
        return f"{self.rule} (held {self.held}×, broken {self.broken}×; {self.what_happened})"


def list_standards(connection: sqlite3.Connection, limit: int = -1) -> list[Standard]:
    """Return the rules that hold, those broken most often first, then the newest; `limit` below 0 for all.

    The rule is the entry's text as it is now.
    """
    rows = connection.execute(
        "SELECT s.what_happened, s.held, s.broken, e.num FROM standards AS s JOIN entries AS e ON e.id = s.entry_id "
        f"WHERE e.{states.IS_CURRENT} ORDER BY s.broken DESC, e.updated DESC, e.num DESC LIMIT ?",
        (limit,),
    ).fetchall()
    by_number = {}
    for at in range(0, len(rows), 500):
        by_number.update(
            {entry.num: entry for entry in entries.load_by_numbers(connection, [row[3] for row in rows[at : at + 500]])}
        )
    return [
        Standard(
            entry.id,
            entry.type,
            entry.content,
            happened,
            held,
            broken,
            entry.files,
            entry.session,
            entry.created,
        )
        for happened, held, broken, num in rows
        for entry in [by_number[num]]
    ]
