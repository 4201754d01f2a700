"""What Claude found out becomes entries of its own: few, only at a session's end, with files and commit."""

import os

import pytest
from sayings import sessions

from belay.knowledge.entries import entries
from belay.knowledge.review import promotion
from belay.knowledge.store.store import Store
from belay.session import journal
from belay.session.session import Session
from belay.session.work import answer

CAUSE = "The pool test is flaky because `PoolTest.tearDown` closes the socket before the worker has read it."
MORE = " I have looked at it in three runs and left everything else in the project as it was before."


@pytest.fixture
def talk(project):
    """Return a function that journals turns (prompt, records before the answer, answer) of a session, and its end."""

    def play(name, *turns, is_over=True):
        session = Session(project, name, os.environ)
        session.log("start", source="startup", **session.place())
        for asks, records, said in turns:
            session.log("prompt", text="x", asks=asks, task="find out why the pool test is flaky", **session.place())
            for kind, fields in records:
                session.log(kind, **fields)
            answer.record_answer(session, said + MORE)
        if is_over:
            session.log("end", reason="other")
        session.save()
        promotion.run_step(project, os.environ, sessions(project))
        return session

    return play


def kept(project):
    if not os.path.exists(project.workshop):
        return []
    with Store(project.workshop, os.environ) as store:
        return entries.list_entries(store.connection, ("finding",), entries.CURRENT, -1)


def test_a_cause_is_claudes_finding_with_the_files_and_the_commit_of_its_turn(project, talk):
    edit = ("edit", {"files": [{"path": "src/pool.py", "line": 3}]})
    made = ("commit", {"sha": "abc1234", "subject": "Wait for the worker"})
    talk("s-1", ("work", [edit, made], CAUSE))

    (entry,) = kept(project)
    assert (entry.content, entry.type, entry.source) == (CAUSE, "finding", "claude")
    assert (entry.status, entry.commit, entry.files) == (entries.HEARD, "abc1234", ("src/pool.py",))


def test_a_session_that_goes_on_has_no_findings_yet(project, talk):
    talk("s-1", ("work", [], CAUSE), is_over=False)
    assert kept(project) == []


def test_what_the_user_objected_to_is_no_finding(project, talk):
    talk("s-1", ("work", [], CAUSE), ("objection", [], "You are right."))
    assert kept(project) == []


def test_a_session_leaves_at_most_three_the_surest_and_each_once(project, talk):
    turns = [("work", [], f"`step{n}()` fails, because `table{n}` is never filled.") for n in range(4)]
    talk("s-1", ("work", [], CAUSE), ("question", [], CAUSE), *turns)
    talk("s-1")

    found = [entry.content for entry in kept(project)]
    assert len(found) == 3
    assert found.count(CAUSE) <= 1


def test_a_check_that_passes_again_makes_a_finding_surer_and_says_so(project, talk):
    lesson = ("lesson", {"failed": "make test: FAIL", "files": ["pool.py"], "passed": "make test"})
    others = [("work", [], f"Part {n} fails due to the late filling of `table{n}`.") for n in range(3)]
    talk("s-1", *others, ("work", [lesson], CAUSE))

    found = {entry.content: entry.reasoning for entry in kept(project)}
    assert found[CAUSE] == "`make test` failed before and passed after the edits."


def test_a_finding_is_written_once_however_often_the_step_runs(project, talk):
    talk("s-1", ("work", [], CAUSE))
    talk("s-2", ("work", [], "Nothing was found."))
    talk("s-1")

    assert [entry.seen for entry in kept(project)] == [1]
    rows = [row for row in journal.read(project.ledger)[0] if str(row.get("kind", "")).startswith("entry")]
    assert len(rows) == 1


def test_use_does_not_confirm_what_claude_said(project, talk):
    talk("s-1", ("work", [], CAUSE))
    (entry,) = kept(project)
    with Store(project.workshop, os.environ) as store:
        counts = {"recalled": 1, "used": 1, "helpful": 1, "harmful": 0, "tokens": 9}
        store.append({"kind": "entry-count", "of": "s-2", "counts": {entry.id: counts}})

    assert promotion.confirm_used(project, os.environ) == 0
    assert [one.status for one in kept(project)] == [entries.HEARD]
