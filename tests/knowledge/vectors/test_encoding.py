"""Texts as vectors: cut into the longest pieces, added in lanes, compared many at once."""

import os

import pytest
import wordpieces
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belay.knowledge.vectors import encoding

VECTOR = st.lists(st.integers(-127, 127), min_size=8, max_size=8)


@pytest.fixture
def encoder(home, tmp_path):
    wordpieces.install(tmp_path)
    return encoding.load_encoder(os.environ)


def pieces(encoder, word):
    names = encoder.table.list_pieces()
    return [names[number].decode() for number in encoder.split_word(word)]


def cosine(encoder, one, other):
    return encoding.multiply_all(encoding.unpack(encoder.encode(one)), [encoder.encode(other)])[0]


def test_a_word_is_cut_from_its_beginning_the_longest_piece_first(encoder):
    assert pieces(encoder, "refunds") == [" refunds"]
    assert pieces(encoder, "looking") == [" look", "ing"]
    assert pieces(encoder, "größe") == [" größe"]
    assert pieces(encoder, "größer") == [" größe", "r"]
    assert pieces(encoder, "ab") == ["a", "b"]
    assert pieces(encoder, "東北") == []
    assert pieces(encoder, "berlin") == [" berlin"]  # the model knows it with a capital


def test_words_of_one_meaning_are_near_and_others_are_not(encoder):
    assert cosine(encoder, "the car", "an automobile") > 0.6
    assert cosine(encoder, "the car", "refunds in cents") < 0.3
    assert cosine(encoder, "Petrol, fuel!", "fuel petrol") == pytest.approx(1, abs=0.02)
    assert cosine(encoder, "東京", "東京") == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("text", ["", "  ", "!?", "____", "東北", "\0"])
def test_a_text_without_a_known_word_has_no_vector(encoder, text):
    assert encoder.encode(text) == b""


@given(st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_has_a_vector_of_length_one_or_none(encoder, text):
    vector = encoder.encode(text)
    if vector:
        assert len(vector) == encoder.table.dims
        assert encoding.multiply_all(encoding.unpack(vector), [vector])[0] <= 1.1
    assert vector == encoder.encode(text)


@given(VECTOR, st.lists(VECTOR | st.just([]), max_size=9))
def test_many_products_at_once_are_the_products(asked, rows):
    packed = [bytes(value & 255 for value in row) for row in rows]
    told = encoding.multiply_all(asked, packed)
    wanted = [sum(one * other for one, other in zip(asked, row, strict=False)) for row in rows]
    assert [round(value * encoding.LENGTH**2) for value in told] == wanted


@pytest.mark.parametrize(
    ("text", "known"),
    [("the refundz", True), ("xyzzy", False), ("fooBar xq", False), ("größe", True), ("大阪", True), ("", False)],
)
def test_a_question_of_unknown_names_alone_means_nothing(encoder, text, known):
    assert encoder.knows(text) is known
