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
    "text",
    [
        "SQLite",
        "let's use tabs",
        "Which storage? → SQLite",
        "What should happen when a file hits 10 versions? → Auto-prune oldest",
        "Which port does staging use? → 5433",
        "How should version keys be handled? → New key per version (Recommended)",
    ],
)
def test_a_decision_with_content_is_understood_alone(text):
    assert sentences.has_content(text)


@pytest.mark.parametrize(
    "text",
    [
        "option 2",
        "c",
        "yes, do it",
        "let's go with that approach",
        "go with the second one",
        "Yes, use the recommended option (a)",
        "Which storage? → Option B",
        "Which storage? → You decide",
        "Do you want the cleanup included? → yes, let's add this",
        "Analyze the packages we have → `session/` package, best fit",
        "Based on the tradeoffs, which approach? → Hybrid",
        "What would you like to do with this todo? → Work on it now",
        "More questions about restore, or move to the next area? → Next area",
        "Would you like me to generate mockups? → Yes, generate mockups",
        "Should sharing be instant? → what are the disadvantages of instant share?",
        "Can recipients remove a share? → hmmmm, this would depend on discovery",
        "How do we show it? → " + "a long story " * 10,
    ],
)
def test_what_only_points_asks_or_goes_on_is_no_decision(text):
    assert not sentences.has_content(text)


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("Shall I stringify the error in `main.ts`?", True),
        ("Which port does staging use?", True),
        ("Would you like me to implement Option 1, or keep it as it is (Option 3)?", False),
        ("Should I go with approach B?", False),
        ("Shall I proceed?", False),
    ],
)
def test_a_question_that_points_elsewhere_does_not_stand_alone(question, alone):
    assert sentences.stands_alone(question) is alone


@pytest.mark.parametrize(
    ("said", "decision", "reason"),
    [
        ("Zod for validation because it infers types.", "Zod for validation", "it infers types"),
        ("SQLite for storage: one file, no server", "SQLite for storage", "one file, no server"),
        ("pnpm, because of workspaces", "pnpm", "workspaces"),
        ("serve `a: b` on port 80:443", "serve `a: b` on port 80:443", ""),
        ("use https://example.org", "use https://example.org", ""),
        ("keep it as it is:", "keep it as it is:", ""),
        ("Keep one table, since it's read by both", "Keep one table", "it's read by both"),
        ("Keep one table since we only read it.", "Keep one table", "we only read it"),
        ("Pin the image so that builds repeat", "Pin the image", "builds repeat"),
        ("The port changed since it moved", "The port changed since it moved", ""),
        ("Count all rows since the last release", "Count all rows since the last release", ""),
        ("Use it here too because it retries [lib/net.py]", "Use it here too [lib/net.py]", "it retries"),
    ],
)
def test_a_decision_gives_its_reason(said, decision, reason):
    assert sentences.split_reason(said) == (decision, reason)


@pytest.mark.parametrize(
    "said", ["ok, change of plan: all pages in one folder", "Agreed: couldn't we keep one copy?", "two things: tabs"]
)
def test_a_colon_gives_no_reason_for_what_was_said_in_passing(said):
    assert sentences.split_reason(said, by_colon=False) == (said, "")


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
