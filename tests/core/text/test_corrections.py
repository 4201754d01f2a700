"""A capture takes the place of an earlier one only where it repeats it, or says that it corrects it."""

import pytest
from factpairs import rows
from hypothesis import given
from hypothesis import strategies as st

from belay.core.text import corrections


@pytest.mark.parametrize(("old", "new"), rows("replaces"))
def test_a_repetition_or_a_correction_replaces(old, new):
    assert corrections.fit(new, old)


@pytest.mark.parametrize(("old", "new"), rows("stays"))
def test_without_a_sign_or_on_another_subject_both_stay(old, new):
    assert not corrections.fit(new, old)


@pytest.mark.parametrize(("old", "new"), rows("different"))
def test_two_facts_without_a_sign_both_stay(old, new):
    assert bool(corrections.fit(new, old)) == new.startswith("Do not")


@pytest.mark.parametrize(("one", "other"), rows("same"))
def test_a_repetition_replaces_unless_it_says_less(one, other):
    assert corrections.fit(one, other) or corrections.fit(other, one)


def test_a_brief_correction_replaces_the_latest_that_fits_alone():
    earlier = {
        "a": "retry failed uploads 3 times in the worker",
        "b": "retry failed downloads 3 times in the worker",
        "c": "keep logs for 3 days",
    }

    assert corrections.replaced("Actually use 5 retries, not 3", earlier) == ["b"]


def test_each_earlier_text_that_is_repeated_is_replaced():
    earlier = {"a": "use tabs", "b": "Use tabs!", "c": "use spaces"}

    assert corrections.replaced("please use tabs", earlier) == ["a", "b"]


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_are_judged(new, old):
    assert corrections.fit(new, old) in (0, corrections.BRIEF, corrections.FULL)
    assert corrections.fit(new, new) == corrections.FULL
