"""Which answers to a question, and which comments on a rejected call, are worth keeping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core import kinds
from belay.triggers import answers

STORE = "Which store should hold the events?"


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        (STORE, "SQLite"),
        (STORE, "Both"),
        ("Should uploads be checked for viruses?", "Yes"),
        ("Windows build?", "Skip Windows (current setup)"),
        ("Would you like me to add retries?", "Yes, with three attempts"),
        ("How long may a session idle?", "15 minutes"),
    ],
)
def test_a_choice_is_a_decision(question, chosen):
    assert answers.judge_answer(question, chosen) == {kinds.DECISION: 1.0}


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        (STORE, "You decide"),
        (STORE, "whatever you think is best"),
        (STORE, "hmm, that depends on the load we expect"),
        (STORE, "What are the drawbacks of SQLite?"),
        (STORE, "can you check what we have? if it's nothing we should add one"),
        (STORE, ""),
        ("More questions about uploads, or move to the next area?", "Next area"),
        ("What would you like to do with this ticket?", "Work on it now"),
        ("Which areas do you want to discuss?", "Uploads, Quotas"),
        ("Are we done?", "Done — write the summary"),
        ("Would you like me to draw the screens?", "Yes, draw the screens"),
        ("Want me to apply that, or pick another one?", "yes, apply that"),
    ],
)
def test_what_only_moves_the_conversation_is_nothing(question, chosen):
    assert answers.judge_answer(question, chosen) == {}


def test_what_else_an_answer_says_is_classified():
    found = answers.judge_answer("What would you like to do next?", "Go on, but never push to main.")
    assert kinds.PREFERENCE in found
    assert found[kinds.PREFERENCE] < 1


@pytest.mark.parametrize(
    ("comment", "classes"),
    [
        ("use tabs in this file", {kinds.CORRECTION: 1.0}),
        ("keep the old name", {kinds.CORRECTION: 1.0}),
        ("retry the commit", {}),
        ("push it", {}),
        ("why are you doing this?", {}),
        ("continue", {}),
    ],
)
def test_a_comment_that_corrects_nothing_is_nothing(comment, classes):
    assert answers.judge_rejection(comment) == classes


@given(st.text(), st.text())
def test_any_answer_is_judged(question, chosen):
    for label, confidence in answers.judge_answer(question, chosen).items():
        assert label in kinds.TRIGGER_LABELS
        assert 0 < confidence <= 1
