"""What nobody sees: dropped from texts of others, and escaped in JSON."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core.text.invisible import drop_invisible, escape_invisible, spell_invisible

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
    assert drop_invisible(f"before{hidden}after") == "beforeafter"
    assert drop_invisible(hidden + "after" + hidden) == "after"


@pytest.mark.parametrize("text", SHOWN)
def test_what_is_seen_stays(text):
    assert drop_invisible(text) == text


def test_a_string_for_the_terminal_hides_no_line():
    assert drop_invisible("a\x1b]0;never closed\nb") == "a\nb"
    assert drop_invisible("a\x1b[31mred\x1b[0m\r\nb\rc\u2028d") == "ared\nb c d"
    assert drop_invisible("❤️️️") == "❤️", "selectors in a row may carry bytes"


def test_escaped_json_means_the_same():
    value = {"a": f"x{SMUGGLED}\u202e\ufeffy\n👩🏽‍💻"}
    text = escape_invisible(json.dumps(value, ensure_ascii=False))

    assert json.loads(text) == value
    assert drop_invisible(text) == text


def test_a_long_text_costs_little():
    for text in ("ж" * 200_000, "\x1b[" * 50_000, "\x1b]" * 50_000, "❤️" * 50_000, SMUGGLED * 10_000):
        begun = time.process_time()
        drop_invisible(text)
        assert time.process_time() - begun < 1


@pytest.mark.parametrize("code", [0x1B, 0xAD, 0x34F, 0x1160, 0x180B, 0x200B, 0x202E, 0x2800, 0x3164, 0xFE0F, 0xE0149])
def test_spelled_is_all_that_nobody_sees_also_where_it_shapes_what_is_seen(code):
    char = chr(code)
    assert spell_invisible(f"a❤{char}b\r\n\tc") == f"a❤\\u{{{code:x}}}b\n    c"


@given(st.text())
def test_what_is_spelled_hides_nothing_that_a_shown_text_drops(text):
    spelled = spell_invisible(text)
    assert drop_invisible(spelled) == spelled
    assert all(char == "\n" or char.isprintable() for char in spelled)
