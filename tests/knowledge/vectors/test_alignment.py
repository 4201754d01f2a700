"""Words of a question paired with the nearest words of a text."""

import os

import pytest
import wordpieces
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belay.knowledge.vectors import alignment, encoding


@pytest.fixture
def encoder(home, tmp_path):
    wordpieces.install(tmp_path)
    return encoding.load_encoder(os.environ)


def test_one_word_of_the_same_meaning_counts_however_long_the_text(encoder):
    short, long, other = alignment.align_texts(
        encoder,
        "automobile",
        ["car", "refund cents petrol fuel look " * 3 + "car", "refund cents"],
    )
    assert short == pytest.approx(long)
    assert short > 0.6 > other


def test_the_same_words_align_fully_in_any_order(encoder):
    assert alignment.align_texts(encoder, "Refunds, fuel!", ["fuel refunds"]) == [pytest.approx(1, abs=0.01)]


def test_cosines_are_those_of_single_words(encoder):
    (share,) = alignment.align_texts(encoder, "car", ["automobile petrol"])
    pairs = [
        encoding.multiply_all(encoding.unpack(encoder.encode("car")), [encoder.encode(word)])[0]
        for word in ("automobile", "petrol")
    ]
    assert share == pytest.approx(max(pairs), abs=0.02)


@pytest.mark.parametrize(
    ("question", "text"), [("", "car"), ("car", ""), ("東北", "car"), ("car", "東北"), ("!?", "…")]
)
def test_what_has_no_known_word_aligns_with_nothing(encoder, question, text):
    assert alignment.align_texts(encoder, question, [text]) == [0.0]


def test_no_text_is_no_share(encoder):
    assert alignment.align_texts(encoder, "car", []) == []


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_word_aligns_with_itself_fully_or_is_unknown(encoder, word):
    (share,) = alignment.align_texts(encoder, word, [word])
    assert share == 0 or share == pytest.approx(1)


@given(st.text(), st.lists(st.text(), max_size=4))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_text_gets_a_share(encoder, question, texts):
    shares = alignment.align_texts(encoder, question, texts)
    assert len(shares) == len(texts)
    assert all(0 <= share <= 1 + 1e-9 for share in shares)


def test_of_a_document_the_best_passage_counts_not_words_far_apart(encoder):
    filler = "look " * alignment.PASSAGE * 2
    together, apart, other = alignment.align_passages(
        encoder,
        "car refunds",
        [[filler, f"{filler} automobile money"], [f"automobile {filler} money"], [filler]],
    )
    assert together > 0.6
    assert 0 < apart < 0.7 * together
    assert other == 0


def test_a_passage_across_the_middle_is_whole(encoder):
    for words in range(3 * alignment.PASSAGE):
        (share,) = alignment.align_passages(encoder, "car refunds", [["proxy " * words + "automobile money"]])
        assert share > 0.6, words


def test_words_that_say_nothing_ask_for_nothing(encoder):
    assert alignment.align_passages(encoder, "the", [["the car"]]) == [0.0]
    with_the, without = alignment.align_passages(encoder, "the car", [["the automobile"], ["automobile"]])
    assert with_the == without > 0.6


@pytest.mark.parametrize("question", ["", "東北", "car"])
def test_no_document_and_an_empty_one_have_no_passage(encoder, question):
    assert alignment.align_passages(encoder, question, []) == []
    assert alignment.align_passages(encoder, question, [[], [""], ["東北"]]) == [0.0, 0.0, 0.0]


@given(
    st.lists(st.text(alphabet="abcdefgh東 ", min_size=1, max_size=9), min_size=1, max_size=20), st.floats(0.05, 0.95)
)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_near_words_are_those_whose_cosine_is_high_enough(encoder, texts, least):
    names = [word for text in texts for word in encoding.split_words(text)]
    words = list(map(encoder.encode_word, names))
    asked = [word for word in words if word.weight][:4]
    found = encoding.find_near(asked, words, least)
    assert len(found) == len(asked)
    for near, word, row in zip(found, asked, alignment._compare_words(encoder, asked, names), strict=True):
        cosines = [product / word.length for product in row]
        assert dict(near) == pytest.approx({at: cosines[at] for at, _ in near})
        assert {at for at, cosine in enumerate(cosines) if cosine > least + 1e-9} <= set(dict(near))
        assert all(cosine >= least for _, cosine in near)
