"""The prose that somebody adds."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from secretsamples import made

from belay.core.errors import BadInput
from belay.memory.handoff import form


def test_texts_and_lists():
    found = form.parse_prose(
        b"overview: |\n  One.\n  Two.\nGotchas:\n  - a: b\n  - |\n    c\n    d\nwho_to_ask: ~\nactive-work: x\n"
    )

    assert found.lines == {"": ["One.", "Two."], "Gotchas": ["- a: b", "- c d"], "Active Work": ["x"]}
    assert (found.problems, found.redacted) == ([], 0)


def test_the_form_itself_is_empty_prose_of_every_key():
    assert form.parse_prose(form.FORM.encode()) == form.Prose({}, [], 0)
    assert list(yaml.safe_load(form.FORM)) == list(form.SECTIONS)


def test_a_secret_is_taken_out():
    token = "ghp_" + made(36)
    found = form.parse_prose(f"overview: {token}".encode())

    assert found.redacted == 1
    assert token not in str(found.lines)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("overview: a\nfoo: b\n", 2, "unknown key"),
        ("gotchas: a\ngotchas: b\n", 2, "second time"),
        ("overview: |\n  # Head\n", 1, "heading"),
        ("overview: '<!-- x'\n", 1, "HTML comment"),
        ("overview:\n  a: 1\n  b: 2\n", 2, "table"),
        ("gotchas:\n" + "- x\n" * 61, 2, "61 entries"),
        ("overview: " + "x" * 4001, 1, "4,001 characters"),
    ],
)
def test_what_must_be_mended_is_named_by_line(text, line, what):
    ((at, said, mend),) = form.parse_prose(text.encode()).problems

    assert (at, what in said, bool(mend)) == (line, True, True)


@pytest.mark.parametrize(
    "text", ["- a\n", "a", "", "a: *b", "a: &x [*x]", "a: [[[[[1]]]]]", "a: 'b", "a: \x01", "x" * 200_000]
)
def test_what_is_no_table_is_refused(text):
    with pytest.raises(BadInput):
        form.parse_prose(text.encode())


@given(st.text(max_size=200))
def test_any_text_is_prose_or_refused(text):
    try:
        found = form.parse_prose(text.encode("utf-8", "surrogatepass"))
    except BadInput:
        return
    assert all("\n" not in line for lines in found.lines.values() for line in lines)
