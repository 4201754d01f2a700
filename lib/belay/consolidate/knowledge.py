"""The knowledge base after a session: each step may be killed anywhere, and the next run does the rest.

No hook depends on it, and no error here stops the rest of the consolidator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.errors import BelayError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.core.paths import Project
    from belay.session.session import Session


def run(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> None:
    """Bring the knowledge base up to what the sessions left."""
    # A session's start loads this module, and needs no database.
    from belay.consolidate import session_records
    from belay.context.recall import prompt_words, term_index, usefulness
    from belay.context.start import knowledge_cache
    from belay.knowledge.conversations import step as conversations
    from belay.knowledge.documents import indexer as indexing
    from belay.knowledge.notes import outgoing
    from belay.knowledge.playbooks import update as playbooks
    from belay.knowledge.review import promotion as harvest
    from belay.knowledge.store import database, ledger_copy
    from belay.knowledge.vectors import missing

    steps: tuple[Callable[[Project, Mapping[str, str], list[Session]], object], ...] = (
        lambda project, environ, sessions: ledger_copy.settle(project),
        _repair_database,
        harvest.run_step,
        playbooks.run_step,
        indexing.run_step,
        missing.run_step,
        conversations.run_step,
        session_records.run_step,
        usefulness.count_as_step,
        harvest.confirm_used,
        outgoing.run_step,
        prompt_words.count_as_step,
        term_index.update_as_step,
        knowledge_cache.keep_ready,  # last: a start shows what the others write
    )
    for step in steps:
        try:
            step(project, environ, sessions)
        except (OSError, BelayError, database.SqlError):
            continue


def _repair_database(project: Project, environ: Mapping[str, str], _: object = ()) -> None:
    """Repair a project's database where a hook or a reader found it damaged; write it into the log."""
    from belay.knowledge.store import database_file
    from belay.knowledge.store.store import Store
    from belay.safety import log

    if database_file.has_data(project.workshop):
        Store(project.workshop, environ, on_repair=lambda line: log.log_note(line, environ)).close()
