"""The consolidator's step for playbooks: outcomes of ended sessions are added to existing ones.

What proved harmful becomes an antipattern. A session is one line of evidence, so that a run that was killed is done
again without counting twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.knowledge.documents import insights
from belay.knowledge.entries import entries
from belay.knowledge.entries.insights import make_id
from belay.knowledge.playbooks import outcomes, page, playbook_files
from belay.knowledge.playbooks.outcomes import Subject
from belay.knowledge.review import processed_sessions, relevance
from belay.knowledge.store.store import Store
from belay.memory import memory_files
from belay.repository import excludes
from belay.session import journal
from belay.session.session import at_its_work_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.playbooks.playbook_files import StoredPlaybook
    from belay.session.session import Session

STEP = "playbooks"


def run_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Record what ended sessions came to in the playbooks of their work trees; return how many outcomes were new."""
    ended = [one for one in processed_sessions.select_changed(project, STEP, sessions) if one.state["ended"]]
    if not ended:
        return 0
    counted = 0
    for session in ended:
        counted += _count_session(session, environ)
    processed_sessions.save_processed(project, STEP, [one for one in sessions if one.state["ended"]])
    return counted


def _count_session(session: Session, environ: Mapping[str, str]) -> int:
    project = at_its_work_tree(session).project
    books = [stored for stored in playbook_files.list_playbooks(project) if stored.pattern]
    if not books:
        return 0
    records = journal.read(session.project.journal(session.name))[0]
    records_of_user = [row for row in records if session.is_own(row)]
    counted = 0
    for stored in books:
        evidence = outcomes.find_outcome(records_of_user, make_subject(project, stored), session.name)
        if evidence and evidence not in stored.playbook.evidence:
            playbook_files.add_outcome(project, environ, stored.name, evidence)
            counted += 1
        settle(project, environ, playbook_files.load_playbook(project, stored.name))
    return counted


def make_subject(project: Project, stored: StoredPlaybook) -> Subject:
    """Return what makes a playbook's pattern known in a journal."""
    file, pattern = stored.playbook.pattern[0], stored.pattern
    if pattern is None:
        return Subject("", "", "")
    folder = insights.rule_folder(file)
    rules = insights.find_rules(memory_files.read_text(project.at(file))) if folder else []
    entry = next((make_id(file, rule) for rule in rules if rule.line == pattern.line), "")
    return Subject(pattern.text, "" if folder == relevance.WHOLE else folder, entry)


def settle(project: Project, environ: Mapping[str, str], stored: StoredPlaybook) -> Entry | None:
    """Make an antipattern of a pattern that proved harmful, once, and mark its playbook; None where it did not.

    One whose text is not trusted does not become one: entries are shown to Claude.
    """
    book, pattern = stored.playbook, stored.pattern
    if book.status != page.HARMFUL or book.fields.get("antipattern") or pattern is None:
        return None
    if playbook_files.list_untrusted(project, environ, stored):
        return None
    helpful, harmful = book.count(page.HELPFUL), book.count(page.HARMFUL)
    about = make_subject(project, stored)
    excludes.write_excludes(project, environ)
    content = f"“{pattern.text.lstrip('✅❌️ ')}” proved harmful"
    with Store(project.workshop, environ, create=True) as store:
        entry = entries.load_entry(store.connection, entries.make_id("antipattern", content)) or store.add(
            "antipattern",
            content,
            reasoning=f"{harmful} harmful outcomes, {helpful} helpful (playbook {stored.name})",
            files=[about.folder] if about.folder else [],
            tags=["playbook"],
            source="inferred",
        )
    playbook_files.mark_harmful(project, environ, stored.name, entry.id)
    return entry


def load_settled(project: Project, environ: Mapping[str, str], name_: str) -> StoredPlaybook:
    """Return a playbook after `settle`."""
    stored = playbook_files.load_playbook(project, name_)
    try:
        settle(project, environ, stored)
    except BelayError:
        return stored  # the outcome is saved; the entry is made with the next
    return playbook_files.load_playbook(project, name_)
