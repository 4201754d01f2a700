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
