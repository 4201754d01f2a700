"""Static vectors that are missing: of texts that were written before the table of word pieces was there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from belay.knowledge.store import database
from belay.knowledge.store.tables import meaning_rows, text_index

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.store.store import Store

BATCH = 500
"""Texts of one transaction: about a twentieth of a second for whoever else wants to write."""
STEP_SECONDS = 2.0
"""How long one run of the consolidator makes vectors; the next one goes on."""
_MISSING = (
    "SELECT t.num FROM memory_texts AS t LEFT JOIN memory_meanings AS v ON v.num = t.num "
    "WHERE v.num IS NULL ORDER BY t.num LIMIT ?"
)


def make_missing(store: Store, seconds: float | None = None) -> int:
    """Make the vectors that are missing, those of another table anew, for so long at most; return how many."""
    connection = store.connection
    ends = time.monotonic() + seconds if seconds else None
    made = 0
    while count := _make_batch(connection):
        made += count
        if ends and time.monotonic() > ends:
            break
    return made


def _make_batch(connection: sqlite3.Connection) -> int:
    with database.Transaction(connection):
        if not meaning_rows.begin_anew(connection):
            return 0
        nums = [row[0] for row in connection.execute(_MISSING, (BATCH,))]
        meaning_rows.add(connection, [(num, *_load_text(connection, num)) for num in nums])
        meaning_rows.pack(connection, text_index.SECTIONS)
    return len(nums)


def _load_text(connection: sqlite3.Connection, num: int) -> tuple[str, str]:
    row = connection.execute("SELECT title, text FROM memory_fts WHERE rowid = ?", (num,)).fetchone()
    return (text_index.find_meant(num, *row), text_index.load_about(connection, num)) if row else ("", "")


def run_step(project: Project, environ: Mapping[str, str], _: object = ()) -> None:
    """Make some of what is missing in a project's base, after a session; a project without one gets none."""
    from belay.knowledge.store import database_file
    from belay.knowledge.store.store import Store

    if database_file.has_data(project.workshop):
        with Store(project.workshop, environ) as store:
            make_missing(store, STEP_SECONDS)
