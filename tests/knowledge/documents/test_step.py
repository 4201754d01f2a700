"""The consolidator keeps the project's documents searchable by itself, a bounded part a run."""

import os
from pathlib import Path

from belay.consolidate import session as consolidate_session
from belay.core import settings
from belay.knowledge.documents import documents, indexer
from belay.knowledge.store.store import Store
from belay.session.session import Session


def listed(project):
    with Store(project.workshop, os.environ) as store:
        return [row.path for row in documents.list_files(store.connection)]


def begun(project):
    session = Session(project, "s-1", os.environ)
    session.log("start", **session.place())
    session.log("end", reason="other")


def test_the_consolidator_indexes_the_project(project):
    Path(project.at("docs")).mkdir()
    Path(project.at("docs", "a.md")).write_text("# A\n\nText.\n")
    begun(project)
    consolidate_session.run(project, os.environ)

    assert {"docs/a.md", "file.txt"} <= set(listed(project))


def test_where_belay_is_not_at_work_nothing_is_made(project):
    consolidate_session.run(project, os.environ)

    assert not os.path.exists(project.store)


def test_the_setting_switches_it_off(project):
    Path(project.settings).parent.mkdir(parents=True)
    Path(project.settings).write_text("index: false\n")
    settings.compile_settings(project, os.environ)

    assert indexer.run_step(project, os.environ) is None
    assert not os.path.exists(project.workshop)


def test_a_step_is_bounded_and_the_next_goes_on(project, monkeypatch):
    monkeypatch.setattr(indexer, "STEP_FILES", 3)
    for at in range(5):
        Path(project.at(f"{at}.md")).write_text("# A\n\nText.\n")
    first, second = indexer.run_step(project, os.environ), indexer.run_step(project, os.environ)

    assert (first.indexed, first.left) == (3, 3)
    assert second.indexed == 3
    assert len(listed(project)) == 6
