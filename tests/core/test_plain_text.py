"""Texts by their words alone, and fit to print."""

import subprocess

import pytest

from belay.core import plain_text


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
    assert plain_text.key(one) == plain_text.key(other) != ""


def test_signs_alone_are_no_words():
    assert plain_text.words("!? -") == ""


@pytest.mark.parametrize("sign", ["\x1b", "\n", "\u202e", "\ud800"])
def test_nothing_that_moves_a_cursor_is_printed(sign):
    text = f"a{sign}[2Jb"

    assert plain_text.printable(text) == "a [2Jb"
    assert plain_text.escaped(text) == f"a\\x{ord(sign):02x}[2Jb"


def test_a_name_shows_what_hides_in_it():
    assert plain_text.escaped("a\u200bb\u3164c") == "a\\x200bb\\x3164c"
    assert plain_text.printable("a\u3164b 👩🏽‍💻 ❤️") == "a b 👩🏽‍💻 ❤️"


def test_a_diff_is_one_that_git_applies(tmp_path):
    (tmp_path / "a.md").write_text("one\ntwo\nthree")

    diff = plain_text.unified("a.md", "one\ntwo\nthree", "one\n2\nthree\n")

    done = subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff.encode(), check=False)
    assert done.returncode == 0
    assert (tmp_path / "a.md").read_text() == "one\n2\nthree\n"
    assert plain_text.unified("a.md", "x", "x") == ""
    assert plain_text.block("a\r\n\tb\x1b[2J\n") == "a\n    b\\x1b[2J\n"
