"""Sentences and tokens."""

from hypothesis import given
from hypothesis import strategies as st

from belay.triggers import rules


def test_sentences_are_cut_at_marks_and_line_ends():
    assert rules.sentences("Use tabs. Not spaces!\nWhy?") == ["Use tabs.", "Not spaces!", "Why?"]


def test_a_dot_inside_a_word_or_after_a_list_number_cuts_nothing():
    assert rules.sentences("1. Open app.py and v1.2 first") == ["1. Open app.py and v1.2 first"]


def test_tokens_tell_kinds_apart():
    text = "Set MAX_JOBS=4 at https://a.test/x, 10.0.0.1, src/app.py, v1.2.3 and ops@a.test: 5433"
    found = rules.tokens(text)
    assert [word for word in found if word[0] == "<"] == [
        "<id>",
        "<url>",
        "<ip>",
        "<path>",
        "<ver>",
        "<email>",
        "<num>",
    ]


def test_spellings_are_brought_together():
    assert rules.tokens("Lets go, dont “stop”") == ["let's", "go", ",", "don't", "stop"]


@given(st.text())
def test_every_sentence_is_a_piece_of_the_text(text):
    for sentence in rules.sentences(text):
        assert sentence
        assert sentence in text
        assert all(rules.tokens(sentence))


def test_a_shortened_word_ends_no_sentence():
    assert rules.sentences("Those notes re. coverage can go, incl. the old ones. Done") == [
        "Those notes re. coverage can go, incl. the old ones.",
        "Done",
    ]
    assert rules.sentences("Keep the logs etc. Then go on") == ["Keep the logs etc.", "Then go on"]
