"""Base64 that holds a secret goes whole; every other base64 stays."""

import base64
import random
import time

import pytest
from secretsamples import WORD, block, made, mark, tokens

from belay.safety.formats import encoded
from belay.safety.redaction import find_secrets, redact, suspicious

TOKEN = "gh" + "p_" + made(36)
HIDDEN = {
    "token": TOKEN,
    "assignment": f"export DB_PASSWORD={WORD}!",
    "json": f'{{"user": "ada", "password": "{WORD}"}}',
    "url": "postgres://admin:" + WORD + "@db.example.com:5432/app",
    "key": block("RSA PRIVATE KEY"),
    "other languages": f"Überschrift: größer ist schöner – password={WORD}",
    "twice": base64.b64encode(TOKEN.encode()).decode(),
}
FRAMES = (
    *(
        "%",
        "see % now",
        "data: %",
        'x = "%"',
        "key=%",
        "a,%,b",
        "(%)",
        "`%`",
        "+%",
        "--%",
        "line\\n%\\n",
        "v%3D%",
        "%.",
    ),
    *("<a>%</a>", '{"a":"%"}', "- %\n- b", "| % |", "echo % | base64 -d"),
)


def both(text):
    return base64.b64encode(text.encode()).decode(), base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize("case", HIDDEN)
@pytest.mark.parametrize("frame", FRAMES)
def test_base64_that_holds_a_secret_goes_whole(case, frame):
    for secret in both(HIDDEN[case]):
        for shown in (secret, secret.rstrip("=")):
            before, _, after = frame.rpartition("%")
            text = before + shown + after

            assert suspicious(text)
            clean = redact(text)
            assert max(len(part) for part in shown.rstrip("=").split("=")) > 23
            assert shown.rstrip("=")[2:] not in clean
            assert clean.count("[redacted:") == 1
            assert clean.startswith(before)
            assert clean.endswith(after)


def test_every_vendors_token_is_known_in_base64():
    left = [
        token
        for _, _, token in tokens()
        for shown in both(f"x: {token}\n")
        if shown[4:40] in redact(f"value {shown} end")
    ]

    assert left == []


@pytest.mark.parametrize("width", [64, 76])
def test_base64_on_several_lines_is_one(width):
    text = (
        f"# settings of the application, first part\nname = demo\nAPI_TOKEN={made(40)}\nport = 8080\nhost = localhost\n"
    )
    whole = base64.b64encode(text.encode()).decode()
    lines = [whole[at : at + width] for at in range(0, len(whole), width)]

    for indent in ("", "    "):
        shown = ("\n" + indent).join(lines)
        assert redact(f"data:\n{indent}{shown}\nend") == f"data:\n{indent}{mark(encoded.KIND)}\nend"


def test_only_the_runs_with_a_secret_go():
    plain, name, hidden = ("an ordinary text of some length", "here is my password for it:", f"first {TOKEN} last")
    shown = [base64.b64encode(text.encode()).decode() for text in (plain, hidden, plain, name, plain, hidden)]

    assert redact(" and ".join(shown)).count(mark(encoded.KIND)) == 2
    assert [find_secrets(" ".join(shown))[at][1] for at in (0, 1)] == [
        len(shown[0]) + 1,
        len(" ".join(shown[:5])) + 1,
    ]


chance = random.Random(7)
IMAGE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + chance.randbytes(3000)).decode()
STAYS = [
    f"![](data:image/png;base64,{IMAGE})",
    f"data:text/plain;base64,{base64.b64encode(b'an ordinary text, longer than a line').decode()}",
    f"data:text/html;base64,{base64.b64encode(TOKEN.encode()).decode()}",
    f"blob {IMAGE}",
    base64.b64encode(b"the quick brown fox jumps over the lazy dog and is gone").decode(),
    "sha512-" + base64.b64encode(chance.randbytes(64)).decode(),
    "MIIB" + base64.b64encode(chance.randbytes(300)).decode(),
    "lib/belay/safety/formats/table/secrets/of/vendors/and/others",
    "IfYouReadThisAloudYouWillHearThatItIsOnlyWords" * 3,
    "tests/context/recall/test_what_is_recalled_at_an_edit.py",
]


@pytest.mark.parametrize("text", STAYS, ids=lambda text: text[:24])
def test_other_base64_stays(text):
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(b"no secret here, " * 49_000).decode(),
        "\n".join([base64.b64encode(b"no secret in this line of text").decode() + "x" * 12] * 20_000),
        (base64.b64encode(b"a text as long as a run may be: " * 1500).decode() + " ") * 15,
        "\n".join([base64.b64encode(b"some text without any secret or name in it, wrap it").decode()[:64]] * 15_000),
    ],
    ids=["one run", "lines", "longest runs", "wrapped"],
)
def test_decoding_takes_linear_time(text):
    start = time.process_time()

    assert list(encoded.encoded(text, find_secrets)) == []

    assert time.process_time() - start < 5  # measured: under 0.7 on an idle machine
