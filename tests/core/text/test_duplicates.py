"""Two texts are one fact only where no telling word, number, name, negation or relation differs."""

import json
from pathlib import Path

import pytest
from factpairs import rows
from hypothesis import assume, given
from hypothesis import strategies as st

from belay.core.text import duplicates, statements, word_forms

PROMPTS = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "prompts.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("one", "other"), [*rows("different"), *rows("swapped")])
def test_distinct_facts_are_never_one(one, other):
    assert not duplicates.same(one, other)
    assert not duplicates.same(other, one)
    assert not duplicates.covers(one, other)
    assert not duplicates.covers(other, one)


@pytest.mark.parametrize(("one", "other"), [*rows("same"), *rows("reordered")])
def test_one_fact_said_differently_is_one(one, other):
    assert duplicates.marks(one) & duplicates.marks(other)
    assert duplicates.same(one, other)
    assert duplicates.same(other, one)


# Words that look alike and mean different things stand beside each other here.
WORDS = (
    "pip pipe plan plane strip stripe string str server serve worker work parser parse setting set staging stage apply "
    "app https http window windows user order orderer cache cash session table index email upload download client queue "
    "retry linter gateway proxy refund handler branch release token account invoice payment customer schema column "
    "replica cluster Redis Memcached Postgres MySQL GitHub GitLab userId userID user_id README.md readme.md lib/a.py "
    "lib/b.py --force --quiet foo() bar() C C++ C# .env $HOME <= >= läuft café 用户表 订单表"
).split()
NUMBERS = "0 1 2 3 5 10 15 -5 5.0 3.10 3.1 1,000 10,000 5432 v2 2026-01-02 10s 10ms three seven first second".split()
PLACES = (
    "in the {}",
    "for every {}",
    "at the {}",
    "during a {}",
    "behind the {}",
    "from {}",
    "with {}",
    "to {}",
)
word = st.sampled_from(WORDS)
NOT = ("not", "never", "no", "without", "cannot", "hardly", "only", "except")


@st.composite
def phrases(draw):
    """Phrases of a statement, each with words of its own: what is done, then where, when and with what."""
    names = draw(st.lists(word, min_size=5, max_size=8, unique_by=str.casefold))
    places = draw(st.permutations(PLACES))
    head = f"{names[0]} {draw(st.sampled_from(['keeps', 'drops', 'needs', 'sorts']))} {names[1]} {names[2]}"
    return [head, *(place.format(name) for place, name in zip(places, names[3:], strict=False))]


def is_one_thing(one, other):
    """Whether two words are forms of one another, and so no substitution."""
    mine, theirs = (statements.read(text) for text in (one, other))
    if mine.numbers or theirs.numbers:
        return (mine.numbers, mine.words, mine.names) == (theirs.numbers, theirs.words, theirs.names)
    forms = [
        {base for word in (*told.words, *told.names) for base in word_forms.bases(word)} for told in (mine, theirs)
    ]
    return not forms[0].isdisjoint(forms[1])


@given(phrases(), word, st.data())
def test_another_content_word_is_another_fact(parts, new, data):
    words = " ".join(parts).split()
    at = data.draw(st.sampled_from([n for n, one in enumerate(words) if one in WORDS]))
    assume(not is_one_thing(words[at], new))
    other = " ".join([*words[:at], new, *words[at + 1 :]])

    assert not duplicates.same(" ".join(words), other)
    assert not duplicates.same(other, " ".join(words))


@given(phrases(), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS))
def test_another_number_is_another_fact(parts, one, other):
    assume(not is_one_thing(one, other))
    first, second = (f"{parts[0]} {number} times {' '.join(parts[1:])}" for number in (one, other))

    assert not duplicates.same(first, second)
    assert not duplicates.same(first, " ".join(parts))


@given(phrases(), st.sampled_from(NOT), st.sampled_from(NOT), st.data())
def test_a_negation_more_less_or_else_is_another_fact(parts, one, other, data):
    words = " ".join(parts).split()
    at = data.draw(st.integers(0, len(words)))
    first, second = (" ".join([*words[:at], turn, *words[at:]]) for turn in (one, other))

    assert not duplicates.same(first, " ".join(words))
    assert duplicates.same(first, second) == (one == other or {one, other} == {"no", "not"})


@given(phrases(), st.data())
def test_phrases_in_another_order_are_the_same_fact(parts, data):
    plain = [part for part in parts if part.isascii()]
    assume(plain[:1] == parts[:1])

    assert duplicates.same(" ".join(plain), ", ".join([plain[0], *data.draw(st.permutations(plain[1:]))]))


@given(phrases(), st.data())
def test_case_marks_and_filler_change_nothing(parts, data):
    words = " ".join(parts).split()
    filler = st.sampled_from(["please", "just", "actually", "really", "the", "also", "now", "always", "we", ""])
    case = st.sampled_from([str.lower, str.upper, str.title, str])
    ends = st.sampled_from(["", "", "!", ".", "**"])
    told = []
    for one in words:
        plain = one.isalpha() and one.isascii() and not word_forms.is_camel(one) and len(one) > 1
        mark = data.draw(ends) if plain else ""
        told.append(data.draw(filler))
        told.append(
            (mark if mark == "**" else "") + (data.draw(case)(one) if plain else one) + (mark if mark == "**" else "")
        )
    assert duplicates.same(" ".join(words), " ".join(told) + data.draw(st.sampled_from(["", "!", "."])))


