"""Which option of an answer a bare reply chooses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.session.work import options

LETTERS = (
    "Two ways:\n\n**Option A: Poll** every minute\n**Option B:** Push by webhook\n- **Option C** – wait\n\nWhich one?"
)
NUMBERS = "1. an old list\n\nText.\n\n1. SQLite, one file\n2) Postgres\n3. none\n\nWhat do you prefer?"


def test_the_last_list_of_labels_is_read():
    assert options.find_options(LETTERS) == [["a", "Poll every minute"], ["b", "Push by webhook"], ["c", "wait"]]
    assert options.find_options(NUMBERS) == [["1", "SQLite, one file"], ["2", "Postgres"], ["3", "none"]]


@pytest.mark.parametrize("text", ["", "No list.", "- one\n- two", "1. alone", "A sentence. Another one."])
def test_other_lists_offer_nothing(text):
    assert options.find_options(text) == []


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("b", "Push by webhook"),
        ("B looks great", "Push by webhook"),
        ("option a please", "Poll every minute"),
        ("let's do C", "wait"),
        ("let's do C=", "wait"),
        ("give me a hint", ""),
        ("a and b", ""),
        ("d", ""),
        ("yes", ""),
        ("yes, all c", ""),
        ("push by", "Push by webhook"),
    ],
)
def test_a_reply_chooses_one_option(said, chosen):
    assert options.find_chosen(said, options.find_options(LETTERS)) == chosen


def test_a_bare_yes_says_nothing_else():
    assert options.agrees_only("yes, please do it")
    assert not options.agrees_only("yes, at the top")


@given(st.text(max_size=400), st.text(max_size=40))
def test_any_text_is_read(text, said):
    found = options.find_options(text)

    assert len(found) <= options.MOST
    assert options.find_chosen(said, found) in ["", *(row[1] for row in found)]


def test_a_sentence_about_an_option_is_none():
    text = "1. Casts\n2. Type-safe structs\n\nOption 2 is cleanest long-term.\nOption 1 is simplest.\n\nWhich one?"

    assert options.find_chosen("let's try 2=", options.find_options(text)) == "Type-safe structs"


def test_the_line_below_a_short_option_says_what_it_means():
    text = "**Option A: Poll**\nAsk once a minute.\n\n**Option B: Push**\nA webhook calls us.\n\nWhat do you think?"

    assert options.find_options(text) == [["a", "Poll: Ask once a minute."], ["b", "Push: A webhook calls us."]]


def test_the_question_above_a_list_is_its_heading():
    text = "## Where should the ids live?\n\n1. store\n2. paths\n\nThe store fits best."

    assert options.find_heading(text, options.find_options(text)) == "Where should the ids live?"
    assert options.find_heading("Two ways:\n1. store\n2. paths", [["1", "store"], ["2", "paths"]]) == ""
