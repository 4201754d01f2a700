import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.memory.drift.versions import parse_lowest, parse_version

ORDER = ["0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1"]


@pytest.mark.parametrize(("less", "more"), list(itertools.pairwise(ORDER)))
def test_versions_before_a_release_have_the_order_of_semver(less, more):
    assert parse_version(less) < parse_version(more)


@pytest.mark.parametrize(
    ("one", "same"), [("2", "2.0.0"), ("v2.0", "2"), ("2.0rc1", "2.0-rc1"), ("1.0-rc.1", "1.0-rc1"), ("5.1.", "5.1")]
)
def test_the_same_version_in_other_spellings(one, same):
    assert parse_version(one) == parse_version(same)


@pytest.mark.parametrize(
    ("constraint", "lowest"),
    [("^5.2.0", "5.2"), (">=2,<3", "2"), ("~> 7.1", "7.1"), ("==1.0rc1", "1.0rc1"), ("4", "4")],
)
def test_the_lowest_version_of_a_constraint(constraint, lowest):
    assert parse_lowest(constraint) == parse_version(lowest)


@pytest.mark.parametrize("constraint", ["*", "latest", "<3", "workspace:*", "git+ssh://host/a#v1", ""])
def test_constraints_without_a_lowest_version(constraint):
    assert parse_lowest(constraint) is None


numbers = st.lists(st.integers(0, 10**8), min_size=1, max_size=4)


@given(numbers, numbers)
def test_numbers_compare_by_value(one, other):
    texts = [".".join(map(str, row)) for row in (one, other)]
    padded = [[*row, 0, 0, 0][:4] for row in (one, other)]

    assert (parse_version(texts[0]) < parse_version(texts[1])) == (padded[0] < padded[1])


@given(st.text(max_size=60))
def test_any_text_has_a_version_or_none(text):
    found = parse_version(text)

    assert found is None or found == parse_version(text) >= parse_version("0-0")
    assert parse_lowest(text) is None or len(parse_lowest(text).numbers) == 4
