"""Texts by their words alone, and fit to print."""

import pytest

from belay import plaintext


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("**Write** the parser!", "write the  parser"),
        ("`src/app.py`: reads", "src app py reads"),
        ("STRASSE", "straße"),
        ("!?", "!? "),
    ],
)
def test_lines_of_the_same_words_have_one_key(one, other):
    assert plaintext.key(one) == plaintext.key(other) != ""


def test_signs_alone_are_no_words():
    assert plaintext.words("!? -") == ""


def test_the_first_of_rows_that_say_the_same_stays():
    assert plaintext.distinct(["One.", "two", "ONE", "Two!"], str) == ["One.", "two"]


@pytest.mark.parametrize("sign", ["\x1b", "\n", "\u202e", "\ud800"])
def test_nothing_that_moves_a_cursor_is_printed(sign):
    text = f"a{sign}[2Jb"

    assert plaintext.printable(text) == "a [2Jb"
    assert plaintext.escaped(text) == f"a\\x{ord(sign):02x}[2Jb"
