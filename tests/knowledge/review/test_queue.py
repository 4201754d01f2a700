"""The queue: what waits is accepted, reworded, merged or turned down, and each decision can be taken back."""

import os

import pytest
from sayings import session, sessions, settle

from belay.core.errors import BadInput
from belay.knowledge.entries import entries
from belay.knowledge.review import promotion
from belay.knowledge.review.queue import NothingToUndo, Queue
from belay.knowledge.store.store import Store
from belay.session import journal
from belay.session.session import Session


@pytest.fixture
def queue(project):
    return Queue(project, os.environ)


def kept(project, status=("active",)):
    with Store(project.workshop, os.environ) as store:
        return entries.list_entries(store.connection, status=status, limit=-1)


def names(queue):
    return [each.capture.id for each in queue.waiting()]


def is_open(project, name, session_="s-1"):
    return name in Session(project, session_, os.environ).state["captures"]


def test_accepted_it_is_an_entry_and_waits_no_more(project, queue):
    first, second = session(project, "s-1", ("decision", "drop the cache"), ("value", "port 5433 it is"))
    done = queue.accept([first.lower()])

    assert (done.act, done.ids, done.entry.content) == ("accept", (first,), "drop the cache")
    assert names(queue) == [second]
    assert not is_open(project, first)
    assert promotion.run_step(project, os.environ, sessions(project)) == 1  # the other one is heard
    assert names(queue) == [second]
    with pytest.raises(BadInput, match="does not wait"):
        queue.accept([first])


def test_in_other_words_and_another_type(project, queue):
    (name,) = session(project, "s-1", ("value", "port 5433 it is"))
    done = queue.accept([name], "The staging port is 5433", "gotcha")

    assert (done.entry.type, done.entry.content) == ("gotcha", "The staging port is 5433")
    (record,) = (row for row in journal.read(project.ledger)[0] if row["kind"] == "entry")
    assert record["of"] == [name]


def test_two_become_one_in_the_first_ones_words(project, queue):
    pair = session(project, "s-1", ("decision", "drop the cache"), ("architecture", "no cache between services"))
    done = queue.accept(pair)

    assert (done.act, done.entry.content) == ("merge", "drop the cache")
    assert names(queue) == []
    assert queue.undo().ids == tuple(pair)
    assert sorted(names(queue)) == sorted(pair)
    assert kept(project) == []


def test_turned_down_it_makes_no_database_and_stays_out(project, queue):
    (name,) = session(project, "s-1", ("preference", "always run the linter"))
    queue.reject([name])

    assert names(queue) == []
    assert not os.path.exists(project.workshop)
    (again,) = session(project, "s-2", ("preference", "Always run the linter!"))
    assert promotion.run_step(project, os.environ, sessions(project)) == 0
    (waits,) = queue.waiting()
    assert (waits.capture.id, waits.why) == (again, "the same was turned down before")


def test_decisions_are_taken_back_last_first(project, queue):
    one, two, three = session(
        project,
        "s-1",
        ("decision", "drop the cache"),
        ("value", "port 5433"),
        ("preference", "short answers"),
    )
    queue.accept([one])
    queue.reject([two])
    queue.accept([three], "Answer briefly")

    assert queue.undo().ids == (three,)
    assert queue.undo().ids == (two,)
    assert names(queue) == [two, three]
    assert [entry.content for entry in kept(project)] == ["drop the cache"]
    assert queue.undo().ids == (one,)
    assert is_open(project, one)
    assert kept(project) == []
    with pytest.raises(NothingToUndo):
        queue.undo()
    assert queue.accept([one]).entry.status == "active"


def test_taking_back_what_was_counted_on_an_older_entry_leaves_that(project, queue):
    with Store(project.workshop, os.environ, create=True) as store:
        old = store.add("decision", "drop the cache")
    (name,) = session(project, "s-1", ("decision", "Drop the cache."))
    assert queue.accept([name]).entry.seen == 2
    queue.undo()

    assert [(one.id, one.seen) for one in kept(project)] == [(old.id, 1)]
    assert names(queue) == [name]


def test_what_the_consolidator_folds_in_between_changes_nothing(project, queue):
    first, second = session(project, "s-1", ("decision", "drop the cache"), ("value", "port 5433"))
    settle(project)
    queue.accept([first])
    settle(project)
    assert names(queue) == [second]
    queue.undo()
    settle(project)
    assert names(queue) == [first, second]


def test_what_a_wrap_up_or_a_person_closed_waits_no_more(project, queue):
    first, second = session(project, "s-1", ("decision", "drop the cache"), ("value", "port 5433"))
    Session(project, "s-1", os.environ).log("close", ids=[first], how="acknowledged")
    Session(project, "s-1", os.environ).log("wrap-up", ids=[second])

    assert names(queue) == []


def test_killed_after_the_entry_the_capture_is_known(project, queue, monkeypatch):
    (name,) = session(project, "s-1", ("decision", "drop the cache"))
    with monkeypatch.context() as killed:
        killed.setattr(Queue, "_decide", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            queue.accept([name])

    assert names(queue) == []
    assert promotion.run_step(project, os.environ, sessions(project)) == 0
    assert len(kept(project)) == 1
