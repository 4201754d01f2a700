"""Which next step stays: a person's until it is done; Belay's own gives way."""

import os

import pytest

from belay.core import files
from belay.memory import next_steps
from belay.session.session import Session


@pytest.mark.parametrize(
    ("step", "finished", "done"),
    [
        ("add the token TTL in file.txt:1", ["Add a TTL of tokens"], True),
        ("add the TTL in file.txt:1", ["Add the TTL in file.txt"], True),
        ("Add tests for refund()", ["Add refund()"], False),
        ("Add tests for refund() in src/pay.py", ["Add refund()", "Add tests for refund()"], True),
        ("Fix `src/a.py:3`", ["Fix the login"], False),
        ("Decide on a queue", ["Add a cache"], False),
        ("", ["Add a cache"], False),
    ],
)
def test_a_step_is_done_where_a_finished_text_names_it(step, finished, done):
    assert next_steps.is_done(step, finished) is done


def test_only_belays_own_step_gives_way(project):
    path = project.memory_md
    assert next_steps.may_replace(project, path, "")
    assert not next_steps.may_replace(project, path, "Add the TTL")
    assert next_steps.may_replace(project, path, "Add the token TTL", ["Add the token TTL"])

    next_steps.record_step(project, path, "Go on at `a.py:3`")
    assert next_steps.may_replace(project, path, "Go on at `a.py:3`")
    assert not next_steps.may_replace(project, project.at("sub", "MEMORY.md"), "Go on at `a.py:3`")
    assert not next_steps.may_replace(project, path, "Add the TTL")


def test_a_damaged_record_makes_every_step_a_persons(project):
    next_steps.record_step(project, project.memory_md, "x")
    files.write(os.path.join(project.states, "automatic-steps"), b"[")
    assert not next_steps.may_replace(project, project.memory_md, "x")


def test_what_is_for_the_continuation_is_no_lasting_step(project):
    def step(answer, asks=False):
        session = Session(project, f"s-{abs(hash(str(answer)))}", os.environ)
        session.log("prompt", task="mend the parser", text="mend the parser", request="task", **session.place())
        full = {"declared": "", "kind": "", "question": "", "steps": [], "announced": "", **answer}
        session.log("said", text="x", answer=full, unfinished=asks)
        return next_steps.find_lasting_step(session.state)

    assert step({"steps": ["Add the TTL in `file.txt`"]}) == "Add the TTL in `file.txt`"
    assert step({"kind": "next", "declared": "Add the TTL"}) == "Add the TTL"
    assert step({"question": "Shall I change `file.txt`?"}) == ""
    assert step({"question": "Shall I?", "steps": ["Add the TTL in `file.txt`"]}) == "Add the TTL in `file.txt`"
    assert step({"announced": "I'll change `file.txt` now"}) == ""


def test_a_prompt_that_was_cut_off_is_no_lasting_step(project):
    session = Session(project, "s-cut", os.environ)
    session.log("prompt", task="mend file.txt", text="mend file.txt", request="task", **session.place())
    assert next_steps.find_lasting_step(session.state) == ""
