"""Which sessions a step of the consolidator has looked at already."""

import os

import pytest

from belay.knowledge.review import processed_sessions
from belay.session.session import Session


@pytest.fixture
def session(project):
    made = Session(project, "s-1", os.environ)
    made.log("prompt", task="work", **made.place())
    return made


def test_a_session_is_looked_at_once_until_something_happens_in_it(project, session):
    processed_sessions.save_processed(project, "step", [session])
    assert processed_sessions.select_changed(project, "step", [session]) == []

    session.log("end", reason="other")
    assert processed_sessions.select_changed(project, "step", [session]) == [session]


@pytest.mark.parametrize("data", ["{", "[]", ""], ids=["cut off", "no object", "empty"])
def test_a_damaged_note_means_that_nothing_was_looked_at(project, session, data):
    processed_sessions.save_processed(project, "step", [session])
    (note,) = [name for name in os.listdir(project.states) if name == "step.json"]
    with open(os.path.join(project.states, note), "w") as file:
        file.write(data)

    assert processed_sessions.select_changed(project, "step", [session]) == [session]
