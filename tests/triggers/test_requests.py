"""The request phrases: the table, quotation, branch names, what is to be remembered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.triggers import classifier, requests


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


@pytest.mark.parametrize(
    "text",
    [
        "I can't remember the port.",
        "Do you remember the port?",
        "Remember how we fixed the login bug?",
        "remember when the build broke",
        "The form should remember the user's choice",
        "The remember me checkbox is broken",
        "the app must not forget the last tab",
        "save the file",
        "Save it to out.txt",
        "Add a save button to the form",
        "that's it for the parser, now the lexer",
        "is that it for today?",
        "The job calls it a day after an hour",
        "Users never forget their password",
    ],
)
def test_a_memory_a_feature_and_a_file_are_no_request(text):
    assert requests.find_requests(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, that's it for today!",
        "lets call it a day",
        "ok, done for the day",
        "save",
        "Save everything, please.",
        "I'm signing off",
        "pausing here for the day",
    ],
)
def test_the_end_of_a_day_leads_to_the_wrap_up_and_is_no_capture(text):
    assert [request.action for request in requests.find_requests(text)] == ["wrap-up"]
    verdict = classifier.classify(text)
    assert (verdict.entries, verdict.near) == ([], [])


def test_what_is_decided_beside_the_end_of_a_day_is_captured():
    verdict = classifier.classify("Let's go with SQLite for storage. That's it for today.")
    assert [entry.sentence for entry in verdict.entries] == ["Let's go with SQLite for storage."]


def test_each_thing_to_remember_is_a_request():
    asked = requests.find_requests("Remember that ids are ULIDs. Remember: we ship on Fridays.")
    assert [request.sentence for request in asked] == ["Remember that ids are ULIDs.", "Remember: we ship on Fridays."]


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("Don't forget the changelog.", True),
        ("Add refund(). Don't forget the tests.", False),
        ("Add refund() and don't forget the tests.", False),
        ("Add refund(). Always remember to run the linter.", True),
        ("Also remember to run the linter afterwards.", False),
        ("Add refund(). Don't forget that ids are ULIDs.", True),
        ("Please remember to run the linter before every commit.", True),
    ],
)
def test_an_order_beside_a_task_does_not_last(text, lasts):
    (asked,) = requests.find_requests(text)
    assert asked.lasts is lasts


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
