"""Up to when a memory tells where work stands."""

import os

import pytest

from belay.core import clock
from belay.repository.survey import last_update

NOON = 1_767_268_800.25
"""A moment of 2026-01-01 in every time zone from -12 to +11."""


def told(updated="", task="ring the bell"):
    return {"left": {"task": task, "next": ""}, "header": {"updated": updated}}


@pytest.fixture
def memory(tmp_path):
    path = tmp_path / "MEMORY.md"
    path.write_text("x")
    os.utime(path, (NOON, NOON))
    return str(path)


@pytest.mark.parametrize("updated", ["", "2026-01-01", "2026-02-01", "2026-99-99x"])
def test_the_moment_the_file_was_written(memory, updated):
    assert last_update.find_last_update(told(updated), memory) == "2026-01-01T12:00:00.250000Z"


def test_a_checkout_makes_it_no_younger_than_its_day(memory):
    assert clock.local_date(clock.shifted(last_update.find_last_update(told("2025-12-24"), memory), -1)) == "2025-12-24"


def test_one_that_says_nothing_of_it_has_no_moment(memory):
    assert last_update.find_last_update(told("2026-01-01", ""), memory) == ""
