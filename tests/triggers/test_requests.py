"""The request phrases: the table, quotation, branch names, what is to be remembered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.triggers import requests


@pytest.mark.parametrize("row", requests.read(), ids=[row[2] for row in requests.read()])
def test_a_row_of_the_table_fires_on_its_example(row):
    action, _, example = row
    assert [request.action for request in requests.find_requests(example)] == [action.rstrip("?")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Switch to feature/login-flow.", "feature/login-flow"),
        ("please switch to the hotfix branch", "hotfix"),
        ("switch to main", "main"),
        ("switch to postgres", None),
        ("Give me the context for the payments feature.", "payments"),
        ("Switch to it", None),
    ],
)
def test_the_branch_is_named(text, name):
    names = [request.name for request in requests.find_requests(text) if request.action == "branch"]
    assert names == ([name] if name else [])


@pytest.mark.parametrize(
    "text",
    [
        'Label the button "save progress".',
        "Rename it to `save state`",
        "Add the text 'wrap up' to the menu",
        "> wrap up",
        "```\nwrap up\n```",
        "/wrap-up",
        "<system-reminder>Save progress.</system-reminder>",
    ],
)
def test_a_phrase_in_quotation_code_or_a_machine_turn_is_no_request(text):
    assert requests.find_requests(text) == []


def test_what_to_remember_may_stand_in_the_next_sentence():
    asked = requests.find_requests("Remember this:\nThe vendor calls at nine.")
    assert [(request.action, request.sentence) for request in asked] == [("remember", "The vendor calls at nine.")]


def test_each_action_comes_once():
    asked = requests.find_requests("Save progress. I'm done for now. How much context is left?")
    assert [request.action for request in asked] == ["wrap-up", "budget"]


@given(st.one_of(st.text(), st.text().map(lambda text: f"remember this {text} wrap up '")))
def test_any_text_is_answered(text):
    for request in requests.find_requests(text):
        assert request.sentence in text


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("Remember to run the linter.", True),
        ("Please don't forget the changelog", True),
        ("Don't forget that ids are ULIDs", False),
        ("The port is 5433, don't forget!", False),
        ("Remember this: the port is 5433", False),
    ],
)
def test_an_order_is_told_from_a_fact(said, order):
    assert requests.is_order(said) == order
