"""Vendors' tokens are known by themselves: every row of the tables, every sign that can stand around one."""

import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from secretsamples import made, mark, tokens

from belay.safety.formats import shapes, table
from belay.safety.formats import tokens as finder
from belay.safety.redaction import KIND_CHARS, TORN, redact, suspicious

LIB = Path(__file__).resolve().parents[2] / "lib"
ROWS = [pytest.param(*row, id=f"{row[0]}:{row[1].split()[0]}") for row in table.TOKENS]


def alnum(alphabet):
    return [sign for sign in finder.ALPHABETS[alphabet] if sign.isalnum()]


@pytest.mark.parametrize("seed", range(3))
def test_every_vendor_token_goes(seed):
    for _, row, token in tokens(seed):
        clean = redact(f"before {token} after")

        assert clean.startswith("before "), row
        assert clean.endswith(" after"), row
        assert "[redacted:" in clean, row
        assert token[-12:] not in clean, row


@pytest.mark.parametrize(("kind", "prefixes", "alphabet", "least", "most", "source"), ROWS)
def test_a_token_that_is_too_short_or_filled_stays(kind, prefixes, alphabet, least, most, source):
    for prefix in prefixes.split():
        filled = f"see {prefix}{'x' * least} here"

        assert redact(filled) == filled
        assert redact(f"see {prefix}abc here") == f"see {prefix}abc here"


@pytest.mark.parametrize(("kind", "prefixes", "alphabet", "least", "most", "source"), ROWS)
def test_a_token_of_least_length_may_end_in_any_sign(kind, prefixes, alphabet, least, most, source):
    prefix = prefixes.split()[-1]
    for sign in set(finder.ALPHABETS[alphabet]) - finder.ALNUM:
        token = prefix + made(least - 1, alnum(alphabet), seed=3) + sign
        for after in (" x", ". Next", ", y", '"'):
            clean = redact(f"so {token}{after}")
            assert finder.invented(kind, token) or token[len(prefix) :] not in clean, (sign, after)
            assert clean.endswith(after)


def test_a_unique_prefix_names_its_vendor():
    rows = [prefix for row in table.TOKENS for prefix in row[1].split()]

    for kind, prefix, token in tokens():
        others = [other for other in rows if other != prefix and token.startswith(other)]
        if prefix in rows and rows.count(prefix) == 1 and not others:
            assert mark(kind) in redact(f"a {token} b")


def test_rows_are_sound():
    for kind, prefixes, alphabet, least, most, source in table.TOKENS:
        assert len(kind) <= KIND_CHARS
        assert 0 < least <= most
        assert source in "LBTKNYMP"
        for prefix in prefixes.split():
            assert len(prefix) + least >= finder.LEAST, prefix
            assert len(prefix) >= 2
            assert len(prefix) + least < TORN
            assert alphabet in finder.ALPHABETS
    for kind, _, before, fewest, longest, after, least, most, source in shapes.INFIXES:
        assert len(kind) <= KIND_CHARS
        assert {before, after} <= set(finder.ALPHABETS)
        assert fewest <= longest
        assert least <= most
        assert source in "LBTKNYMP"


def test_every_sign_of_a_token_belongs_to_a_word():
    for prefix in (prefix for row in table.TOKENS for prefix in row[1].split()):
        assert b" " not in prefix.encode().translate(finder._WORDS) or "?" in prefix, prefix
    for signs in finder.ALPHABETS.values():
        assert b" " not in signs.encode().translate(finder._WORDS)


ESCAPES = ("\\n", "\\t", "%3D", "%22", "\\x3d", "\\u0022", "\\u003d", "\x1b[31m", "\x1b[1;32m", "\\x1b[0m", "\\033[31m")
SIGNS = ("=", '"', "'", "`", "(", "[", "{", "<", ">", ":", ",", ";", "|", "/", "&t=", "@", "+", "-", "密", "é", "\0")


@pytest.mark.parametrize("before", [*ESCAPES, *SIGNS, "\u200b"])
def test_a_token_is_known_whatever_stands_before_it(before):
    for token in ("gh" + "p_" + made(36), "sk-" + "ant-api03-" + made(95), "AK" + "IA" + made(16, finder.UPPER)):
        assert redact(f"x{before}{token} y").startswith(f"x{before}[redacted:")


def test_a_right_checksum_proves_a_token_that_looks_invented():
    body = "todoexample" + made(19, finder.ALPHABETS["alnum"])
    number, signs = zlib.crc32(body.encode()), ""
    while len(signs) < 6:
        number, digit = divmod(number, 62)
        signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[digit] + signs

    assert redact(f"gh{'p_'}{body}{signs}") == mark("github-token")
    assert redact(f"np{'m_'}{body}{signs}") == mark("npm-token")
    assert redact(f"gh{'p_'}{body}000000") == f"gh{'p_'}{body}000000"


def test_a_short_word_within_a_token_is_chance():
    token = "lin_" + "api_" + "a1b2c3d4e5f6g7todo8h9i0j1k2l3m4n5o6p7q8r"

    assert redact(token) == mark("linear-key")
    assert redact("lin_" + "api_your-token-goes-here-and-nowhere-else-1") != mark("linear-key")


ORDINARY = """
resource api-gateway-for-the-first-quarter-of-2024-v2 and sdk-release-notes-for-version-10
class=pat-button key_value_store_for_sessions_and_tokens re_compile_patterns_for_every_word
https://example.org/docs/a/very/long/path/to/a/page/that/exists.html#section-12
0002_auto_20200101_1234_squashed_0009_auto.py traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
sha512-EXAMPLE integrity eu-west-1.compute.amazonaws.com arn:aws:iam::123456789012:role/service-role/name-of-it
MyVeryLongClassNameWithWords.method.someOtherLongIdentifierName
io.k8s.api.core.v1.PersistentVolumeClaimVolumeSourceSpecificationDetails
s.someMethodNameOfLength24 STS.AssumeRoleWithWebIdentity KEY_OF_THE_FIRST_ROW_IN_THE_TABLE
""".strip().splitlines()


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_long_words_stay(text):
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "sk-" * 350_000,
        "ya29." * 200_000,
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx " * 36_000,
        "+ASt" * 250_000,
        "sk-" * 100_000 + "-" * 700_000,
        "1:" * 500_000,
        "a.b" * 330_000,
        ("M" + "a1" * 12 + ".abcdef." + "Zx9" * 9 + " ") * 16_000,
        "\\n%3D[31m" * 110_000,
    ],
    ids=lambda text: text[:12],
)
def test_finding_tokens_takes_linear_time(text):
    start = time.process_time()

    list(finder.tokens(text))

    assert time.process_time() - start < 5  # a quadratic search takes hours; measured: under 1 on an idle machine


def test_the_idle_check_finds_every_sample():
    assert [token for seed in range(4) for _, _, token in tokens(seed) if not suspicious(f"x {token} y")] == []


def test_a_path_of_small_letters_loads_no_table():
    code = (
        f"import sys; sys.path.insert(0, {str(LIB)!r}); from belay.safety.redaction import redact\n"
        "text = 'please look at tests/safety/redaction/test_every_format.py and say what it does'\n"
        "print(redact(text) == text, [name for name in sys.modules if '.formats' in name])"
    )

    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "True []"


def test_no_name_stands_behind_a_prefix_that_ends_in_a_sign():
    token = "endr+" + "sPfLnrbf" + "vnujbldY"
    assert token[5:] not in redact(f"use {token} here")
