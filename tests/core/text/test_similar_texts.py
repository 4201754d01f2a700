"""Two texts are one fact only where no number, path, name, address or negation differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core.text import duplicates, statements

WORDS = (
    "run the linter always check staging gateway proxy refund handler table session cache builds release tests "
    "folder server client worker queue retry limits orders users"
).split()
NAMES = (
    "lib/a.py", "lib/b.py", "README.md", "readme.md", "userId", "userID", "rate_limit", "rate_limits", "C++", "C#",
    "http://example.org/a", "http://example.org/b", "https://example.org/a", "--force", "--quiet", "-5", "5", "5.0",
    "15", "5%", "foo()", "bar()", "`foo`", "`bar`", ".env", "$HOME", "$PATH", "@ada", "#12", "std::map", "std::set",
    "v2", "v3", "a-b", "a-c", "3.10", "3.12", "not", "never", "without", "before", "after", "<=", ">=", "Redis", "Mysql", "b", "c",
)  # fmt: skip
sentence = st.lists(st.sampled_from(WORDS), min_size=4, max_size=14, unique=True)


@given(sentence, st.data())
def test_what_differs_in_a_fixed_term_is_never_merged(words, data):
    at = data.draw(st.integers(1, len(words)))
    one, other = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
    first, second = (" ".join([*words[:at], name, *words[at:]]) for name in (one, other))

    assert not duplicates.same(first, second)
    assert statements.wording(first) != statements.wording(second)
    assert not duplicates.same(first, " ".join(words))
    assert not duplicates.same(" ".join(words), first)


@given(sentence, st.integers(0, 9), st.integers(0, 9))
def test_two_numbers_that_change_places_are_another_fact(words, one, other):
    text = " ".join(words) + " {} times within {} seconds"

    assert duplicates.same(text.format(one, other), text.format(other, one)) == (one == other)


@given(st.text(), st.text())
def test_any_two_texts_are_compared_both_ways_alike(one, other):
    assert duplicates.same(one, other) == duplicates.same(other, one)
    assert duplicates.same(one, one)


@given(sentence, st.sampled_from(NAMES))
def test_case_blanks_and_ends_change_nothing(words, name):
    text = " ".join([*words, name, "here"])

    assert statements.wording(text) == statements.wording("  " + text.replace(" ", "  ") + " ")
    assert duplicates.same(text, text[0].upper() + text[1:] + ".")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always run the linter before pushing", "always run the linter before you push"),
        ("The staging port is 5432 behind the proxy", "the staging port behind the proxy is 5432"),
        ("Please use Postgres for the orders", "use postgres for the orders"),
        ("NEVER push to main", "never push to main!"),
        ("Don't push generated files to main", "do not push the generated files to main"),
        ("dont push generated files to main", "don’t push generated files to main"),
        ("Keep handlers in `lib/handlers.py`", "keep the handlers in lib/handlers.py."),
    ],
)
def test_the_same_in_other_words(one, other):
    assert duplicates.same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use tabs, not spaces, in every file", "use spaces, not tabs, in every file"),
        ("Enable caching in all production builds", "Disable caching in all production builds"),
        ("caching is enabled in all production builds", "caching is disabled in all production builds"),
        ("increase the memory limit of the worker", "decrease the memory limit of the worker"),
        ("the settings page is public for guests", "the settings page is private for guests"),
        ("allow uploads of guests on staging", "deny uploads of guests on staging"),
        ("prefer pnpm over npm for all packages", "prefer npm over pnpm for all packages"),
        ("copy settings from staging to production", "copy settings from production to staging"),
        ("run the migrations before the deploy", "run the migrations after the deploy"),
        ("retry two times when the gateway fails", "retry three times when the gateway fails"),
        ("Use Redis for caching all sessions", "Use Memcached for caching all sessions"),
        ("use redis for caching all sessions", "use memcached for caching all sessions"),
        ("commit generated files to the repo", "don't commit generated files to the repo"),
        ("let's go with option b here", "let's go with option c here"),
        ("write the core of it in C", "write the core of it in C++"),
    ],
)
def test_another_fact(one, other):
    assert not duplicates.same(one, other)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Retry the first request of a batch", "Retry the second request of a batch", False),
        ("Retry the first request of a batch", "Retry the 1st request of a batch", True),
        ("The proxy has a 30 second timeout", "The proxy has a 30 second timeout here", True),
    ],
)
def test_ordinals_are_numbers(one, other, same):
    assert duplicates.same(one, other) is same
