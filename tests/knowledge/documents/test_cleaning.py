"""Any bytes are read or left out; what is read loses its secrets and nothing of its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secretsamples import GONE, block

from belay.knowledge.documents import cleaning

TEXTS = st.lists(
    st.sampled_from(
        ["<belay>", "</belay>", "\n", "text ", "password: hunter2x9\n", "\r\n", "é", block("RSA PRIVATE KEY")]
    )
).map("".join)


@given(st.binary())
def test_any_bytes_are_text_or_left_out(data):
    text, why = cleaning.decode(data)

    assert (text == "") or not why
    assert why in ("", cleaning.CONFLICT, cleaning.ENCODING)


@given(TEXTS)
def test_every_line_keeps_its_number(text):
    assert cleaning.clean_text(text).count("\n") == text.count("\n")


@pytest.mark.parametrize("name", GONE)
def test_secrets_are_gone(name):
    frame, secret = GONE[name][:2]
    found = cleaning.clean_text("# Notes\n\nBefore.\n\n" + frame.replace("%", secret) + "\n\nAfter.\n")

    assert secret not in found
    assert found.endswith("After.\n")


def test_what_belay_said_is_gone_and_the_rest_stays():
    assert cleaning.remove_fenced("a <belay>x\ny</belay> b\n<belay>z</belay>\nc") == "a \n b\n\nc"
    assert cleaning.remove_fenced("<belay> open only") == "<belay> open only"


def test_many_fences_take_no_longer_than_their_length():
    text = "<belay></belay>\n" * 60_000

    assert cleaning.remove_fenced(text) == "\n" * 60_000


def test_a_mark_of_byte_order_is_no_part_of_the_text():
    assert cleaning.decode(b"\xef\xbb\xbf# Head\n") == ("# Head\n", "")
