"""The index follows what commands change, and what the base was written anew."""

import os

import pytest
from doors import run, said

from belay.context.recall import lookup, term_index
from belay.context.recall.indexed_base import IndexedStore
from belay.knowledge.store.store import Store

TEXT = "handleRefund rounds the Norwegian tax down"


@pytest.fixture
def begun(project, repo):
    said(run("user_prompt_submit", repo, prompt="hello there"))
    return project


def opened(project, **more):
    return IndexedStore(project, project.workshop, os.environ, **{"create": True, **more})


def found(project, text="look at handleRefund"):
    try:
        with open(term_index.index_path(project), "rb") as file:
            return list(lookup.find_entries(file.read(), text))
    except FileNotFoundError:
        return []


def test_an_entry_is_known_to_hooks_once_its_command_ended(begun, repo):
    with opened(begun) as store:
        entry = store.add("gotcha", TEXT, files=["src/pay.py"])
        assert found(begun) == []
    assert found(begun) == [entry.num]
    assert TEXT in said(run("user_prompt_submit", repo, prompt="look at handleRefund"))[0]


def test_reading_writes_nothing(begun):
    with opened(begun) as store:
        store.add("gotcha", TEXT)
    before = os.stat(term_index.index_path(begun)).st_mtime_ns
    with opened(begun) as store:
        store.get(store.add("gotcha", TEXT).id)  # said again: the ledger grows
    after = os.stat(term_index.index_path(begun)).st_mtime_ns
    with opened(begun):
        pass
    assert before < after == os.stat(term_index.index_path(begun)).st_mtime_ns


def test_what_is_forgotten_is_no_longer_looked_up(begun):
    with opened(begun) as store:
        name = store.add("gotcha", TEXT).id
    with opened(begun) as store:
        store.change(name, status="forgotten")
    assert found(begun) == []


def test_what_is_no_longer_trusted_is_no_longer_looked_up(begun):
    with opened(begun) as store:
        name = store.add("antipattern", TEXT).id
    for trusted, count in (("false", 0), ("true", 1)):
        with opened(begun) as store:
            store.connection.execute(
                "UPDATE entries SET metadata = ? WHERE id = ?", (f'{{"trusted": {trusted}}}', name)
            )
        assert len(found(begun)) == count


def test_a_base_elsewhere_has_no_index(begun, tmp_path):
    with IndexedStore(begun, str(tmp_path / "other.db"), os.environ, create=True) as store:
        store.add("gotcha", TEXT)
    assert not os.path.exists(term_index.index_path(begun))


def test_a_base_that_was_written_anew_is_indexed_anew(begun):
    with opened(begun) as store:
        store.add("note", "Something before it")
        entry = store.add("gotcha", TEXT)
        store.change(store.add("note", "A zebra").id, status="forgotten")
    old = term_index._state_key(Store(begun.workshop, os.environ))
    for name in os.listdir(begun.store):
        if name.startswith("workshop.db"):
            os.unlink(begun.stored(name))
    with opened(begun) as store:
        assert term_index._state_key(store) != old
        number = store.get(entry.id).num
    assert found(begun) == [number]


def test_a_large_base_waits_for_the_consolidator(begun, monkeypatch):
    monkeypatch.setattr(term_index, "CHEAP", 1)
    with opened(begun) as store:
        store.add("note", "Something before it")
        store.add("gotcha", TEXT)
    assert found(begun) == []
    assert term_index.update_as_step(begun, os.environ, [])
    assert len(found(begun)) == 1
