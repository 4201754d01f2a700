"""What contradicts a statement of another day, and what says that it repeats one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core.text import contradictions, duplicates

RETIRED = [
    ("use Fastify", "Not Fastify, Express"),
    ("Let's go with Fastify", "Use Express, not Fastify"),
    ("Let's go with SQLite", "use MySQL instead of SQLite"),
    ("Let's go with SQLite", "don't use SQLite"),
    ("we need tests for the login", "we don't need tests for the login"),
    ("the pool size is 10", "the pool size is 20"),
    ("limit: 200 requests per minute", "limit: 500 requests per minute"),
    ("Retry uploads 3 times", "Retry uploads 5 times"),
    ("keep at most 5 backups", "keep at most 7 backups"),
    ("the timeout is 30 seconds", "the timeout should be 60 seconds"),
    ("staging runs on port 5432", "staging runs on port 5433"),
    ("Use 2 spaces for indentation", "Use 4 spaces for indentation"),
]
LIMIT = "the upload limit is 200 MB"
RETIRED += [
    (LIMIT, "set the upload limit to 500 MB"),
    (LIMIT, "upload limit should be 500MB"),
    (LIMIT, "raise the upload limit to 1 GB"),
    (LIMIT, "make the upload limit 500 MB"),
    (LIMIT, "change the upload limit from 200 MB to 500 MB"),
    (LIMIT, "the upload limit is now 500 MB, not 200"),
]
KEPT = [
    (LIMIT, "the upload limit for guests is 500 MB"),
    (LIMIT, "increase the upload limit by 500 MB"),
    (LIMIT, "the upload limit is 3 times"),
    (LIMIT, "the upload limit is between 200 MB and 500 MB"),
    ("use Redis for caching", "don't use Redis"),
    ("use tabs", "don't use tabs in YAML"),
    ("Let's go with SQLite", "the export is not SQLite but CSV"),
    ("phase 1 needs tests", "phase 2 needs tests"),
    ("Step 2 is done", "Step 3 is done"),
    ("support Python 3.10", "support Python 3.11"),
    ("line 40 is wrong", "line 50 is wrong"),
    ("the answer to 1 is yes", "the answer to 2 is yes"),
    ("use the blue button on the page", "No, use the red button on the page"),
    ("add docs for the parser", "actually, add tests for the parser"),
    ("never push to main", "push to main"),
    ("the pool size is 10", "the stack size is 20"),
    ("use pnpm", "use pnpm"),
]


@pytest.mark.parametrize(("old", "new"), RETIRED)
def test_a_later_text_contradicts(old, new):
    assert contradictions.contradicts(new, old)


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_both_may_hold(old, new):
    assert not contradictions.contradicts(new, old)


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_states_the_same_never_contradicts(one, other):
    contradicts = contradictions.contradicts(one, other)
    assert not (contradicts and duplicates.same(one, other))
    assert not contradictions.contradicts(one, one)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("As I said, go with Fastify", "go with Fastify"),
        ("go with Fastify, as I said.", "go with Fastify"),
        ("again: use tabs", "use tabs"),
        ("As discussed — tabs everywhere", "tabs everywhere"),
        ("use tabs", ""),
        ("as I said", ""),
        ("again and again it fails", ""),
        ("use tabs again", ""),
        ("use tabs, again", "use tabs"),
    ],
)
def test_words_of_repetition_are_taken_off(text, rest):
    assert contradictions.without_repeating(text) == rest


def test_a_change_of_mind_is_said_in_words():
    assert contradictions.changes_mind("use MySQL after all")
    assert contradictions.changes_mind("I changed my mind: MySQL.")
    assert not contradictions.changes_mind("use MySQL for all of it")
