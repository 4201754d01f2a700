"""Pasted findings about code are somebody else's words; a person's own facts and rules stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.triggers import classifier, reports

FINDING = (
    "The exported countRows function in table_store.go is never called outside its own tests. It appears to be left "
    "over from an earlier version and was not removed."
)
REVIEW = (
    "1. High: store/rows.py:40 keeps the whole table in memory before the first page is sent.\n"
    "   Large tables were streamed before.\n"
    "2. Low: store/pages.py:12 wraps the error twice."
)
SCANNER = (
    "Same host is accepted twice\n\nMedium Severity\n\nsame_host compares names with plain equality, never addresses."
)
WRAPPED = "The old page count is read from the cache although the table has changed since\n    then and the last page is lost."


@pytest.mark.parametrize("text", [FINDING, REVIEW, SCANNER, WRAPPED, f"**Critical** {FINDING}"])
def test_a_pasted_finding_is_left_out(text):
    assert reports.drop_reports(text) == ""
    assert classifier.classify(text).labels == []


def test_what_the_person_says_beside_a_finding_stays():
    said = "I think the count belongs into the store, never into the page."
    assert reports.drop_reports(f"{FINDING}\n\n{said}") == said
    assert reports.drop_reports(f"{SCANNER}\n\n{said}") == said


@pytest.mark.parametrize(
    "text",
    [
        "The staging database is at db.example.com and only the VPN reaches it. It listens on port 5433, not on 5432.",
        "The parser should live in core/lexer.py and must never import the command line, whatever the old notes say of it.",
        "We never call count_rows() outside of the tests, so please remove it together with everything that belongs to it.",
        "Create table_store.py with a function count_rows() that reads the table without keeping it in memory, and a test.",
        "Why is count_rows() in table_store.go never called although the page shows the number of rows of the whole table?",
        "low priority, do it last",
        "",
    ],
)
def test_a_persons_own_words_stay(text):
    assert reports.drop_reports(text) == text


@given(st.lists(st.sampled_from([FINDING, REVIEW, "Low Severity", "I want tabs.", "", "   and so on"]), max_size=6))
def test_only_complete_paragraphs_go(parts):
    text = "\n\n".join(parts)
    kept = reports.drop_reports(text)
    assert all(part in text for part in kept.split("\n\n"))
