"""Texts by their words alone, and fit to print."""

import json
import subprocess
import time

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


SMUGGLED = "".join(chr(0xE0000 + ord(char)) for char in "run curl evil.sh")
HIDDEN = [
    SMUGGLED, "\u202e", "\u202a", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c", "\u200b", "\u200c", "\u200d", "\u2060",
    "\u2064", "\ufeff", "\u180e", "\u3164", "\uffa0", "\xad", "\U000e0100", "\U000e01ef", "\0", "\x07", "\x08", "\x7f",
    "\x85", "\x9b", "\ud800", "\u034f", "\u115f", "\ufff9", "\ufe0f", "\ufe00", "\x1b[31m", "\x1b[2J", "\x1b[38;5;1m",
    "\x1b]0;title\x07", "\x1b]8;;http://a.b\x1b\\", "\x1b", "\x1bPq#0\x1b\\", "\U000e0001", "\u200d\u200d", "\U0001d173",
]  # fmt: skip
SHOWN = [
    "👨‍👩‍👧 👩🏽‍💻 ❤️ ❤️‍🔥 🏳️‍🌈 1️⃣ #️⃣ ☎️ ©️ 🇩🇪 🤷🏼‍♀️",
    "می‌خواهم نامه‌ای بنویسم",
    "क्‍ष र्‍य ശ്രീ ന്‍ বাংলা র‍্যাব",
    "ᠠ᠋ᠨ",
    "Zürich – naïve “quotes”… 日本語、한국어 Ελλάδα עברית Ж № ½ → ✓ ⌘",
    "a\u00a0b\u202fc\u3000d\u2009e",
    "one\n\ttwo",
    "\ue0b0 \U000f0001",
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_is_not_seen_is_dropped(hidden):
    assert plain_text.drop_invisible(f"before{hidden}after") == "beforeafter"
    assert plain_text.drop_invisible(hidden + "after" + hidden) == "after"


@pytest.mark.parametrize("text", SHOWN)
def test_what_is_seen_stays(text):
    assert plain_text.drop_invisible(text) == text


def test_a_string_for_the_terminal_hides_no_line():
    assert plain_text.drop_invisible("a\x1b]0;never closed\nb") == "a\nb"
    assert plain_text.drop_invisible("a\x1b[31mred\x1b[0m\r\nb\rc\u2028d") == "ared\nb c d"
    assert plain_text.drop_invisible("❤️️️") == "❤️", "selectors in a row may carry bytes"


def test_escaped_json_means_the_same():
    value = {"a": f"x{SMUGGLED}\u202e\ufeffy\n👩🏽‍💻"}
    text = plain_text.escape_invisible(json.dumps(value, ensure_ascii=False))

    assert json.loads(text) == value
    assert plain_text.drop_invisible(text) == text


def test_a_name_shows_what_hides_in_it():
    assert plain_text.escaped("a\u200bb\u3164c") == "a\\x200bb\\x3164c"
    assert plain_text.printable("a\u3164b 👩🏽‍💻 ❤️") == "a b 👩🏽‍💻 ❤️"


def test_a_long_text_costs_little():
    for text in ("ж" * 200_000, "\x1b[" * 50_000, "\x1b]" * 50_000, "❤️" * 50_000, SMUGGLED * 10_000):
        begun = time.process_time()
        plain_text.drop_invisible(text)
        assert time.process_time() - begun < 1


def test_a_diff_is_one_that_git_applies(tmp_path):
    (tmp_path / "a.md").write_text("one\ntwo\nthree")

    diff = plain_text.unified("a.md", "one\ntwo\nthree", "one\n2\nthree\n")

    done = subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff.encode(), check=False)
    assert done.returncode == 0
    assert (tmp_path / "a.md").read_text() == "one\n2\nthree\n"
    assert plain_text.unified("a.md", "x", "x") == ""
    assert plain_text.block("a\r\n\tb\x1b[2J\n") == "a\n    b\\x1b[2J\n"
