"""Branch names as file names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.memory.branches.slug import branch_slug, seed_slug


def test_names_that_look_alike_do_not_collide():
    names = ["a/b", "a-b", "A/b", "a.b", "a_b", "feature/x", "Feature/X", "ž", "ü", "a" * 300, "a" * 301]

    assert len({branch_slug(name).lower() for name in names}) == len(names)


def test_the_readable_part():
    assert branch_slug("feature/Log-In").startswith("feature-log-in-")
    assert branch_slug("žluť").startswith("lu-")
    assert branch_slug("功能").startswith("branch-")
    assert seed_slug("feature/v1.2_X!") == "feature-v1-2_x"


@pytest.mark.parametrize("name", ["con", "NUL", "com1.txt", "aux/x", "..", "-rf", "a b", "x\x1b[2J", "$(id)", "`id`"])
def test_hostile_and_reserved_names_are_plain_files(name):
    found = branch_slug(name)

    assert found == branch_slug(name)
    assert set(found) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert found.split(".")[0] not in ("con", "nul", "com1", "aux")
    assert not found.startswith("-")


@given(st.text(max_size=200))
def test_any_name_is_a_short_file_name(name):
    assert 9 <= len(branch_slug(name)) <= 49
