"""One run at a time; what came while it was at work is not left to the next session."""

import os

import pytest

from belay.consolidate.single_run import RUNS, run_alone


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path)


def test_one_run_is_one_call(folder):
    calls = []
    assert run_alone(folder, lambda: calls.append(1) or "done") == "done"
    assert calls == [1]


def test_who_is_turned_away_is_served_by_the_one_at_work(folder):
    calls = []

    def work():
        calls.append(len(calls))
        if len(calls) == 1:
            assert run_alone(folder, lambda: pytest.fail("two at once")) is None
        return calls[-1]

    assert run_alone(folder, work) == 0
    assert calls == [0, 1]
    assert os.listdir(folder) == ["consolidate.lock"]


def test_others_that_never_stop_do_not_keep_it_for_ever(folder):
    calls = []

    def work():
        calls.append(1)
        run_alone(folder, lambda: None)
        return 1

    assert run_alone(folder, work) == 1
    assert len(calls) == RUNS


def test_an_error_frees_the_lock(folder):
    with pytest.raises(ZeroDivisionError):
        run_alone(folder, lambda: 1 / 0)
    assert run_alone(folder, lambda: "again") == "again"
