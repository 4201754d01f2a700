"""Secrets go, everything else stays."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from schemas import check
from secretsamples import GONE, STAYS, WORD, block, made, mark

from belay.cli.main import belay
from belay.safety import redaction, secret_kinds
from belay.safety.formats import tokens as finder
from belay.safety.redaction import find_secrets, redact, redact_head, redact_tail
from belay.safety.secret_assignments import lower
from belay.safety.secret_names import sensitive

ROOT = Path(__file__).resolve().parents[2]
FEW = settings(max_examples=200, deadline=None)


TITLES = (
    *("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"),
    *("DSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"),
)


@pytest.mark.parametrize("title", TITLES)
def test_key_blocks_go_whole(title):
    text = block(title)

    assert redact(f"key:\n{text}\nthe end") == f"key:\n{mark('private-key')}\nthe end"
    escaped = text.replace("\n", "\\n")
    assert redact(f'{{"pem": "{escaped}\\n", "id": 7}}') == f'{{"pem": "{mark("private-key")}\\n", "id": 7}}'


def test_torn_key_block_goes_as_far_as_it_goes():
    torn = block("RSA PRIVATE KEY")[:200]

    assert redact(torn) == mark("private-key")
    assert redact(torn + "\nand so it goes on") == mark("private-key") + "\nand so it goes on"


def test_key_block_with_headers_goes():
    body = block("RSA PRIVATE KEY").replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,0A\n\n", 1)

    assert redact(body) == mark("private-key")


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
        block("CERTIFICATE"),
    ],
)
def test_blocks_without_a_key_stay(text):
    assert redact(text) == text


@pytest.mark.parametrize("case", GONE)
def test_secret_goes_and_the_rest_stays(case):
    frame, secret = GONE[case]
    before, after = frame.split("%")

    clean = redact(frame.replace("%", secret))

    assert secret not in clean
    assert clean.startswith(before)
    assert clean.endswith(after)
    assert clean.count("[redacted:") == 1


@pytest.mark.parametrize("text", [*STAYS, "AKIA" + "IOSFODNN7EXAMPLE"])
def test_what_is_no_secret_stays(text):
    assert redact(text) == text


def test_kinds_and_places_are_told():
    secret = "gh" + "p_" + made(36)

    assert find_secrets(f"x {secret} y, password={WORD}") == [
        ("github-token", 2, 42),
        ("password", 55, 55 + len(WORD)),
    ]


def test_overlapping_finds_are_one():
    secret = "gh" + "p_" + made(36)

    assert redact(f"GITHUB_TOKEN={secret}") == f"GITHUB_TOKEN={mark('github-token')}"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dbPassword", "password"),
        ("API_KEY_PROD", "api-key"),
        ("GH_TOKEN_2", "token"),
        ("clientSecret", "secret"),
        ("tokenizer", ""),
        ("password_hash", ""),
        ("bypass", ""),
        ("public_key", ""),
        ("tokens", ""),
    ],
)
def test_names_tell_what_their_value_may_be(name, kind):
    assert sensitive(name) == kind


def test_every_name_is_where_a_search_starts():
    ends = (
        *secret_kinds.PASSWORDS,
        *secret_kinds.PASSWORD_WORDS,
        *secret_kinds.SECRETS,
        *secret_kinds.SECRET_WORDS,
    )

    assert [end for end in ends if not any(name in end for name in secret_kinds.NAMES)] == []


parts = st.sampled_from(
    [frame.replace("%", secret) for frame, secret in GONE.values()] + STAYS + [block("PRIVATE KEY")]
)
noise = st.text(st.characters(exclude_categories=()), max_size=12)
texts = st.lists(
    st.one_of(parts, noise, st.sampled_from(["[redacted:", ", keep it in .env]", mark("token"), "=", '"']))
).map("".join)


@FEW
@given(texts)
def test_redacting_twice_is_redacting_once(text):
    once = redact(text)

    assert redact(once) == once


@FEW
@given(texts)
def test_finds_are_in_order_within_the_text_and_apart(text):
    at = 0
    for kind, start, end in find_secrets(text):
        assert kind in secret_kinds.KINDS | finder.KINDS
        assert at <= start < end <= len(text)
        at = end


@FEW
@given(st.binary(max_size=200))
def test_filter_keeps_what_it_does_not_know(data):
    text = data.decode("utf-8", "surrogateescape")
    out = CliRunner().invoke(belay, ["redact"], input=data).stdout_bytes

    assert out == redact(text).encode("utf-8", "surrogateescape")


def test_an_idle_prompt_loads_nothing():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'lib')!r}); from belay.safety.redaction import redact\n"
        "text = ('please show me the list of open files and run the tests again ' * 4)[:200]\n"
        "print(redact(text) == text, [m for m in ('re', 'json', 'typing', 'belay.safety.secret_shapes')"
        " if m in sys.modules])"
    )

    out = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True).stdout

    assert out.strip() == "True []"


def test_filter_is_exact_about_everything_else():
    data = b"a\r\npassword=" + WORD.encode() + b"\r\n\xff\xfe no end"

    done = CliRunner().invoke(belay, ["redact"], input=data)

    assert done.stdout_bytes == b"a\r\npassword=" + mark("password").encode() + b"\r\n\xff\xfe no end"


def test_json_tells_text_and_places():
    done = CliRunner().invoke(belay, ["redact", "--json"], input=f"é password={WORD}".encode())

    assert check("redact", json.loads(done.output)) == {
        "text": f"é password={mark('password')}",
        "redacted": [{"kind": "password", "start": 11, "end": 11 + len(WORD)}],
    }


@pytest.mark.parametrize(
    "said",
    [
        "das Passwort ist {}, nicht das alte",
        "kennwort = {}",
        "mot de passe : {}",
        "la contraseña es {}",
        "a senha é {}",
        "password={}",
    ],
)
def test_a_password_is_known_in_other_languages_whole(said):
    secret = "Tr0ub4dor" + "&3x9"
    assert redact(said.format(secret)) == said.format("[redacted:password, keep it in .env]")


@pytest.mark.parametrize(
    "said", ["das Passwort ist falsch", "esta senha é obrigatória", "a?password=&next=1", "passe & co"]
)
def test_words_about_a_password_are_kept_in_other_languages(said):
    assert redact(said) == said


def test_a_huge_text_is_read_a_few_times_only(monkeypatch):
    read = []
    finds = redaction.find_secrets
    monkeypatch.setattr(redaction, "find_secrets", lambda text: read.append(len(text)) or finds(text))
    unit = 'password="x1' * 100 + " "

    clean = redact(unit * (300_000 // len(unit)))

    assert len(read) <= 3
    assert finds(clean) == []


def test_after_the_deadline_the_rest_is_one_mark():
    unit = 'password="x1' * 100 + " "

    assert redact(f"a password={WORD} b", seconds=0) == f"a password={mark('password')} b"
    clean = redact("so it begins, " + unit * 20, seconds=0)
    assert clean.startswith("so it begins, ")
    assert mark("rest") in clean
    assert find_secrets(clean) == []


@pytest.mark.parametrize("gap", [1, 200, 230, 231, 241, 5000])
@pytest.mark.parametrize("name", ["key", "token", "api-key"])
def test_a_long_text_is_judged_as_a_short_one(name, gap):
    line = f"the {name} is\n" + "- x\n" * (gap // 4) + made(24) + "\n"
    filler = "rows and columns of a table " * 3000

    assert len(find_secrets(filler + line + filler)) == len(find_secrets(line))
    assert len(find_secrets(filler + f" {name}={made(24)} " + filler)) == 1


def test_a_text_of_names_alone_is_read_once():
    begun = time.process_time()
    assert redact("key= " * 60_000) == "key= " * 60_000
    spent = time.process_time() - begun

    begun = time.process_time()
    assert redact("row= " * 60_000 + "key") == "row= " * 60_000 + "key"
    assert spent < 8 * (time.process_time() - begun)


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\u3000"])
def test_a_name_behind_a_long_run_of_names_is_found(blank):
    run = "키" * 20_000 + blank

    begun = time.process_time()
    assert redact(f"{run}비밀번호: {WORD}") == f"{run}비밀번호: {mark('password')}"
    assert redact(f"{run}키: {made(24)}") == f"{run}키: {mark('api-key')}"
    assert time.process_time() - begun < 2


def test_a_capital_that_grows_when_lowered_costs_nothing():
    text = "İ" + "x" * 300_000

    assert len(lower(text)) == len(text)
    assert lower("İABC") == "İabc"


def test_a_cut_leaves_no_half_of_a_secret():
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\n"
        + "\n".join(f"MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi{n}" for n in range(90))
        + "\n-----END RSA PRIVATE KEY-----\n"
    )
    for at in range(1, len(token) + 1):
        text = key + "x" + " y" * 100 + " " + token + " z" * 3000
        cut = len(key) + 202 + at
        assert token[:3] not in redact_head(text, cut, 4096)
        back = "z " * 3000 + token + " y" * 100 + " " + key
        assert token[-3:] not in redact_tail(back, 6000 + at, 4096).split(" y")[0]
