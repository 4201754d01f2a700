"""Prompts that choose or doubt a product, told from prompts that only name one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.context.recall import choices
from belay.core import terms


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("Why not Postgres?", "Postgres"),
        ("should we just use MongoDB", "MongoDB"),
        ("Postgres instead of this", "Postgres"),
        ("warum nicht Postgres?", "Postgres"),
        ("pourquoi pas Postgres ?", "Postgres"),
        ("¿por qué no usar Postgres?", "Postgres"),
    ],
)
def test_a_choice_is_seen(text, product):
    assert terms.stem(product) in choices.find_chosen(text)


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("the Postgres container does not start", "Postgres"),
        ("why is the page blank when I log in and the Postgres container runs", "Postgres"),
        ("Postgres", "Postgres"),
        ("", "Postgres"),
    ],
)
def test_a_name_alone_is_none(text, product):
    assert terms.stem(product) not in choices.find_chosen(text)


@given(st.text(max_size=100))
def test_only_words_of_the_text_are_chosen(text):
    assert choices.find_chosen(text) <= {terms.stem(word) for word in terms.words(text)}