@given(st.sampled_from(PROMPTS), word, st.data())
def test_another_word_in_what_people_wrote_is_another_fact(row, new, data):
    words = str(row["text"]).split()[:40]
    places = [n for n, one in enumerate(words) if one.isalpha() and len(one) > 3 and statements.read(one).words]
    assume(places)
    at = data.draw(st.sampled_from(places))
    assume(not is_one_thing(words[at], new))
    assume(statements.read(words[at]).words[0] not in " ".join([*words[:at], *words[at + 1 :]]).casefold())

    assert not duplicates.same(" ".join(words), " ".join([*words[:at], new, *words[at + 1 :]]))


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_are_compared_both_ways_alike(one, other):
    assert duplicates.same(one, other) == duplicates.same(other, one)
    assert duplicates.same(one, one)
    assert duplicates.covers(one, one)
    assert not duplicates.same(one, other) or duplicates.marks(one) & duplicates.marks(other)


ENDINGS = st.sampled_from(["", "s", "es", "ed", "d", "ing", "ied", "ies", "y", "e", "ted", "ning"])


@given(st.sampled_from([one.lower() for one in WORDS if one.isalpha()]), ENDINGS, ENDINGS)
def test_forms_of_a_word_have_one_root(stem, one, other):
    assume(not stem.endswith(("ed", "ing", "s")))
    first, second = stem + one, stem + other
    if not word_forms.bases(first).isdisjoint(word_forms.bases(second)):
        assert word_forms.root(first) == word_forms.root(second)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("the tests use the cache", "the test uses caches", True),
        ("queries run twice", "the query runs twice", True),
        ("piped output", "pip output", False),
        ("stopped workers", "the worker stops", True),
        ("the strings are short", "the str is short", False),
        ("`wrap_width` is 80", "wrap_width is 80", True),
        ("wrap_width is 80", "wrap_widths is 80", False),
        ("edit src/a.py:12", "edit src/a.py:14", False),
        ("os.path is slow", "os.walk is slow", False),
        ("run `git add .`", "run `git add -A`", False),
        ("it takes 10s", "it takes 10 s", True),
        ("it takes 10s", "it takes 10 ms", False),
        ("it takes 3 tries", "it takes three tries", True),
        ("at most 1,000 rows", "at most 1000 rows", True),
        ("version 3.10", "version 3.1", False),
        ("Das Café läuft", "das café LÄUFT", True),
        ("用户表没有索引", "订单表没有索引", False),
        ("用户表没有索引", "用户表没有索引。", True),
        ("use GitHub actions", "use github actions", True),
        ("keep userId", "keep userID", False),
        ("the US region is slow", "the EU region is slow", False),
        ("I deploy on Fridays", "you deploy on Fridays", False),
        ("the server was restarted", "the server will be restarted", False),
        ("scale up the workers", "scale down the workers", False),
        ("sign in with a token", "sign out with a token", False),
        ("tests or docs are missing", "tests and docs are missing", False),
        ("No tabs, no spaces", "no tabs, spaces", False),
        ("use tabs", "use tabs in Makefiles", False),
        ("use tabs", "use tabs because make needs them", True),
        ("use tabs because make needs them", "use tabs because the team likes them", False),
        ("let's do it", "Let's do it!", True),
        ("let's do it", "we use it", False),
        ("", "", True),
    ],
)
def test_stems_names_units_and_small_words(one, other, same):
    assert duplicates.same(one, other) is same
    assert duplicates.same(other, one) is same


@pytest.mark.parametrize(
    ("held", "said", "covers"),
    [
        ("Connections of src/pool.py must not be shared", "Connections must never be shared", True),
        ("Connections must not be shared", "Connections of src/pool.py must not be shared", False),
        ("Connections in src/pool.py must not be shared", "Connections must not be shared", False),
        ("Use tabs in Makefiles", "Use tabs", False),
        ("Drop SQLite for storage", "SQLite for storage", False),
        ("Archived users table has no index", "Users table has no index", False),
    ],
)
def test_what_covers_another_states_it_and_names_something_besides(held, said, covers):
    assert duplicates.covers(held, said) is covers


def test_what_extends_another_is_close_and_not_the_same():
    short = "Write integration tests against real databases"
    long = "Write integration tests against real local databases"

    assert duplicates.extends(long, short)
    assert not duplicates.extends(short, long)
    assert not duplicates.same(long, short)
    assert not duplicates.extends("Never " + long, short)


@pytest.mark.parametrize("piece", ["a ", "word ", "7 ", "x7 ", "not ", "`", "(", "'", "-", "because ", "用", "é́", "\n"])
def test_a_long_text_is_read_to_a_bound_and_its_rest_compared_as_it_is(piece):
    long = piece * (400_000 // len(piece))
    told = statements.read(long)

    assert len(told.words) + len(told.names) + len(told.numbers) + len(told.turns) <= statements.READ_CHARS + 1
    assert duplicates.same(long, long)
    assert not duplicates.same(long + " tabs", long + " spaces")


def test_the_first_of_rows_of_one_wording_stays():
    assert duplicates.distinct(["One.", "two", "ONE", "Two!", "two-way", "two way"], str) == [
        "One.",
        "two",
        "two-way",
    ]
    assert duplicates.distinct(["C", "C++", "-5", "5", ".env", "env"], str) == [
        "C",
        "C++",
        "-5",
        "5",
        ".env",
        "env",
    ]


@pytest.mark.parametrize(
    ("one", "other", "repeats"),
    [
        ("Let's do it.", "Let's do it.", False),
        ("use uv", "Use uv!", True),
        ("fix it", "fix it", False),
        ("run the linter before a push", "run linters before we push", True),
    ],
)
def test_what_says_nothing_repeats_nothing(one, other, repeats):
    assert duplicates.repeats(one, other) is repeats
