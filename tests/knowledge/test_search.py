"""Whoever searches finds what was kept, whatever they type."""

import os

import pytest

from belay.knowledge.search import search
from belay.knowledge.store import Store


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        yield store


def test_an_entry_is_found_by_a_form_of_its_words(store):
    entry = store.add("gotcha", "Refunds are rounded to whole cents", files=["src/refund.py"])
    store.add("note", "The staging host is reached through the proxy")
    (hit,) = search(store, "how do we round a refund?").results
    assert (hit.path, hit.id, hit.type) == ("src/refund.py", entry.id, "gotcha")
    assert ">>Refunds<<" in hit.snippet
    assert 0 < hit.score < 1
