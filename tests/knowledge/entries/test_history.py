"""Lines of entries that replaced each other."""

import os
import sqlite3

import pytest

from belay.knowledge.entries import history
from belay.knowledge.store.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as made:
        yield made


def names(store, entry):
    return [one.content for one in history.load_chain(store, entry)]


def test_one_entry_is_a_line_of_its_own(store):
    assert names(store, store.add("decision", "alpha")) == ["alpha"]


def test_a_line_is_the_same_from_each_of_its_entries(store):
    alpha, beta, gamma = (store.add("decision", word) for word in ("alpha", "beta", "gamma"))
    store.supersede(alpha.id, beta.id)
    store.supersede(beta.id, gamma.id)

    for one in (alpha, beta, gamma):
        assert names(store, store.get(one.id)) == ["gamma", "beta", "alpha"]


def test_one_may_replace_several(store):
    alpha, beta, gamma = (store.add("decision", word) for word in ("alpha", "beta", "gamma"))
    store.supersede(alpha.id, gamma.id)
    store.supersede(beta.id, gamma.id)

    assert sorted(names(store, store.get(alpha.id))) == ["alpha", "beta", "gamma"]


def test_a_circle_and_a_gap_end(store):
    alpha, beta = store.add("decision", "alpha"), store.add("decision", "beta")
    store.supersede(alpha.id, beta.id)
    store.supersede(beta.id, alpha.id)
    assert sorted(names(store, store.get(alpha.id))) == ["alpha", "beta"]

    lost = store.add("decision", "lost")
    assert names(store, store.change(lost.id, superseded_by="D-AAAAAA")) == ["lost"]


def test_a_very_long_line_is_cut(store):
    last = store.add("decision", "0th")
    for at in range(1, history.LONGEST + 10):
        last = store.supersede(last.id, store.add("decision", f"{at}th").id)[1]

    assert len(history.load_chain(store, last)) == history.LONGEST


def test_replacing_revives_what_had_been_replaced(store):
    alpha, beta = store.add("decision", "alpha"), store.add("decision", "beta")
    history.supersede(store, alpha, beta)
    former, latter = history.supersede(store, store.get(beta.id), store.get(alpha.id))

    assert (former.id, former.status, former.superseded_by) == (beta.id, "superseded", alpha.id)
    assert (latter.status, latter.superseded_by) == ("active", "")


def test_an_entry_that_only_the_ledger_has_replaces_another_all_the_same(store):
    alpha = store.add("decision", "alpha")
    with sqlite3.connect(store.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with Store(store.path, os.environ, wait=0.05) as hasty:
            beta = hasty.add("decision", "beta")
            history.supersede(hasty, alpha, beta)
        other.execute("ROLLBACK")
    other.close()
    store.fold()

    assert names(store, store.get(alpha.id)) == ["beta", "alpha"]


def test_the_words_of_a_closing_are_taken_back_whatever_was_written_since(store):
    one, other = (store.add("unknown", word, reasoning=f"why {word}") for word in ("alpha", "beta"))
    store.change(one.id, status="done", reasoning="why alpha; as told", how="as told")
    store.change(one.id, content="gamma")
    store.change(other.id, status="done", reasoning="why beta; found out", how="found out")

    assert history.reason_before_closing(store, store.get(one.id)) == "why alpha"
    assert history.reason_before_closing(store, store.get(other.id)) == "why beta"


def test_words_that_a_person_wrote_after_a_closing_are_kept(store):
    one = store.add("unknown", "alpha", reasoning="why alpha")
    store.change(one.id, status="done", reasoning="why alpha; as told", how="as told")
    store.change(one.id, reasoning="another reason")

    assert history.reason_before_closing(store, store.get(one.id)) == "another reason"
