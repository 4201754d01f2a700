"""Sentences: the matter, the reason, the sound of an issue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.memory.remember import sentences


@pytest.mark.parametrize(
    ("said", "matter"),
    [
        ("Remember this: the port is 5433.", "The port is 5433."),
        ("please remember that we ship on Fridays", "We ship on Fridays"),
        ("Remember to run the linter.", "Run the linter."),
        ("The port is 5433, don't forget!", "The port is 5433"),
        ("Don't forget to bump the version", "Bump the version"),
        ("Don't forget the changelog.", "Don't forget the changelog."),
        ("Remember this", "Remember this"),
        ("remember, we ship on Fridays", "We ship on Fridays"),
        ("Could you please remember this: the vendor is Acme?", "The vendor is Acme"),
        ("I want you to remember that ids are ULIDs.", "Ids are ULIDs."),
        ("Always remember to run the linter.", "Always run the linter."),
        ("Never forget to run the linter.", "Always run the linter."),
        ("Do not forget: invoices are in cents.", "Invoices are in cents."),
        ("Let's not forget that ids are ULIDs", "Ids are ULIDs"),
        ("please don't forget the changelog", "Don't forget the changelog"),
        ("For future reference, remember the vendor calls at nine", "The vendor calls at nine"),
        ("Note to self: invoices are in cents", "Invoices are in cents"),
        ("Make a note that invoices are in cents", "Invoices are in cents"),
        ("Add this to our memory: invoices are in cents", "Invoices are in cents"),
        ("We always remember to run it", "We always remember to run it"),
        ("SQLite for storage", "SQLite for storage"),
        ("remember this: iOS builds need Xcode", "iOS builds need Xcode"),
    ],
)
def test_matter_is_what_is_left_of_a_request(said, matter):
    assert sentences.strip_request(said) == matter


@pytest.mark.parametrize(
    ("said", "decision", "reason"),
    [
        ("Zod for validation because it infers types.", "Zod for validation", "it infers types"),
        ("SQLite for storage: one file, no server", "SQLite for storage", "one file, no server"),
        ("pnpm, because of workspaces", "pnpm", "workspaces"),
        ("serve `a: b` on port 80:443", "serve `a: b` on port 80:443", ""),
        ("use https://example.org", "use https://example.org", ""),
        ("keep it as it is:", "keep it as it is:", ""),
    ],
)
def test_a_decision_gives_its_reason(said, decision, reason):
    assert sentences.split_reason(said) == (decision, reason)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("finished the refund handler", "done"),
        ("Done: refund handler", "done"),
        ("blocked on the staging key", "blocker"),
        ("we're waiting for legal", "blocker"),
        ("Zod because it infers types", "decision"),
        ("Postgres over MySQL", "decision"),
        ("the login test fails because of the clock", ""),
        ("ids are ULIDs", ""),
    ],
)
def test_shape_tells_the_kind(said, kind):
    assert sentences.guess_kind(said) == kind


def test_an_issue_is_told_from_a_note():
    assert sentences.is_issue("the retry test is flaky on CI")
    assert sentences.is_issue("gotcha: dates are UTC")
    assert not sentences.is_issue("the queue keeps its order")


@given(st.text())
def test_no_sentence_is_lost(text):
    assert bool(sentences.strip_request(text)) == bool(text.split())
    assert bool(sentences.split_reason(text)[0]) == bool(text.strip())
